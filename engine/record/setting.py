"""The settings that a table can agree on, read off the ruleset of its game, which alone tells
them."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, get_args, get_type_hints

from engine.illegal import Illegal, Refused
from engine.record.kind import AnyKind
from engine.record.shape import Json


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name in the record's `rules`, the values that it can have, and the one if
    none is told."""

    name: str
    choices: Sequence[Any]
    default: Any


def settings_of(kind: AnyKind) -> list[Setting]:
    """The settings of a kind of game, in the order of its ruleset."""
    default = kind.read_rules({}, "rules")
    hints = get_type_hints(type(default), include_extras=True)
    names = [field.name for field in fields(default)]
    return [Setting(name, _choices(hints[name]), getattr(default, name)) for name in names]


def rules_fault(kind: AnyKind, rules: Json) -> Illegal | None:
    """Return what is wrong with `rules` as a record of that kind would tell them; None if nothing
    is."""
    try:
        kind.read_rules(rules, "rules")
    except Refused as refused:
        return refused.illegal
    return None


def _choices(hint: Any) -> Sequence[Any]:
    """The values of a `Literal`, of a `bool`, or of a number that is annotated with its range."""
    if hint is bool:
        return (False, True)
    arguments = get_args(hint)
    return arguments[1] if isinstance(arguments[-1], range) else arguments
