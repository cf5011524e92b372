"""Desk pages that take a round back, or set a stage back, with everything after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from league.core.frame.forms import offer
from league.core.viewer.web.confirmation import Confirmation, PublicReasonForm, posted
from league.core.viewer.web.viewer import page_of
from league.events.event.desk.page import take_event_step
from league.stages.course.services.stage import course_games, course_take_back, stage_set_back
from league.stages.round.models import StageRound
from league.stages.round.queries import is_public
from league.stages.stage.desk.stage import desk_stage_crumbs
from league.stages.stage.domain.facts import StageFacts
from league.stages.stage.models import Stage
from league.stages.stage.queries.access import stage_for_organiser
from league.stages.stage.queries.facts import stage_facts, started_stages
from league.stages.table.queries.access import round_for_organiser


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(round_for_organiser)
def round_take_back_page(request: HttpRequest, stage_round: StageRound) -> HttpResponse:
    """Take a round back, and all rounds drawn after it."""
    stages = started_stages(stage_round.stage.event)
    facts = _loaded_facts(stage_round.stage, stages)
    later = [row.number for row in facts.rounds if row.number > stage_round.number]
    tables = [table for table in facts.tables if table.round_number >= stage_round.number]
    games = sum(len(table.games) for table in tables)
    step = Confirmation(
        title=gettext("Take round %(number)d back") % {"number": stage_round.number},
        effects=[
            *_effects(stage_round, later, games),
            *_effects_on_later_stages(stage_round.stage),
        ],
        button=gettext("Take it back"),
        form=TakeBackForm(posted(request), games=_voidable_game_choices(stage_round, stages)),
        do=lambda cleaned, actor: course_take_back(
            stage_round=stage_round, actor=actor, void=cleaned.get("void", ())
        ),
        done=gettext("The round is taken back."),
        danger=True,
    )
    return take_event_step(
        request, stage_round.stage.event, step, crumbs=desk_stage_crumbs(stage_round.stage)
    )


def _loaded_facts(stage: Stage, started: Sequence[StageFacts]) -> StageFacts:
    for facts in started:
        if facts.stage.pk == stage.pk:
            return facts
    return stage_facts(stage)


class TakeBackForm(PublicReasonForm):
    """The reason why a round is taken back, and the games to void with it; `games`: their public
    ids, with words."""

    void = forms.MultipleChoiceField(
        label=gettext_lazy("Void these games, too"),
        help_text=gettext_lazy(
            "They’ll no longer count, not even in the season. You can restore each one on its page."
        ),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, data: Any, *, games: Sequence[tuple[str, str]]) -> None:
        super().__init__(data)
        if games:
            offer(self, "void", games)
        else:
            del self.fields["void"]


def _voidable_game_choices(
    stage_round: StageRound, stages: Sequence[StageFacts]
) -> list[tuple[str, str]]:
    """Return the ids of the games that would be taken back, each with the place where it was
    played, in words."""
    ids = set(course_games(stage_round).values_list("game__public_id", flat=True))
    choices = []
    for facts in stages:
        for table in facts.tables:
            names = ", ".join(facts.members[entry].name for entry in table.entries)
            place = {
                "stage": facts.stage.name,
                "round": table.round_number,
                "table": table.number,
                "names": names,
            }
            words = gettext("%(stage)s, round %(round)d, table %(table)d: %(names)s") % place
            choices += [(game.game, words) for game in table.games if game.game in ids]
    return choices


def _effects_on_later_stages(stage: Stage) -> list[str]:
    later = stage.event.stages.filter(number=stage.number + 1).first()
    if later is None or later.status == Stage.Status.PLANNED:
        return []
    return set_back_effects(later)


def _effect_on_tables(stage_round: StageRound) -> str:
    if is_public(stage_round):
        return gettext(
            "Its tables no longer count. Everybody can still see them, marked as taken back."
        )
    return gettext(
        "Its tables disappear from the event. The draw stays in the record, marked as taken back."
    )


def _effects(stage_round: StageRound, later_rounds: list[int], game_count: int) -> list[str]:
    sentences = [_effect_on_tables(stage_round)]
    if later_rounds:
        words = ngettext(
            "Round %(rounds)s is taken back too.",
            "Rounds %(rounds)s are taken back too.",
            len(later_rounds),
        )
        sentences.append(words % {"rounds": ", ".join(map(str, later_rounds))})
    if game_count:
        words = ngettext(
            "%(count)d game was played there: it stays sealed and counts in the season, but "
            "no longer in this stage.",
            "%(count)d games were played there: they stay sealed and count in the season, but "
            "no longer in this stage.",
            game_count,
        )
        sentences.append(words % {"count": game_count})
    sentences.append(
        gettext(
            "If you draw the round again, it gets a new seed: where lots decide, different players "
            "can meet."
        )
    )
    return sentences


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(stage_for_organiser)
def stage_set_back_page(request: HttpRequest, stage_row: Stage) -> HttpResponse:
    """Set a stage, and all stages after it, back to planned."""
    step = Confirmation(
        title=gettext("Reset “%(stage)s”") % {"stage": stage_row.name},
        effects=set_back_effects(stage_row),
        button=gettext("Reset it"),
        form=PublicReasonForm(posted(request)),
        do=lambda cleaned, actor: stage_set_back(stage=stage_row, actor=actor),
        done=gettext("The stage is reset. Start it again."),
        danger=True,
    )
    return take_event_step(request, stage_row.event, step, crumbs=desk_stage_crumbs(stage_row))


def set_back_effects(stage: Stage) -> list[str]:
    """Return sentences on the effects of setting back a stage and all stages after it."""
    later = [facts for facts in started_stages(stage.event) if facts.stage.number >= stage.number]
    names = ", ".join(facts.stage.name for facts in later)
    tables = [table for facts in later for table in facts.tables]
    games = sum(len(table.games) for table in tables)
    effects = [
        gettext("These stages lose all their rounds and their lists of players: %(stages)s.")
        % {"stages": names}
    ]
    if games:
        words = ngettext(
            "%(count)d game played there stays sealed and counts in the season, but no longer in "
            "these stages.",
            "%(count)d games played there stay sealed and count in the season, but no longer in "
            "these stages.",
            games,
        )
        effects.append(words % {"count": games})
    return [
        *effects,
        gettext(
            "When you start it again, the stage takes the players who qualify by the current "
            "results."
        ),
    ]
