"""Reads action links the way a browser's URL parser does."""

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class ActionLink:
    """A link in its web form; `wrapper` is the app link around it, if there is one."""

    url: str
    names: list[str]
    values: dict[str, str]
    wrapper: str | None

    @property
    def code(self) -> str:
        return self.values["oobCode"]

    def __getitem__(self, name: str) -> str:
        return self.values[name]


def parse(link: str) -> ActionLink:
    wrapper = None
    if urlsplit(link).path == "/__/auth/links":
        wrapper = link
        [(name, link)] = parse_qsl(urlsplit(link).query, keep_blank_values=True, strict_parsing=True)
        assert name == "link"
    items = parse_qsl(urlsplit(link).query, keep_blank_values=True, strict_parsing=True)
    names = [name for name, _ in items]
    assert len(set(names)) == len(names), f"{link} names a parameter twice"
    return ActionLink(link, names, dict(items), wrapper)


def code(link: str) -> str:
    """The code in a link of either form."""
    return parse(link).code
