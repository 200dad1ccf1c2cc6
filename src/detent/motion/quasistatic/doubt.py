"""A doubt that is passed back: not an error, but a reason to decide in exact arithmetic."""


class Undecided(Exception):  # noqa: N818, a doubt, not an error
    """The float filter cannot tell what happens; exact arithmetic can."""
