"""The sentences about two players whom a tie-break separates, and its figures as text.

Each sentence takes the names of the player above and the one below, and their separation.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Final, cast

from engine.messages import Message, say
from engine.scoring.stage.separation import Separation
from engine.scoring.stage.tie_breaks import NOWHERE, Figure
from engine.scoring.wording import listed, written

LOT_DIGITS: Final = 8
"""How many of a lot's 64 hexadecimal digits are shown."""


def number_text(figure: Figure) -> str:
    """Return a whole number or a fraction, as in `5/6`."""
    return written(Fraction(cast("Fraction", figure)))


def wins_text(figure: Figure) -> str:
    """Return wins with the places after them, as in `3–1–0`: three times first, once second."""
    places = cast("tuple[int, ...]", figure)
    last = max((place for place, times in enumerate(places, start=1) if times), default=1)
    return "–".join(map(str, places[:last]))


def place_text(figure: Figure) -> str:
    """Return a place, which is kept as a negative number so that the first is the largest."""
    return str(-cast("int", figure))


def lot_text(figure: Figure) -> str:
    """Return the beginning of a lot in hexadecimal digits."""
    return f"{figure:064x}"[:LOT_DIGITS]


def head_to_head(above: str, below: str, separation: Separation) -> Message:
    if separation.met and separation.met[0].free:
        tables = listed([str(meeting.round_number) for meeting in separation.met])
        return say(
            "they met at table {tables}, and overall {above} finished ahead",
            tables=tables,
            above=above,
        )
    if len(separation.met) == 1:
        return say(
            "they met in round {round}, and {above} finished ahead",
            round=separation.met[0].round_number,
            above=above,
        )
    if separation.met:
        rounds = listed([str(meeting.round_number) for meeting in separation.met])
        return say(
            "they met in rounds {rounds}, and {above} finished ahead more often",
            rounds=rounds,
            above=above,
        )
    return say(
        "{names} have all met; counting 2 for finishing ahead and 1 for a shared place, {above} "
        "has {more}, {below} {less}",
        names=listed(separation.among),
        **_values(number_text, above, below, separation),
    )


def wins(above: str, below: str, separation: Separation) -> Message:
    """Say how often each of the two players had the best place that they didn't reach equally
    often."""
    above_counts = cast("tuple[int, ...]", separation.above)
    below_counts = cast("tuple[int, ...]", separation.below)
    pairs = zip(above_counts, below_counts, strict=True)
    place, (more, less) = next(
        (place, pair) for place, pair in enumerate(pairs, 1) if pair[0] != pair[1]
    )
    if place == 1:
        return say(
            "{above} won more games: {more}, {below} {less}",
            above=above,
            below=below,
            more=more,
            less=less,
        )
    return say(
        "{above} had place {place} in more games: {more}, {below} {less}",
        above=above,
        below=below,
        place=place,
        more=more,
        less=less,
    )


def games_won(above: str, below: str, separation: Separation) -> Message:
    return say(
        "{above} won more games: {more}, {below} {less}",
        **_values(number_text, above, below, separation),
    )


def points_share(above: str, below: str, separation: Separation) -> Message:
    return say(
        "{above} has the larger share of the points available: {more}, {below} {less}",
        **_values(number_text, above, below, separation),
    )


def opponents_score(above: str, below: str, separation: Separation) -> Message:
    return say(
        "the opponents of {above} have the higher score: {more}, those of {below} {less}",
        **_values(number_text, above, below, separation),
    )


def last_table(above: str, below: str, separation: Separation) -> Message:
    if separation.below == NOWHERE:
        return say(
            "{above} sat at a table in the last round, {below} did not", above=above, below=below
        )
    return say(
        "at the last round’s table {above} had place {more}, {below} {less}",
        **_values(place_text, above, below, separation),
    )


def best_game(above: str, below: str, separation: Separation) -> Message:
    return say(
        "the best game of {above} scored {more}, that of {below} {less}",
        **_values(number_text, above, below, separation),
    )


def seeding(above: str, below: str, separation: Separation) -> Message:
    if separation.below == NOWHERE:
        return say("{above} is in the starting list, {below} is not", above=above, below=below)
    return say(
        "in the starting list {above} has number {more}, {below} {less}",
        **_values(place_text, above, below, separation),
    )


def lots(above: str, below: str, separation: Separation) -> Message:
    return say(
        "the lots were drawn: {above} {more}, {below} {less}",
        **_values(lot_text, above, below, separation),
    )


def _values(
    figure_text: Callable[[Figure], str], above: str, below: str, separation: Separation
) -> dict[str, str]:
    return {
        "above": above,
        "below": below,
        "more": figure_text(separation.above),
        "less": figure_text(separation.below),
    }
