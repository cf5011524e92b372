"""The settings that a table can agree on, derived from the ruleset of its game."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, get_args, get_type_hints

from engine.illegal import Illegal, Refused
from engine.record.kind import AnyKind
from engine.record.shape import Json


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name in the record's `rules`, its possible values, and its default."""

    name: str
    choices: Sequence[Any]
    default: Any


def settings_of(kind: AnyKind) -> list[Setting]:
    """Return the settings of a kind of game, in the order of its ruleset."""
    defaults = kind.read_rules({}, "rules")
    hints = get_type_hints(type(defaults), include_extras=True)
    settings = []
    for field in fields(defaults):
        choices = _choices(hints[field.name])
        settings.append(Setting(field.name, choices, getattr(defaults, field.name)))
    return settings


def rules_fault(kind: AnyKind, rules: Json) -> Illegal | None:
    """Return the fault of `rules` in a record of that kind; None if there is none."""
    try:
        kind.read_rules(rules, "rules")
    except Refused as refused:
        return refused.illegal
    return None


def _choices(hint: Any) -> Sequence[Any]:
    if hint is bool:
        return (False, True)
    # A number is `Annotated` with its range; all other settings are `Literal`.
    arguments = get_args(hint)
    if isinstance(arguments[-1], range):
        return arguments[-1]
    return arguments
