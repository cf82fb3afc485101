"""Postbox: message boxes for the tenants of a house, served over plain HTTP."""

VERSION = "0.6"


class PostboxError(Exception):
    """Something that whoever asked can put right; the text is sent as it is."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status
