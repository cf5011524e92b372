"""Adjusting a game in a transaction, and carrying its adjustments over to a correction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.models import Game
from games.queries.void import game_void
from league.core.jobs import call_on_commit
from league.core.log.services import Actor, Journal, club_journal
from league.records.game.services import sealing_hold
from league.stages.adjustment.queries import ending_played, players_seated
from league.stages.result.services.result import adjustment_follows, result_hold
from league.stages.table.queries.table import acting_role_at
from league.standings.adjustment.models import PENALTY, SET_ORDER, Penalty, SetOrder
from league.standings.adjustment.queries import standing_order, standing_penalties
from league.standings.season.models import SeasonGame
from league.standings.season.queries.season import rankings_of

UNADJUSTABLE: Final[dict[str, Message]] = {
    "conflict": say("this game was corrected: rule on its newest revision instead"),
    "voided": say("this game is void and doesn't count: restore it first"),
    "not_over": say("this game isn't over yet"),
}


@contextmanager
def adjusting(game: Game, actor: Actor, role: str) -> Iterator[tuple[Journal, str]]:
    """Yield the journal and the actor's role in a transaction that adjusts a game. The role is
    `role`, or the actor's role in the club or at the event if that is empty.

    The game is locked meanwhile; afterwards its table and its rankings are updated.
    """
    season = (
        SeasonGame.objects.select_related("season__ranking", "season__club").get(game=game).season
    )
    with club_journal(season.club_id, actor) as journal:
        table_game = result_hold(game=game)
        sealing_hold(journal)
        yield journal, role or acting_role_at(season.club_id, table_game, actor.account_id)
        if table_game is not None:
            adjustment_follows(table_game=table_game)
        for ranking_id in rankings_of(season):
            call_on_commit("standings.ranking.tasks.count_ranking", ranking_id)


def refuse_unadjustable(game: Game) -> None:
    """Raise `Refused` (`conflict`, `voided`, `not_over`) if nothing can be adjusted in a game."""
    code = ""
    if Game.objects.filter(replaces=game).exists():
        code = "conflict"
    elif game_void(game) is not None:
        code = "voided"
    elif ending_played(game).rank is None:
        code = "not_over"
    if code:
        raise Refused(Illegal(code, UNADJUSTABLE[code]))


def adjustments_follow(*, journal: Journal, game: Game, replaces: Game) -> None:
    """Carry the adjustments of a game over to its correction, in the transaction that corrects it,
    after its log entry.

    A penalty moves with its player, and lapses if they no longer sit there. A set order is kept if
    the same players have the same seats and the corrected game is over.
    """
    before = players_seated(journal.club_id, replaces)
    after = players_seated(journal.club_id, game)
    is_over = ending_played(game).rank is not None
    penalties: list[Penalty] = []
    if is_over:
        penalties = _carry_penalties(journal, game, replaces, before, after)
    journal.state(PENALTY, penalties)

    order = standing_order(replaces)
    if order is not None and is_over and before == after:
        journal.state(SET_ORDER, [_carry_order(journal, game, order)])


def _carry_penalties(
    journal: Journal,
    game: Game,
    replaces: Game,
    players_before: Sequence[int | None],
    players_after: Sequence[int | None],
) -> list[Penalty]:
    carried: list[Penalty] = []
    for penalty in standing_penalties(replaces):
        player = players_before[penalty.seat]
        if player not in players_after:
            continue
        carried.append(
            Penalty.objects.create(
                game=game,
                number=1 + len(carried),
                seat=players_after.index(player),
                points=penalty.points,
                follows=penalty,
                role=penalty.role,
                made_at=journal.at,
                made_by_id=penalty.made_by_id,
            )
        )
    return carried


def _carry_order(journal: Journal, game: Game, order: SetOrder) -> SetOrder:
    return SetOrder.objects.create(
        game=game,
        number=1,
        ranks=order.ranks,
        follows_id=order.game_id,
        role=order.role,
        made_at=journal.at,
        made_by_id=order.made_by_id,
    )
