"""Linking players to accounts, and merging them. Every ranking with a game of theirs is rebuilt."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext

from games.models import Seat
from league.core.account.models import User
from league.core.claim.models import ClaimCode
from league.core.claim.services import claims_end
from league.core.jobs import call_on_commit
from league.core.log.services import Actor, club_journal
from league.core.player.actions import PlayerAction
from league.core.player.models import PLAYER, Handle, Player
from league.core.player.queries.player import one_person
from league.core.player.services.merge import players_merge, players_part
from league.core.player.services.player import refuse_erased
from league.standings.ranked_game.queries.seats import games_counting_for
from league.standings.ranking.services.rebuild import rebuild_ask
from league.standings.season.models import Season
from league.standings.season.queries.season import rankings_of
from league.standings.style.services import styles_restart


def player_link(*, player: Player, account: User | None, actor: Actor) -> bool:
    """Link a player to an account, or unlink them if it is None; return False if nothing changed.
    Claims of the player, and of players merged into them, end.

    Raise `ValidationError` for an account of another player of the club, and for an erased
    player."""
    with club_journal(player.club_id, actor, alone=True) as journal:
        row = Player.objects.select_related("user").get(pk=player.pk)
        if row.user == account:
            return False
        if account is not None:
            refuse_erased(row)
            _refuse_linked_account(row, account)
        merged = row.merged.values_list("pk", flat=True)
        claims_end(journal, [player.pk, *merged])
        Player.objects.filter(pk=player.pk).update(user=account)
        ClaimCode.objects.filter(player__in=[player.pk, *merged]).delete()
        payload = {
            "before": row.user and row.user.public_id,
            "after": account and account.public_id,
        }
        journal.add(PlayerAction.LINKED, player.public_id, payload)
        journal.state(PLAYER, [player], ["account"])
    player.refresh_from_db()
    return True


def player_merge(*, kept_player: Player, merged: Player, actor: Actor) -> None:
    """Merge a player into another one of the club, whose row then has the games of both.

    Raise `Refused`, `ValidationError` for a reason that contains a name, and `Busy` while games of
    the club are being entered or analysed."""
    with club_journal(kept_player.club_id, actor) as journal:
        players_merge(journal, kept_player, merged)
        _rebuild_rankings_of(merged)
    kept_player.refresh_from_db()
    merged.refresh_from_db()


def player_part(*, merged: Player, actor: Actor) -> None:
    """Undo the merge of a player completely. Raise `Refused` if the player isn't merged, and `Busy`
    while games of the club are being entered or analysed."""
    with club_journal(merged.club_id, actor) as journal:
        players_part(journal, merged)
        _rebuild_rankings_of(merged)
    merged.refresh_from_db()


def _rebuild_rankings_of(player: Player) -> None:
    """Request a rebuild of every ranking that counts, or will count, a game in which the player
    sat or somebody else sat for them."""
    person = one_person(Player.objects.get(pk=player.pk))
    handles = Handle.objects.filter(player__in=person).values(lower=Lower("handle"))
    seats = Seat.objects.annotate(lower=Lower("handle")).filter(
        game__source=player.club.source, lower__in=handles
    )
    has_game = Q(season_games__game__in=seats.values("game"))
    for games in games_counting_for([member.pk for member in person]):
        has_game |= Q(season_games__game__in=games)
    seasons = Season.objects.filter(has_game, club=player.club_id)
    rankings: set[int] = set()
    for season in seasons.distinct():
        rankings.update(rankings_of(season))
    for ranking_id in sorted(rankings):
        rebuild_ask(ranking_id)
        styles_restart(ranking_id)
        call_on_commit("standings.ranking.tasks.read_styles", ranking_id)


def _refuse_linked_account(player: Player, account: User) -> None:
    linked_player = (
        Player.objects.filter(club=player.club_id, user=account).exclude(pk=player.pk).first()
    )
    if linked_player is not None:
        raise ValidationError(
            {
                "account": gettext(
                    "This account is linked to the player %(handle)s. Unlink it there first, or "
                    "merge the two if they’re the same person."
                )
                % {"handle": linked_player.handle}
            }
        )
