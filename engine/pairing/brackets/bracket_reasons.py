"""Why a player has a place in a knock-out, and why one of two neighbours is ahead, in sentences."""

from collections.abc import Mapping
from typing import Final

from engine.messages import Message, say
from engine.pairing.brackets.bracket import BracketPlace

NAMES: Final[Mapping[str, Message]] = {
    "final": say("final"),
    "reset": say("second final"),
    "third": say("third place"),
}
"""What players call the tables of a bracket that have a name; others go by their labels."""

LABELLED: Final = "table {label}"
"""The template of a table that goes by its label."""


def explain_place(place: BracketPlace, names: Mapping[str, str], *, over: bool) -> Message:
    """Return a sentence that says how a player got this place.

    `names`: the players' names by id. `over`: whether the knock-out is over. A player who is still
    in may have withdrawn: only a table eliminates players."""
    name = names.get(place.player_id, place.player_id)
    if place.out is not None:
        return say(
            "{name} went out ({table}): place {place}",
            name=name,
            table=_table_in_words(place.out),
            place=place.place,
        )
    if over:
        return say("{name} has won the knock-out", name=name)
    return say("{name} has not gone out yet", name=name)


def between_places(above: BracketPlace, below: BracketPlace, names: Mapping[str, str]) -> Message:
    """Return a sentence that says why one of two neighbours in a knock-out is ahead of the other,
    or why both share the place."""
    values: dict[str, object] = {
        "above": names.get(above.player_id, above.player_id),
        "below": names.get(below.player_id, below.player_id),
    }
    if above.out is None and below.out is None:
        return say("neither {above} nor {below} has gone out yet", **values)
    if above.place == below.place:
        return say(
            "{above} and {below} got equally far: both have place {place}",
            **values,
            place=below.place,
        )
    if above.out is None:
        return say(
            "{below} went out ({table}), {above} did not",
            **values,
            table=_table_in_words(below.out),
        )
    if above.decided == below.decided:
        return say(
            "{above} finished ahead of {below} ({table})",
            **values,
            table=_table_in_words(below.decided),
        )
    values |= {"first": _table_in_words(above.out), "second": _table_in_words(below.out)}
    if _side_and_stage(above.out) == _side_and_stage(below.out):
        return say(
            "{above} went out with a better place ({first}) than {below} ({second})", **values
        )
    return say("{above} went out later ({first}) than {below} ({second})", **values)


def numbered_table(number: int, round_number: int) -> Message:
    """Return a table's name for formats whose tables are numbered in each round."""
    return say("table {number} of round {round}", number=number, round=round_number)


def numbered(sentence: Message, tables: Mapping[str, Message]) -> Message:
    """Return a knock-out's sentence with other names for its tables.

    `tables`: the other name of each table by its label."""
    if sentence.template == LABELLED:
        return tables.get(str(sentence.values["label"]), sentence)
    values: dict[str, object] = {}
    for name, value in sentence.values.items():
        if isinstance(value, Message):
            values[name] = numbered(value, tables)
        else:
            values[name] = tables.get(str(value), value) if name == "table" else value
    return Message.of(sentence.template, values)


def _side_and_stage(label: str | None) -> str:
    return (label or "").partition(".")[0]


def _table_in_words(label: str | None) -> Message:
    return NAMES.get(label or "", say("table {label}", label=label))
