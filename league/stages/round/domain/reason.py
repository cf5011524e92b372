"""Why a round was drawn as it was: what it cost, and a sentence for each criterion, with people's
names."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext, gettext_lazy

from engine.illegal import Illegal
from engine.messages import Message
from engine.pairing.brackets.bracket import bracket_round
from engine.pairing.brackets.bracket_file import read_bracket
from engine.pairing.brackets.bracket_reasons import numbered, numbered_table
from engine.pairing.cost import criteria, meetings
from engine.pairing.draw_file import read_draw
from engine.pairing.draw_input import DrawInput
from engine.pairing.why import why, why_out
from engine.pairing.why_not import why_not
from games.models.public_id import ALPHABET, LENGTH
from league.stages.stage.domain.facts import StageFacts

ID: Final = re.compile(f"[{ALPHABET}]{{{LENGTH}}}")
CRITERIA: Final = {
    "byes": gettext_lazy("sits out more often than others"),
    "short": gettext_lazy("sits at a short table more often than others"),
    "must": gettext_lazy("pairs that must stay apart"),
    "repeats": gettext_lazy("pairs that meet again, now or in the rounds to come"),
    "apart": gettext_lazy("pairs that wished to stay apart"),
    "out": gettext_lazy("points above the last, of those who sit out"),
    "spread": gettext_lazy("spread of the points at the tables"),
    "floats": gettext_lazy("moved up or down twice running"),
    "opens": gettext_lazy("uneven first turns"),
    "seats": gettext_lazy("uneven seats"),
}
"""What each criterion of a draw counts."""


class CostLine(NamedTuple):
    """One criterion: what it is, what it costs, and the least that it can cost where that is
    known."""

    label: str
    cost: int
    bound: int | None


def names_of(facts: StageFacts) -> dict[str, str]:
    """The names of those in a stage, by the ids that stand in its draws."""
    return {member.entry_id: member.name for member in facts.members.values()}


def numbers_of(facts: StageFacts) -> dict[str, Message]:
    """What the tables of a stage's bracket are called in a sentence, by the labels that they have
    in draws."""
    return {
        table.label: numbered_table(table.sign, table.round_number)
        for table in facts.tables
        if table.label
    }


def named(sentence: str, names: Mapping[str, str]) -> str:
    """A sentence with the names of those whose ids stand in it."""
    return ID.sub(lambda match: names.get(match[0], match[0]), sentence)


class DrawCost(NamedTuple):
    """What a draw cost, line by line in the order in which it counts. `price`: how many meetings
    again it costs that short tables are taken in turn, now and in the rounds to come; 0 where it
    costs none, or that wasn't asked."""

    lines: list[CostLine]
    price: int


def draw_cost(text: str, answer: str) -> DrawCost:
    """Return what a draw cost, by its input and its answer as they are stored; no line for a
    knock-out, which has no choice."""
    answered, names = (
        json.loads(answer),
        criteria(meetings_first=json.loads(text).get("meetings_first", False)),
    )
    cost, bound = answered.get("cost", {}), answered.get("bound", {})
    lines = [
        CostLine(str(CRITERIA[name]), cost[name], bound.get(name)) for name in names if name in cost
    ]
    return DrawCost(lines, answered.get("price", 0))


class Reasons(NamedTuple):
    """Why a round was drawn as it was: the sentences of each table, and a text for each of those
    who sit out."""

    tables: list[list[str]]
    byes: list[str]


def reasons(
    text: str,
    answer: str,
    tables: Sequence[tuple[str, ...]],
    names: Mapping[str, str],
    numbers: Mapping[str, Message],
    bye: tuple[str, ...] = (),
    *,
    by_hand: bool,
) -> Reasons:
    """Return the reasons in the reader's language, from the draw's input and answer as stored.

    `numbers`: what the tables of a bracket are called, by their labels. `by_hand`: whether the draw
    was changed. Nobody sits out in a knock-out."""
    draw_input = read_draw(text)
    if not isinstance(draw_input, DrawInput):
        return Reasons(
            [
                _sentences(messages, names)
                for messages in _bracket_reasons(text, answer, tables, numbers)
            ],
            [],
        )
    met, numbers_out = meetings(draw_input), range(len(tables), len(tables) + len(bye))
    against = [()] * len(bye) if by_hand else why_not(draw_input, tables, bye, numbers_out, met)
    return Reasons(
        [_sentences(messages, names) for messages in why(draw_input, tables, met, by_hand=by_hand)],
        [
            " ".join(_sentences([sentence, *messages], names))
            for sentence, messages in zip(why_out(draw_input, bye), against, strict=True)
        ],
    )


class TableReasons(NamedTuple):
    """Why a table is what it is, and why it is not otherwise."""

    why: list[str]
    why_not: list[str]


def table_reasons(
    text: str,
    answer: str,
    tables: Sequence[tuple[str, ...]],
    number: int,
    names: Mapping[str, str],
    numbers: Mapping[str, Message],
    bye: tuple[str, ...],
    *,
    by_hand: bool,
) -> TableReasons:
    """The reasons for one table of a round, `number` counted from 0, as `reasons` has them, and
    what spoke against exchanges with it; nothing of that where the draw was changed, nor for a
    knock-out, whose bracket says who meets whom."""
    draw_input = read_draw(text)
    if not isinstance(draw_input, DrawInput):
        (sources,) = _bracket_reasons(text, answer, [tables[number]], numbers)
        return TableReasons(_sentences(sources, names), [])
    met = meetings(draw_input)
    (sentences,) = why(draw_input, [tables[number]], met, by_hand=by_hand)
    (against,) = [()] if by_hand else why_not(draw_input, tables, bye, [number], met)
    return TableReasons(_sentences(sentences, names), _sentences(against, names))


def _sentences(messages: Sequence[Message], names: Mapping[str, str]) -> list[str]:
    return [named(message.translated(gettext), names) for message in messages]


def plan_version(answer: str) -> int:
    """Return the version of the plan by which a round of a knock-out was drawn, from its answer as
    it is stored."""
    return int(json.loads(answer)["version"])


def _bracket_reasons(
    text: str, answer: str, tables: Sequence[tuple[str, ...]], numbers: Mapping[str, Message]
) -> list[Sequence[Message]]:
    """From where those at each table of a knock-out came."""
    bracket = read_bracket(json.loads(text), plan_version(answer))
    next_round = bracket if isinstance(bracket, Illegal) else bracket_round(bracket)
    if isinstance(next_round, Illegal):
        return [()] * len(tables)
    by_people = {
        frozenset(table.ids): [numbered(sentence, numbers) for sentence in table.why]
        for table in next_round.tables
    }
    return [by_people.get(frozenset(ids), ()) for ids in tables]
