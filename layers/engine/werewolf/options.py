"""The options of a rule set, with their bounds.

`since` is the revision of the rules (`werewolf.match.REVISION`) that brought the option: matches of
earlier ones do not have it, and their rules ask for it with `options.get`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from werewolf.errors import InvalidOptions, shown

OptionValue = int | bool | str


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`."""

    low: int
    high: int
    default: int
    about: str
    since: int = 1

    def check(self, name: str, value: object) -> int:
        """The value, or `InvalidOptions`."""
        if (
            isinstance(value, int)
            and not isinstance(value, bool)
            and self.low <= value <= self.high
        ):
            return value
        raise InvalidOptions(name, f"must be a whole number from {self.low} to {self.high}")

    def manifest(self) -> dict[str, Any]:
        """The option as JSON, for those who choose."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high} | _rest(self)


@dataclass(frozen=True, slots=True)
class Switch:
    """On or off."""

    default: bool
    about: str
    since: int = 1

    def check(self, name: str, value: object) -> bool:
        """The value, or `InvalidOptions`."""
        if not isinstance(value, bool):
            raise InvalidOptions(name, "must be true or false")
        return value

    def manifest(self) -> dict[str, Any]:
        """The option as JSON, for those who choose."""
        return {"type": "boolean"} | _rest(self)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words."""

    values: tuple[str, ...]
    default: str
    about: str
    since: int = 1

    def check(self, name: str, value: object) -> str:
        """The value, or `InvalidOptions`."""
        if not isinstance(value, str) or value not in self.values:
            raise InvalidOptions(name, f"must be one of {', '.join(self.values)}")
        return value

    def manifest(self) -> dict[str, Any]:
        """The option as JSON, for those who choose."""
        return {"type": "string", "enum": list(self.values)} | _rest(self)


Option = Whole | Switch | OneOf
Options = Mapping[str, Option]


def _rest(option: Option) -> dict[str, Any]:
    return {"default": option.default, "description": option.about}


def settle(offered: Options, chosen: Mapping[str, object], revision: int) -> dict[str, OptionValue]:
    """Every option of this revision of the rules with its chosen or default value; `InvalidOptions`
    names what is wrong."""
    if not isinstance(chosen, Mapping):
        raise InvalidOptions("options", "must be an object")
    known = {name: option for name, option in offered.items() if option.since <= revision}
    for name in chosen:
        if name not in known:
            raise InvalidOptions(shown(name), "is no option of this rule set")
    return {
        name: option.check(name, chosen.get(name, option.default)) for name, option in known.items()
    }
