"""Why a row stands where it stands, and why every two neighbours stand in this order: in sentences for players."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final, cast

from engine.messages import Message, say
from engine.scoring.stage.ranking import Separation, StageRow
from engine.scoring.stage.results import PARTS
from engine.scoring.stage.rules import StageTieBreak
from engine.scoring.stage.scorebook import RoundScore
from engine.scoring.stage.tie_breaks import NOWHERE, Figure
from engine.scoring.wording import counted, listed, written

NAMES: Final[Mapping[StageTieBreak, Message]] = {
    StageTieBreak.HEAD_TO_HEAD: say("head-to-head"),
    StageTieBreak.WINS: say("wins and places"),
    StageTieBreak.POINTS_SHARE: say("share of the points"),
    StageTieBreak.OPPONENTS_SCORE: say("opponents’ score"),
    StageTieBreak.LAST_TABLE: say("place at the last table"),
    StageTieBreak.BEST_GAME: say("best game"),
    StageTieBreak.SEEDING: say("seeding"),
    StageTieBreak.LOTS: say("lots"),
}
"""The tie-breaks as players call them."""
LOT_DIGITS: Final = 8
"""So many hexadecimal digits of a lot, of 64, are shown."""


def figure_text(tie_break: StageTieBreak, figure: Figure | None) -> str:
    """The figure of a tie-break as a table shows it; a dash where there is none.

    Wins are written with the places after them, as in `3–1–0`: three times first, once second; a lot by its beginning.
    """
    if figure is None or figure == NOWHERE:
        return "–"
    match tie_break:
        case StageTieBreak.WINS:
            places = cast("tuple[int, ...]", figure)
            last = max((place for place, times in enumerate(places, start=1) if times), default=1)
            return "–".join(map(str, places[:last]))
        case StageTieBreak.LAST_TABLE | StageTieBreak.SEEDING:
            return str(-cast("int", figure))
        case StageTieBreak.LOTS:
            return f"{figure:064x}"[:LOT_DIGITS]
    return written(Fraction(cast("Fraction", figure)))


def explain_row(row: StageRow) -> tuple[Message, ...]:
    """What the rank and the points of a row are made of: the sum, each round, and the figure of each tie-break."""
    name, points = row.participant.name, counted(row.points)
    sentences = [say("{name} has {points} and rank {rank}", name=name, points=points, rank=row.rank)]
    if row.participant.carried:
        sentences.append(say("carried over from before: {points}", points=counted(row.participant.carried)))
    sentences += [_round(score, row.rules.size) for score in row.record]
    if row.participant.withdrawn:
        sentences.append(say("{name} has withdrawn", name=name))
    for tie_break, figure in row.figures.items():
        if figure is not None and figure != NOWHERE:
            sentences.append(
                say("{tie_break}: {figure}", tie_break=NAMES[tie_break], figure=figure_text(tie_break, figure))
            )
    return tuple(sentences)


def _round(score: RoundScore, size: int) -> Message:
    points = counted(Fraction(score.score, PARTS))
    if not score.seats:
        return say("round {round}: a bye, {points}", round=score.round, points=points)
    if score.place is None:
        return say("round {round}: not over yet", round=score.round)
    if score.seats == size:
        return say(
            "round {round}: place {place} of {seats}, {points}",
            round=score.round,
            place=score.place,
            seats=score.seats,
            points=points,
        )
    return say(
        "round {round}: place {place} of {seats}, counted as at a table of {size}: {points}",
        round=score.round,
        place=score.place,
        seats=score.seats,
        size=size,
        points=points,
    )


def between(above: StageRow, below: StageRow) -> Message:
    """Why of two neighbours in a ranking the one stands above the other, or why both share the rank."""
    separation = below.separation
    if separation is None:
        return _shared(above, below)
    if separation.by is None:
        return say(
            "{above} has {more}, {below} {less}",
            above=above.participant.name,
            below=below.participant.name,
            more=counted(above.points),
            less=written(below.points),
        )
    level = list(below.figures)[: list(below.figures).index(separation.by)]
    reason = REASONS[separation.by](above.participant.name, below.participant.name, separation)
    values = {"above": above.participant.name, "below": below.participant.name, "points": counted(below.points)}
    if not level:
        return say("{above} and {below} have {points}; {reason}", **values, reason=reason)
    return say(
        "{above} and {below} have {points}; not separated by: {level}; {reason}",
        **values,
        level=listed([NAMES[tie_break] for tie_break in level]),
        reason=reason,
    )


def _shared(above: StageRow, below: StageRow) -> Message:
    return say(
        "{above} and {below} have {points}, and no tie-break separates them: both have rank {rank}",
        above=above.participant.name,
        below=below.participant.name,
        points=counted(below.points),
        rank=below.rank,
    )


def _head_to_head(above: str, below: str, separation: Separation) -> Message:
    if len(separation.met) == 1:
        return say("they met in round {round}, and {above} finished ahead", round=separation.met[0].round, above=above)
    if separation.met:
        rounds = listed([str(meeting.round) for meeting in separation.met])
        return say("they met in rounds {rounds}, and {above} finished ahead more often", rounds=rounds, above=above)
    return say(
        "{names} have all met; by 2 for a place ahead and 1 for a shared one {above} has {more}, {below} {less}",
        names=listed(separation.among),
        **_compared(StageTieBreak.HEAD_TO_HEAD, above, below, separation),
    )


def _wins(above: str, below: str, separation: Separation) -> Message:
    """The first place that the two reached unlike often."""
    theirs, own = cast("tuple[int, ...]", separation.above), cast("tuple[int, ...]", separation.below)
    place, more, less = next(
        (place, more, less) for place, (more, less) in enumerate(zip(theirs, own, strict=True), 1) if more != less
    )
    if place == 1:
        return say("{above} won more games: {more}, {below} {less}", above=above, below=below, more=more, less=less)
    return say(
        "{above} had place {place} in more games: {more}, {below} {less}",
        above=above,
        below=below,
        place=place,
        more=more,
        less=less,
    )


def _points_share(above: str, below: str, separation: Separation) -> Message:
    return say(
        "{above} has the larger share of the points within reach: {more}, {below} {less}",
        **_compared(StageTieBreak.POINTS_SHARE, above, below, separation),
    )


def _opponents_score(above: str, below: str, separation: Separation) -> Message:
    return say(
        "the opponents of {above} have the higher score: {more}, those of {below} {less}",
        **_compared(StageTieBreak.OPPONENTS_SCORE, above, below, separation),
    )


def _last_table(above: str, below: str, separation: Separation) -> Message:
    if separation.below == NOWHERE:
        return say("{above} sat at a table in the last round, {below} did not", above=above, below=below)
    return say(
        "at the last round’s table {above} had place {more}, {below} {less}",
        **_compared(StageTieBreak.LAST_TABLE, above, below, separation),
    )


def _best_game(above: str, below: str, separation: Separation) -> Message:
    return say(
        "the best game of {above} brought {more}, that of {below} {less}",
        **_compared(StageTieBreak.BEST_GAME, above, below, separation),
    )


def _seeding(above: str, below: str, separation: Separation) -> Message:
    if separation.below == NOWHERE:
        return say("{above} is in the starting list, {below} is not", above=above, below=below)
    return say(
        "in the starting list {above} has number {more}, {below} {less}",
        **_compared(StageTieBreak.SEEDING, above, below, separation),
    )


def _lots(above: str, below: str, separation: Separation) -> Message:
    return say(
        "the lots were drawn: {above} {more}, {below} {less}",
        **_compared(StageTieBreak.LOTS, above, below, separation),
    )


def _compared(tie_break: StageTieBreak, above: str, below: str, separation: Separation) -> dict[str, str]:
    """The two names and their figures."""
    more, less = figure_text(tie_break, separation.above), figure_text(tie_break, separation.below)
    return {"above": above, "below": below, "more": more, "less": less}


REASONS: Final[Mapping[StageTieBreak, Callable[[str, str, Separation], Message]]] = {
    StageTieBreak.HEAD_TO_HEAD: _head_to_head,
    StageTieBreak.WINS: _wins,
    StageTieBreak.POINTS_SHARE: _points_share,
    StageTieBreak.OPPONENTS_SCORE: _opponents_score,
    StageTieBreak.LAST_TABLE: _last_table,
    StageTieBreak.BEST_GAME: _best_game,
    StageTieBreak.SEEDING: _seeding,
    StageTieBreak.LOTS: _lots,
}
"""What each tie-break says of two whom it separates, by their names."""
