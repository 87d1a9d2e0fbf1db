"""The exception of this package."""


class ITMError(ValueError):
    """What is wrong with an input: which, what was found, what was expected, how to mend it."""
