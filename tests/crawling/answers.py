"""What a server sends for a URL, and what the URL turned out to be."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a URL turned out to be."""

    CONTENT = "content"
    HOME = "home"
    ARCHIVE = "archive"
    ABOUT = "about"
    CALENDAR = "calendar"
    REDIRECT = "redirect"
    LOGIN = "login"
    WALL = "wall"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server sends. `.content` is the id of the content and `.version` its version, "" for other pages."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    kind: Kind
    content: str = ""
    version: str = ""
