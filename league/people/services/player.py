"""Players who turn out to be one, or not to be: every ranking with a game of theirs is computed anew."""

from __future__ import annotations

from django.db.models import Q
from django.db.models.functions import Lower

from games.models import Seat
from league.clubs.models import Handle, Player
from league.clubs.queries.player import one_person
from league.clubs.services.merge import players_merge, players_part
from league.jobs import call_on_commit
from league.log.services import Actor, club_journal
from league.rankings.seats import games_counting_for
from league.rankings.services.rebuild import rebuild_ask
from league.rankings.services.style import styles_restart
from league.seasons.models import Season
from league.seasons.queries.ranking import rankings_of


def player_merge(*, kept_player: Player, merged: Player, actor: Actor) -> None:
    """Merge a player into another one of the club, for whom the games of both count from now on.

    Raises `NoMerge`, `ValidationError` for a reason that tells a name, and `Busy` while games of the club are being
    entered or analysed.
    """
    with club_journal(kept_player.club_id, actor) as journal:
        players_merge(journal, kept_player, merged)
        _rankings_ask(merged)
    kept_player.refresh_from_db()
    merged.refresh_from_db()


def player_part(*, merged: Player, actor: Actor) -> None:
    """Undo the merge of a player: all is as if it had never been. Raises `NoMerge`, and `Busy` as `player_merge`."""
    with club_journal(merged.club_id, actor) as journal:
        players_part(journal, merged)
        _rankings_ask(merged)
    merged.refresh_from_db()


def _rankings_ask(player: Player) -> None:
    """Have every ranking computed anew that counts a game of the player, or will: the sealed seats say which, and the
    seats of those who play for the player."""
    stored_player = Player.objects.get(pk=player.pk)
    handles = Handle.objects.filter(player__in=one_person(stored_player)).values(lower=Lower("handle"))
    seats = Seat.objects.annotate(lower=Lower("handle")).filter(game__source=player.club.source, lower__in=handles)
    is_concerned = Q(season_games__game__in=seats.values("game"))
    for games in games_counting_for([one.pk for one in one_person(stored_player)]):
        is_concerned |= Q(season_games__game__in=games)
    seasons = Season.objects.filter(is_concerned, club=player.club_id)
    for ranking_id in sorted({ranking for season in seasons.distinct() for ranking in rankings_of(season)}):
        rebuild_ask(ranking_id)
        styles_restart(ranking_id)
        call_on_commit("rankings.tasks.read_styles", ranking_id)
