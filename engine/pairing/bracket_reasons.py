"""Why somebody has a place in a knock-out, and why of two neighbours the one is ahead: in sentences for players."""

from collections.abc import Mapping

from engine.messages import Message, say
from engine.pairing.bracket import BracketPlace


def explain_place(place: BracketPlace, names: Mapping[str, str], *, over: bool) -> Message:
    """How somebody came to the place; `names` by participant's id; `over`: whether the knock-out is."""
    name = names.get(place.id, place.id)
    if place.out is not None:
        return say("{name} went out (table {table}): place {place}", name=name, table=place.out, place=place.place)
    return say("{name} has won the knock-out", name=name) if over else say("{name} is still in it", name=name)


def between_places(above: BracketPlace, below: BracketPlace, names: Mapping[str, str]) -> Message:
    """Why of two neighbours in a knock-out the one is ahead of the other, or why both share the place."""
    values = {"above": names.get(above.id, above.id), "below": names.get(below.id, below.id)}
    if above.out is None and below.out is None:
        return say("{above} and {below} are both still in it", **values)
    if above.place == below.place:
        return say("{above} and {below} got equally far: both have place {place}", **values, place=below.place)
    if above.out is None:
        return say("{below} went out (table {table}), {above} did not", **values, table=below.out)
    if above.out == below.out:
        return say("{above} finished ahead of {below} (table {table})", **values, table=below.out)
    return say(
        "{above} went out later (table {first}) than {below} (table {second}), or with a better place",
        **values,
        first=above.out,
        second=below.out,
    )
