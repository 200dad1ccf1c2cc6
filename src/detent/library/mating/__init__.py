"""Compliant mating parts: their force laws, as functions of where one part is against another."""
