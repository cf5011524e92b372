"""Why a round was drawn as it was: its cost, and a sentence for each criterion."""

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
    "out": gettext_lazy("points above the last player, for those sitting out"),
    "spread": gettext_lazy("spread of the points at the tables"),
    "floats": gettext_lazy("moved up or down twice running"),
    "opens": gettext_lazy("uneven first turns"),
    "seats": gettext_lazy("uneven seats"),
}
"""The label of each criterion of a draw."""


class CostLine(NamedTuple):
    """A criterion: its label, its cost, and the least possible cost, if that is known."""

    label: str
    cost: int
    bound: int | None


def names_of(facts: StageFacts) -> dict[str, str]:
    """Return the names of a stage's members, by the ids used in its draws."""
    return {member.entry_id: member.name for member in facts.members.values()}


def numbers_of(facts: StageFacts) -> dict[str, Message]:
    """Return the names of the tables of a stage's bracket as parts of sentences, by the labels used
    in its draws."""
    return {
        table.label: numbered_table(table.sign, table.round_number)
        for table in facts.tables
        if table.label
    }


def named(sentence: str, names: Mapping[str, str]) -> str:
    """Return a sentence with names in the place of ids."""
    return ID.sub(lambda match: names.get(match[0], match[0]), sentence)


class DrawCost(NamedTuple):
    """The cost of a draw, line by line, the most important criterion first. `price`: how many
    meetings again, now and in later rounds, are the price of taking turns at short tables; 0 if
    there is none or the setting is off."""

    lines: list[CostLine]
    price: int


def draw_cost(input_text: str, answer: str) -> DrawCost:
    """Return the cost of a draw, from its stored input and answer; no lines for a knock-out, which
    has no choice."""
    draw_answer = json.loads(answer)
    names = criteria(meetings_first=json.loads(input_text).get("meetings_first", False))
    cost = draw_answer.get("cost", {})
    bound = draw_answer.get("bound", {})
    lines = [
        CostLine(str(CRITERIA[name]), cost[name], bound.get(name)) for name in names if name in cost
    ]
    return DrawCost(lines, draw_answer.get("price", 0))


class Reasons(NamedTuple):
    """The reasons of a draw: the sentences for each table, and a text for each player who
    sits out."""

    tables: list[list[str]]
    byes: list[str]


def reasons(
    input_text: str,
    answer: str,
    tables: Sequence[tuple[str, ...]],
    names: Mapping[str, str],
    numbers: Mapping[str, Message],
    bye_ids: tuple[str, ...] = (),
    *,
    by_hand: bool,
) -> Reasons:
    """Return the reasons of a draw in the reader's language, from its stored input and answer.

    `names`: the names of entries by their ids; `numbers`: the names of a bracket's tables, by their
    labels; `bye_ids`: the entries that sit out, none in a knock-out; `by_hand`: the draw was
    changed.
    """
    draw_input = read_draw(input_text)
    if not isinstance(draw_input, DrawInput):
        messages_by_table = _bracket_reasons(input_text, answer, tables, numbers)
        return Reasons([_sentences(messages, names) for messages in messages_by_table], [])

    met = meetings(draw_input)
    reasons_against: Sequence[Sequence[Message]] = [()] * len(bye_ids)
    if not by_hand:
        # The players who sit out are numbered after the tables.
        bye_numbers = range(len(tables), len(tables) + len(bye_ids))
        reasons_against = why_not(draw_input, tables, bye_ids, bye_numbers, met)
    byes = [
        " ".join(_sentences([reason, *against_exchange], names))
        for reason, against_exchange in zip(
            why_out(draw_input, bye_ids), reasons_against, strict=True
        )
    ]
    table_messages = why(draw_input, tables, met, by_hand=by_hand)
    return Reasons([_sentences(messages, names) for messages in table_messages], byes)


class TableReasons(NamedTuple):
    """The reasons why a table was drawn as it is, and the reasons against exchanging its
    players."""

    why: list[str]
    why_not: list[str]


def table_reasons(
    input_text: str,
    answer: str,
    tables: Sequence[tuple[str, ...]],
    table_index: int,
    names: Mapping[str, str],
    numbers: Mapping[str, Message],
    bye_ids: tuple[str, ...],
    *,
    by_hand: bool,
) -> TableReasons:
    """Return the reasons for one table of a round (`table_index` from 0), and the reasons against
    exchanging its players with others. There are no reasons against in draws changed by hand, and
    in a knock-out, whose bracket says who meets whom.

    `names`: the names of entries by their ids; `numbers`: the names of a bracket's tables, by their
    labels.
    """
    draw_input = read_draw(input_text)
    if not isinstance(draw_input, DrawInput):
        (sources,) = _bracket_reasons(input_text, answer, [tables[table_index]], numbers)
        return TableReasons(_sentences(sources, names), [])

    met = meetings(draw_input)
    (sentences,) = why(draw_input, [tables[table_index]], met, by_hand=by_hand)
    if by_hand:
        return TableReasons(_sentences(sentences, names), [])
    (reasons_against,) = why_not(draw_input, tables, bye_ids, [table_index], met)
    return TableReasons(_sentences(sentences, names), _sentences(reasons_against, names))


def _sentences(messages: Sequence[Message], names: Mapping[str, str]) -> list[str]:
    return [named(message.translated(gettext), names) for message in messages]


def plan_version(answer: str) -> int:
    """Return the version of the bracket's plan from the stored answer of a draw."""
    return int(json.loads(answer)["version"])


def _bracket_reasons(
    input_text: str, answer: str, tables: Sequence[tuple[str, ...]], numbers: Mapping[str, Message]
) -> list[Sequence[Message]]:
    """Return the reasons for each table; none if the bracket can't be computed any more."""
    bracket = read_bracket(json.loads(input_text), plan_version(answer))
    if isinstance(bracket, Illegal):
        return [()] * len(tables)
    next_round = bracket_round(bracket)
    if isinstance(next_round, Illegal):
        return [()] * len(tables)
    reasons_by_players = {
        frozenset(table.ids): [numbered(sentence, numbers) for sentence in table.why]
        for table in next_round.tables
    }
    return [reasons_by_players.get(frozenset(ids), ()) for ids in tables]
