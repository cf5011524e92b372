"""The tables of settings in the manual, made from their declaration."""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext

from league.environment.declaration import GROUPS
from league.environment.variable import AnyVariable, Variable, VariableGroup

ALL_TABLES: Final = re.compile(r"^\{settings\}$", re.MULTILINE)
ONE_TABLE: Final = re.compile(r"^\{settings (\w+)\}$", re.MULTILINE)
"""Lines of a page that stand for all tables, with headings, or for that of one group."""


def with_settings(markdown: str) -> str:
    """Return a page with its tables of settings filled in, in the current language."""
    groups = {group.name: group for group in GROUPS}
    markdown = ALL_TABLES.sub(lambda line: "\n\n".join(map(_chapter, GROUPS)), markdown)
    return ONE_TABLE.sub(lambda line: _table(groups[line[1]]), markdown)


def _chapter(group: VariableGroup) -> str:
    title = gettext(group.title)
    return f"## {title} {{#{group.name}}}\n\n{_table(group)}"


def _table(group: VariableGroup) -> str:
    head = [gettext("setting"), gettext("meaning"), gettext("value"), gettext("if not set")]
    rows = [head, ["---"] * len(head), *(_row(variable) for variable in group.variables)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(variable: AnyVariable) -> list[str]:
    name = f"`{variable.name}` {{#{variable.name.lower()}}}"
    return [name, gettext(variable.about), _value(variable), _default(variable)]


def _value(variable: AnyVariable) -> str:
    words = variable.kind.describe(gettext)
    if variable.secret:
        return gettext("{value}; secret").format(value=words)
    return words


def _default(variable: AnyVariable) -> str:
    if isinstance(variable, Variable):
        return f"`{variable.default}`"
    otherwise = gettext(variable.otherwise)
    if not variable.needed_with:
        return otherwise
    names = ", ".join(f"`{other.name}`" for other in variable.needed_with)
    return gettext("{otherwise}; needed where one of these is set: {names}").format(
        otherwise=otherwise, names=names
    )
