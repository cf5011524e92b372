"""Sentences for players: the reasons for a row's place, and for the order of two neighbours."""

from fractions import Fraction

from engine.messages import Message, say
from engine.scoring.stage.ranking import StageRow
from engine.scoring.stage.registry import TIE_BREAKS
from engine.scoring.stage.results import PARTS
from engine.scoring.stage.rules import StageRules
from engine.scoring.stage.scorebook import RoundScore
from engine.scoring.stage.table_points import counted_size
from engine.scoring.stage.tie_breaks import NOWHERE
from engine.scoring.wording import counted, listed, written


def explain_row(row: StageRow) -> tuple[Message, ...]:
    """Explain the rank and the points of a row: the sum, each round, and each tie-break."""
    name = row.participant.name
    points = counted(row.points)
    sentences = [
        say("{name} has {points} and rank {rank}", name=name, points=points, rank=row.rank)
    ]
    if row.participant.carried:
        sentences.append(
            say("carried over from before: {points}", points=counted(row.participant.carried))
        )
    for score in row.record:
        sentences.append(_round_in_words(score, row.rules))
        if score.unknown and score.place is not None:
            sentences.append(_partly_known(score, row.rules))
        if score.penalty:
            sentences.append(_penalty(score, row.rules))
    if row.participant.withdrawn:
        sentences.append(say("{name} has withdrawn", name=name))
    for by, figure in row.figures.items():
        if figure is not None and figure != NOWHERE:
            tie_break = TIE_BREAKS[by]
            sentences.append(
                say(
                    "{tie_break}: {figure}",
                    tie_break=tie_break.label,
                    figure=tie_break.figure_text(figure),
                )
            )
    return tuple(sentences)


def _round_in_words(score: RoundScore, rules: StageRules) -> Message:
    points = counted(Fraction(score.score, PARTS))
    size = counted_size(rules, score.seats)
    if rules.free:
        return _free_table_in_words(score, size, points)
    if not score.seats:
        return say("round {round}: a bye, {points}", round=score.round_number, points=points)
    if score.place is None and score.unknown:
        return say("round {round}: over, but its points aren’t known yet", round=score.round_number)
    if score.place is None:
        return say("round {round}: not over yet", round=score.round_number)
    if score.seats == size:
        return say(
            "round {round}: place {place} of {seats}, {points}",
            round=score.round_number,
            place=score.place,
            seats=score.seats,
            points=points,
        )
    return say(
        "round {round}: place {place} of {seats}, counted as if at a table of {size}: {points}",
        round=score.round_number,
        place=score.place,
        seats=score.seats,
        size=size,
        points=points,
    )


def _free_table_in_words(score: RoundScore, size: int, points: Message) -> Message:
    if score.place is None and score.unknown:
        return say("table {table}: over, but its points aren’t known yet", table=score.round_number)
    if score.place is None:
        return say("table {table}: not over yet", table=score.round_number)
    finish = {
        "table": score.round_number,
        "place": score.place,
        "seats": score.seats,
        "points": points,
    }
    if score.seats == size:
        return say("table {table}: place {place} of {seats}, {points}", **finish)
    return say(
        "table {table}: place {place} of {seats}, counted as if at a table of {size}: {points}",
        size=size,
        **finish,
    )


def level_with(above: StageRow, below: StageRow) -> Message | None:
    """Return in short what separates two rows with the same points; None if their points
    differ."""
    if above.score != below.score:
        return None
    if below.separation is None or below.separation.by is None:
        return say("level with {above}", above=above.participant.name)
    tie_break = TIE_BREAKS[below.separation.by].label
    return say(
        "level with {above}, decided by: {tie_break}",
        above=above.participant.name,
        tie_break=tie_break,
    )


def _partly_known(score: RoundScore, rules: StageRules) -> Message:
    if rules.free:
        return say(
            "table {table}: games whose points aren’t known yet: {count}",
            table=score.round_number,
            count=score.unknown,
        )
    return say(
        "round {round}: games whose points aren’t known yet: {count}",
        round=score.round_number,
        count=score.unknown,
    )


def _penalty(score: RoundScore, rules: StageRules) -> Message:
    points = counted(Fraction(-score.penalty, PARTS))
    if rules.free:
        return say("table {table}: a penalty, {points}", table=score.round_number, points=points)
    return say("round {round}: a penalty, {points}", round=score.round_number, points=points)


def between(above: StageRow, below: StageRow) -> Message:
    """Explain the order of two neighbours in a ranking, or why they share the rank.

    If points of one of them aren't known yet, the sentence also says that the order can change.
    """
    reason = _between(above, below)
    if above.unknown or below.unknown:
        return say("{reason}; this can change, as not all points are known yet", reason=reason)
    return reason


def _between(above: StageRow, below: StageRow) -> Message:
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
    tie_breaks = list(below.figures)
    level_by = tie_breaks[: tie_breaks.index(separation.by)]
    reason = TIE_BREAKS[separation.by].sentence(
        above.participant.name, below.participant.name, separation
    )
    values = {
        "above": above.participant.name,
        "below": below.participant.name,
        "points": counted(below.points),
    }
    if not level_by:
        return say("{above} and {below} have {points}; {reason}", **values, reason=reason)
    return say(
        "{above} and {below} have {points}; not separated by: {level}; {reason}",
        **values,
        level=listed([TIE_BREAKS[tie_break].label for tie_break in level_by]),
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
