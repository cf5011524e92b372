"""Merging two players who are one person, and undoing it. Rankings follow in
`league.standings.player.services`."""

from __future__ import annotations

from typing import Final

from engine.illegal import Illegal, Refused
from engine.messages import say
from league.core import sql
from league.core.locks import Space, transaction_lock_patient
from league.core.log.services import Journal
from league.core.player.actions import PlayerAction
from league.core.player.models import Player
from league.core.player.queries.player import games_together, words_of
from league.core.player.services.player import refuse_named

GAMES_NAMED: Final = 3
"""The most games in which both players sat that a refusal names."""
SETTLE: Final = """
    WITH RECURSIVE way AS (
        SELECT id, same_as_id AS last FROM league_player WHERE club_id = %(club)s AND same_as_id IS NOT NULL
        UNION ALL
        SELECT way.id, player.same_as_id FROM way JOIN league_player player ON player.id = way.last
        WHERE player.same_as_id IS NOT NULL
    )
    UPDATE league_player player SET merged_into_id = way.last
    FROM way JOIN league_player kept ON kept.id = way.last
    WHERE player.id = way.id AND kept.same_as_id IS NULL AND player.merged_into_id IS DISTINCT FROM way.last
"""
"""Sets `merged_into` of a club's merged players: the last of the chain of `same_as`."""


def players_merge(journal: Journal, kept_player: Player, merged_player: Player) -> None:
    """Merge a player into `kept_player`: from now on the games of both count for `kept_player`, and
    all handles of both find it.

    Raise `Refused` if `merge_check` finds a reason against it, and `Busy` while games are being
    entered.
    """
    transaction_lock_patient(Space.PLAYERS, journal.club_id)
    journal.lock()
    kept_player = _read_again(kept_player)
    merged_player = _read_again(merged_player)
    merge_check(kept_player, merged_player)
    refuse_named(journal.actor, words_of([kept_player, merged_player]))
    Player.objects.filter(pk=merged_player.pk).update(same_as=kept_player, merged_into=kept_player)
    sql.execute(SETTLE, {"club": journal.club_id})
    journal.add(PlayerAction.MERGED, merged_player.public_id, {"into": kept_player.public_id})


def players_part(journal: Journal, merged_player: Player) -> None:
    """Undo a merge: the merged player gets back its handles and games, and the players that were
    merged into it.

    Raise `Refused` with `not_merged`, and `Busy` while games are being entered.
    """
    transaction_lock_patient(Space.PLAYERS, journal.club_id)
    journal.lock()
    merged_player = _read_again(merged_player)
    if merged_player.same_as is None:
        raise Refused(
            Illegal(
                "not_merged", say("{handle} isn't merged into anybody", handle=merged_player.handle)
            )
        )
    Player.objects.filter(pk=merged_player.pk).update(same_as=None, merged_into=None)
    sql.execute(SETTLE, {"club": journal.club_id})
    journal.add(
        PlayerAction.PARTED, merged_player.public_id, {"from": merged_player.same_as.public_id}
    )


def merge_check(kept_player: Player, merged_player: Player) -> None:
    """Raise `Refused` if two players can't be merged: `same_player`, `other_club`, `erased`,
    `merged_already` or `sat_together`."""
    if kept_player.pk == merged_player.pk:
        raise Refused(Illegal("same_player", say("this is one player already")))
    if kept_player.club_id != merged_player.club_id:
        raise Refused(Illegal("other_club", say("the players are of different clubs")))
    for player in (kept_player, merged_player):
        if player.erased_at:
            raise Refused(
                Illegal("erased", say("{handle} was erased, and stays apart", handle=player.handle))
            )
        if player.same_as_id:
            raise Refused(
                Illegal(
                    "merged_already",
                    say("{handle} is merged into somebody already", handle=player.handle),
                )
            )
    games = games_together(kept_player, merged_player)
    if games:
        game_names = ", ".join(games[:GAMES_NAMED])
        if len(games) > GAMES_NAMED:
            game_names += " …"
        message = say("both sat in {games}: nobody sits twice at a table", games=game_names)
        raise Refused(Illegal("sat_together", message))


def _read_again(player: Player) -> Player:
    return Player.objects.select_related("club", "same_as").get(pk=player.pk)
