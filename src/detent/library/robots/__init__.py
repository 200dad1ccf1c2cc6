"""Robots: arms with elastic gears under position control, carriers on springs; full and linear."""
