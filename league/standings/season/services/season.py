"""Creating seasons and rankings, and changing their settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy

from engine.record.kinds import KINDS
from engine.record.setting import rules_fault
from league.core.club.models import Club
from league.core.frame.names import with_name_checked
from league.core.frame.years import years_check
from league.core.jobs import call_on_commit
from league.core.log.columns import columns_of
from league.core.log.services import Actor, changes_between, club_journal
from league.standings.ranking.actions import RankingAction
from league.standings.ranking.models import Ranking, Scoring, TieBreak
from league.standings.ranking.services.rebuild import rebuild_ask
from league.standings.season.actions import SeasonAction
from league.standings.season.models import (
    ONLINE_KINDS,
    RANKING,
    SCORINGS,
    SEASON,
    AllTime,
    Season,
    SeasonGame,
    new_link_token,
    notes_scoring,
    scoring_notes,
)
from league.standings.season.queries.season import rankings_of
from league.standings.style.services import styles_restart

SETTINGS: Final = columns_of(Season, "setting")
"""A season's own settings."""
TEXTS: Final = columns_of(Season, "text")
RANKING_SETTINGS: Final = columns_of(Ranking, "setting")
"""The settings of its ranking."""
SETTLED: Final = ("kind", "scoring", "rules")
"""Settings that can't change once games are in."""
SETTLED_ADVICE: Final = gettext_lazy("This is settled: games are in.")


def season_create(*, club: Club, actor: Actor, **settings: Any) -> Season:
    """Create a season with its ranking. `settings` are those of `SETTINGS` and `RANKING_SETTINGS`;
    missing ones have their defaults. The scoring follows from the `notes`, and the notes from a
    scoring that is given without them.

    Raise `ValidationError` with messages by field.
    """
    settings = with_name_checked(settings)
    ranking_settings = {name: settings.pop(name) for name in RANKING_SETTINGS if name in settings}
    if "scoring" in ranking_settings:
        settings.setdefault("notes", scoring_notes(ranking_settings["scoring"]))
    season = Season(club=club, **settings)
    scoring = Scoring.PLACEMENT
    if season.kind in SCORINGS:
        scoring = notes_scoring(season.kind, season.notes)
    ranking = Ranking(club=club, **{"scoring": scoring, **ranking_settings})
    # Locked from the start (`alone`): no other season may take the address in between.
    with club_journal(club.pk, actor, lock_at_once=True) as journal:
        settings_check(season, ranking)
        ranking.save(force_insert=True)
        season.ranking = ranking
        season.save(force_insert=True)
        journal.add(SeasonAction.CREATED, season.public_id, season_settings(season), texts=TEXTS)
        journal.record(SEASON, [season])
    return season


def season_change(*, season: Season, actor: Actor, **settings: Any) -> bool:
    """Change settings of a season or its ranking, and rebuild the table if it depends on them.
    Return False if nothing changed.

    Raise `ValidationError` with messages by field, also for settings that are settled because games
    are in.
    """
    settings = with_name_checked(settings)
    with club_journal(season.club_id, actor) as journal:
        row = (
            Season.objects.select_related("ranking", "club")
            .select_for_update(of=("self",), no_key=True)
            .get(pk=season.pk)
        )
        settings_before = season_settings(row)
        rankings_before = set(rankings_of(row))
        _assign(row, row.ranking, settings)
        change = changes_between(settings_before, season_settings(row))
        changed = change["after"]
        if not changed:
            return False
        journal.lock()
        settled_check(row, changed)
        settings_check(row, row.ranking)
        row.save()
        row.ranking.save(update_fields=RANKING_SETTINGS)
        journal.add(SeasonAction.CHANGED, season.public_id, change, texts=TEXTS)
        journal.record(SEASON, [row], changed)
        if {"tie_breaks", "rated", "scoring"} & set(changed):
            rebuild_ask(row.ranking_id)
        # rankings that begin or cease to count the season's games
        for ranking_id in rankings_before ^ set(rankings_of(row)):
            rebuild_ask(ranking_id)
            styles_restart(ranking_id)
    season.refresh_from_db()
    season.ranking.refresh_from_db()
    return True


def season_link_renew(*, season: Season, actor: Actor) -> str:
    """Give the season's link a new token, and return it; the former link stops working."""
    with club_journal(season.club_id, actor) as journal:
        season.link_token = new_link_token()
        season.save(update_fields=["link_token"])
        journal.add(SeasonAction.LINK_RENEWED, season.public_id)
    return season.link_token


def season_check(*, club: Club, season: Season | None = None, **settings: Any) -> None:
    """Check settings for a new season, or for a change of `season`, without storing anything.

    Raise `ValidationError` with messages by field.
    """
    if season is None:
        row = Season(club=club)
        ranking = Ranking(club=club)
        _assign(row, ranking, settings)
        settings_check(row, ranking)
        return
    row = Season.objects.select_related("ranking", "club").get(pk=season.pk)
    stored = season_settings(row)
    _assign(row, row.ranking, settings)
    settings_check(row, row.ranking)
    changed = [name for name in SETTLED if name in settings and settings[name] != stored[name]]
    settled_check(row, changed)


def _assign(season: Season, ranking: Ranking, settings: Mapping[str, Any]) -> None:
    for name, value in settings.items():
        setattr(ranking if name in RANKING_SETTINGS else season, name, value)


def all_time_create(*, club: Club, actor: Actor) -> AllTime:
    """Return the club's ranking over all its public seasons; if it doesn't exist, create it and
    start counting."""
    with club_journal(club.pk, actor) as journal:
        all_time = AllTime.objects.select_related("ranking").filter(club=club).first()
        if all_time:
            return all_time
        ranking = Ranking.objects.create(
            club=club,
            scoring=Scoring.PLACEMENT,
            tie_breaks=[TieBreak.POINTS, TieBreak.POINTS_PER_GAME, TieBreak.WINS],
        )
        new_all_time = AllTime.objects.create(club=club, ranking=ranking)
        payload = {name: getattr(ranking, name) for name in RANKING_SETTINGS}
        journal.add(RankingAction.CREATED, ranking.public_id, payload)
        journal.record(RANKING, [new_all_time])
        call_on_commit("standings.ranking.tasks.count_ranking", ranking.pk)
    return new_all_time


def season_values(season: Season) -> dict[str, Any]:
    """Return a season's settings and those of its ranking, by name."""
    values = {name: getattr(season, name) for name in SETTINGS}
    for name in RANKING_SETTINGS:
        values[name] = getattr(season.ranking, name)
    return values


def season_settings(season: Season) -> dict[str, Any]:
    """Return a season's settings and those of its ranking, by name, as the log stores them."""
    values = season_values(season)
    return {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in values.items()
    }


def settings_check(season: Season, ranking: Ranking) -> None:
    """Refuse settings that no season can have. Raise `ValidationError` with messages by field."""
    season.full_clean(exclude=["ranking"], validate_constraints=False)
    ranking.full_clean(exclude=["club"])
    years_check({"starts_on": season.starts_on, "ends_on": season.ends_on})
    if season.ends_on and season.ends_on < season.starts_on:
        raise ValidationError({"ends_on": gettext("A season can’t end before it starts.")})
    if ranking.scoring not in SCORINGS[season.kind]:
        raise ValidationError(
            {
                "scoring": gettext("This game can’t be counted by %(scoring)s.")
                % {"scoring": ranking.scoring}
            }
        )
    if season.online and season.kind not in ONLINE_KINDS:
        raise ValidationError({"online": gettext("This game can’t be played online.")})
    fault = rules_fault(KINDS[season.kind], season.rules)
    if fault:
        raise ValidationError({"rules": fault.message.translated(gettext)})
    if Season.objects.filter(club=season.club_id, slug=season.slug).exclude(pk=season.pk).exists():
        raise ValidationError({"slug": gettext("Another season of the club uses this address.")})


def settled_check(season: Season, changed: Iterable[str]) -> None:
    """Refuse to change settled settings once games are in. Raise `ValidationError` with messages by
    field."""
    settled = [name for name in SETTLED if name in changed]
    if settled and SeasonGame.objects.filter(season=season.pk).exists():
        raise ValidationError(dict.fromkeys(settled, SETTLED_ADVICE))
