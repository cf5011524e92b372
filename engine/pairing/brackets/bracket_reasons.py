"""Why somebody has a place in a knock-out, and why of two neighbours the one is ahead: in sentences
for players."""

from collections.abc import Mapping
from typing import Final

from engine.messages import Message, say
from engine.pairing.brackets.bracket import BracketPlace

NAMES: Final[Mapping[str, Message]] = {
    "final": say("final"),
    "reset": say("second final"),
    "third": say("third place"),
}
"""What players call the tables of a bracket that have a name; the others go by their labels."""

LABELLED: Final = "table {label}"
"""The template of a table that goes by its label."""


def explain_place(place: BracketPlace, names: Mapping[str, str], *, over: bool) -> Message:
    """Tell how somebody came to the place; `names` by participant's id; `over`: whether the
    knock-out is.

    Who isn't out yet may have withdrawn all the same: only a table puts somebody out.
    """
    name = names.get(place.player_id, place.player_id)
    if place.out is not None:
        return say(
            "{name} went out ({table}): place {place}",
            name=name,
            table=_table(place.out),
            place=place.place,
        )
    return (
        say("{name} has won the knock-out", name=name)
        if over
        else say("{name} has not gone out yet", name=name)
    )


def between_places(above: BracketPlace, below: BracketPlace, names: Mapping[str, str]) -> Message:
    """Tell why of two neighbours in a knock-out the one is ahead of the other, or why both share
    the place."""
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
        return say("{below} went out ({table}), {above} did not", **values, table=_table(below.out))
    if above.decided == below.decided:
        return say(
            "{above} finished ahead of {below} ({table})", **values, table=_table(below.decided)
        )
    values |= {"first": _table(above.out), "second": _table(below.out)}
    if _round(above.out) == _round(below.out):
        return say(
            "{above} went out with a better place ({first}) than {below} ({second})", **values
        )
    return say("{above} went out later ({first}) than {below} ({second})", **values)


def numbered_table(number: int, round_number: int) -> Message:
    """A table in a sentence where tables go by their numbers in a round."""
    return say("table {number} of round {round}", number=number, round=round_number)


def numbered(sentence: Message, tables: Mapping[str, Message]) -> Message:
    """A sentence about a knock-out in which tables go by other words than their labels, which
    `tables` has by label."""
    if sentence.template == LABELLED:
        return tables.get(str(sentence.values["label"]), sentence)
    values: dict[str, object] = {}
    for name, value in sentence.values.items():
        if isinstance(value, Message):
            values[name] = numbered(value, tables)
        else:
            values[name] = tables.get(str(value), value) if name == "table" else value
    return Message.of(sentence.template, values)


def _round(label: str | None) -> str:
    """The side and the round of a table, by its label: `W1` of `W1.2`."""
    return (label or "").partition(".")[0]


def _table(label: str | None) -> Message:
    """A table of a bracket in a sentence."""
    return NAMES.get(label or "", say("table {label}", label=label))
