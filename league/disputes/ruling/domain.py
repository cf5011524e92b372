"""What an arbiter decides, and what a ruling states beside that."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from django.conf import settings

from games.models import Kind
from league.disputes.ruling.models import Ruling

HEADING: Final = re.compile(r"^### ([BK]\d+) (.+?) \{#", re.MULTILINE)
"""The heading of a rule in the manual: its number and what it is about."""
FIRST_LETTER: Final[dict[str, str]] = {Kind.BLUFF: "B", Kind.LUEGEN_KNIFFEL: "K"}
"""The letter with which the numbers of a game's rules begin."""


@dataclass(frozen=True, slots=True)
class RulingDecision:
    """What an arbiter decides about a game: a verb, and what that verb asks for.

    `line`: the record of a corrected game. The others are those of a `Ruling`.
    """

    verb: Ruling.Verb
    seat: int | None = None
    points: int | None = None
    ranks: tuple[int, ...] | None = None
    round_number: int | None = None
    line: bytes | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What a ruling states beside the decision: the facts found, the number of the rule (empty for
    none), the reason, the seats to which the arbiter is close, and whether its public page names
    the players."""

    findings: str
    reason: str
    rule: str = ""
    close_to: tuple[int, ...] = ()
    named: bool = False


class RuleHeading(NamedTuple):
    """A rule of the rule book: its number, and what it is about."""

    number: str
    title: str


@cache
def rule_headings(kind: str, language: str) -> tuple[RuleHeading, ...]:
    """Return the rules of a kind of game as the manual's page of rules lists them in a language."""
    folder = settings.BASE_DIR / "templates" / "docs"
    page = folder / f"rules.{language}.md"
    text = (page if page.exists() else folder / "rules.md").read_text(encoding="utf-8")
    letter = FIRST_LETTER[kind]
    headings = [RuleHeading(*match.groups()) for match in HEADING.finditer(text)]
    return tuple(heading for heading in headings if heading.number.startswith(letter))
