"""Rankings and those who own them."""

from __future__ import annotations

from league.rankings.models import AllTime, Season, Visibility


def rankings_of(season: Season) -> list[int]:
    """The ids of the rankings that count the games of a season: its own, and the club's if everybody may see it."""
    own = [season.ranking_id]
    if season.visibility != Visibility.PUBLIC:
        return own
    return own + list(AllTime.objects.filter(club=season.club_id).values_list("ranking_id", flat=True))
