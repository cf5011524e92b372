"""The parts of a ruling that an arbiter enters: the decision and the finding."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from django.conf import settings

from games.models import Kind
from league.disputes.ruling.models import Ruling

HEADING: Final = re.compile(r"^### ([BK]\d+) (.+?) \{#", re.MULTILINE)
"""The heading of a rule in the manual: its number and its title."""
FIRST_LETTER: Final[dict[str, str]] = {Kind.BLUFF: "B", Kind.LUEGEN_KNIFFEL: "K"}
"""The first letter of the rules' numbers, by kind of game."""


@dataclass(frozen=True, slots=True)
class RulingDecision:
    """An arbiter's decision about a game: a verb, and the fields for which it asks.

    `line`: the record of a corrected game. The other fields are those of a `Ruling`.
    """

    verb: Ruling.Verb
    seat: int | None = None
    points: int | None = None
    ranks: tuple[int, ...] | None = None
    round_number: int | None = None
    line: bytes | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """The grounds of a ruling. `findings`: the facts found. `rule`: the number of the rule; empty
    for none. `close_to`: the seats to which the arbiter is close. `named`: the public page names
    the players."""

    findings: str
    reason: str
    rule: str = ""
    close_to: tuple[int, ...] = ()
    named: bool = False


class RuleHeading(NamedTuple):
    """A rule of the rule book: its number and title."""

    number: str
    title: str


@cache
def rule_headings(kind: str, language: str) -> tuple[RuleHeading, ...]:
    """Return the rules of a kind of game, as the manual's page of rules lists them in a
    language."""
    folder = settings.BASE_DIR / "templates" / "docs"
    page = folder / f"rules.{language}.md"
    text = (page if page.exists() else folder / "rules.md").read_text(encoding="utf-8")
    letter = FIRST_LETTER[kind]
    headings = [RuleHeading(*match.groups()) for match in HEADING.finditer(text)]
    return tuple(heading for heading in headings if heading.number.startswith(letter))
