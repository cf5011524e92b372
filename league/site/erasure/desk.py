"""The pages on which organisers merge two players who are one person, and erase a player.

Each says what will happen, and does it when its form is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from engine.illegal import Refused
from league.core.log.services import Actor
from league.core.player.models import Player
from league.core.player.queries.player import player_named
from league.core.player.services.merge import merge_check
from league.core.viewer.queries.access import player_for_organiser
from league.core.viewer.web.confirmation import Confirmation, ReasonForm
from league.core.viewer.web.crumbs import player_crumbs
from league.core.viewer.web.viewer import club_page, page_of
from league.site.erasure.domain import Mention, Remedy
from league.site.erasure.queries import player_mentions
from league.site.erasure.services.erasure import player_erase
from league.site.erasure.services.merge import both_entered_check, person_merge
from league.standings.player.desk import player_take

MOST_LISTED: Final = 50
"""The most mentions to list on the page."""
ADVICE: Final = {
    "same_player": gettext_lazy("That’s the player whose page you came from. Enter the other one."),
    "other_club": gettext_lazy("These two play in different clubs, so they can’t be merged."),
    "erased": gettext_lazy("One of them was erased, so nobody knows whose games these are."),
    "merged_already": gettext_lazy(
        "One of them is already merged with another player. Undo that first, or enter that player "
        "instead."
    ),
    "sat_together": gettext_lazy(
        "They sat together in a game, so they’re two people. If that game is wrong, correct it "
        "first."
    ),
    "both_entered": gettext_lazy(
        "Both are entered in the same event, so they’re two people there. If one of the entries "
        "is a mistake, withdraw it first."
    ),
}
"""What to do if two players can't be merged, by the code of the refusal."""


class MergeForm(forms.Form):
    """The other player, whose games will count for this one."""

    other = forms.CharField(
        label=gettext_lazy("The other player"),
        help_text=gettext_lazy("A handle, or the id from the address of the player’s page."),
        max_length=64,
    )

    def __init__(self, kept_player: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kept = kept_player

    def clean_other(self) -> Player:
        """Return the player with this handle or id. Raise `ValidationError` if there is none, or
        the two can't be merged."""
        try:
            merged_player = player_named(self.kept.club_id, self.cleaned_data["other"])
            merge_check(self.kept, merged_player)
            both_entered_check(self.kept, merged_player)
        except Player.DoesNotExist:
            raise ValidationError(
                gettext("The club has no such player. Look for the handle in the list.")
            ) from None
        except Refused as refused:
            raise ValidationError(ADVICE[refused.illegal.code]) from None
        return merged_player


class MergeSureForm(ReasonForm, MergeForm):
    """The confirmation of a merge."""

    field_order = ("other", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["other"].widget = forms.HiddenInput()


class EraseForm(ReasonForm):
    """The confirmation of an erasure, and the texts to erase the name from."""

    field_order = ("rewritten", "reason", "sure")
    rewritten = forms.MultipleChoiceField(
        label=gettext_lazy("Remove the name here, too"),
        help_text=gettext_lazy("Untick anything about somebody else with the same name."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    sure = forms.BooleanField(
        label=gettext_lazy("I understand that this can’t be undone"),
        error_messages={"required": gettext_lazy("Tick this to erase the player.")},
    )

    def __init__(self, mentions: Sequence[Mention], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(mention.key, linked(mention)) for mention in mentions if mention.curable]
        if choices:
            self.fields["rewritten"].choices = choices  # type: ignore[attr-defined]
            self.initial.setdefault("rewritten", [key for key, _ in choices])
        else:
            del self.fields["rewritten"]


def linked(mention: Mention) -> str:
    """Return a mention with a link to its page."""
    if not mention.url:
        return str(mention)
    return format_html('<a href="{}">{}</a>: {}', mention.url, mention.label, mention.excerpt)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(player_for_organiser)
def player_merge_page(request: HttpRequest, kept_player: Player) -> HttpResponse:
    """Merge another player into this one: first ask for the other, then show what will happen, and
    do it once that is confirmed."""
    data = request.POST if request.method == "POST" else request.GET
    choice_form = MergeForm(kept_player, data if "other" in data else None)
    title = gettext("Merge with %(name)s") % {"name": kept_player.name}
    if not choice_form.is_valid():
        return club_page(
            request,
            kept_player.club,
            "league/site/erasure/merge.html",
            player=kept_player,
            form=choice_form,
            title=title,
            crumbs=player_crumbs(kept_player.club, kept_player),
        )

    merged_player: Player = choice_form.cleaned_data["other"]
    form = MergeSureForm(
        kept_player, request.POST or None, initial={"other": merged_player.public_id}
    )
    step = Confirmation(
        title=title,
        effects=_effects_of_merge(kept_player, merged_player),
        button=gettext("Merge players"),
        form=form,
        do=lambda cleaned, actor: _merge(kept_player, cleaned["other"], actor),
        done=gettext("The two are now one player. The tables will update in a moment."),
    )
    return player_take(request, kept_player, step)


def _effects_of_merge(kept_player: Player, merged_player: Player) -> list[str]:
    effect_on_games = gettext(
        "Every game of %(other)s (%(other_handle)s), past and future, counts for %(name)s "
        "(%(handle)s)."
    )
    names = {
        "name": kept_player.name,
        "handle": kept_player.handle,
        "other": merged_player.name,
        "other_handle": merged_player.handle,
    }
    return [
        effect_on_games % names,
        gettext("Every table with such a game is recalculated, which takes a moment."),
        gettext(
            "You can undo this at any time. Each game then counts again for the player who played "
            "it."
        ),
    ]


def _merge(kept_player: Player, merged_player: Player, actor: Actor) -> None:
    try:
        person_merge(kept_player=kept_player, merged=merged_player, actor=actor)
    except Refused as refused:
        raise ValidationError(ADVICE[refused.illegal.code]) from None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(player_for_organiser)
def player_erase_page(request: HttpRequest, player: Player) -> HttpResponse:
    """Show what will happen if a player is erased, and do it once that is confirmed."""
    mentions = player_mentions(player)
    curable_keys = {mention.key for mention in mentions if mention.curable}

    def erase(cleaned: dict[str, Any], actor: Actor) -> bool:
        spared = curable_keys.difference(cleaned.get("rewritten", ()))
        return player_erase(player=player, actor=actor, spared=spared)

    step = Confirmation(
        title=gettext("Erase %(name)s") % {"name": player.name},
        effects=[*_effects_of_erasure(player), *effects_of(mentions)],
        button=gettext("Erase for good"),
        form=EraseForm(mentions, request.POST or None),
        do=erase,
        done=gettext("The player has been erased. Only the pseudonym is left."),
        danger=True,
    )
    return player_take(request, player, step)


def _effects_of_erasure(player: Player) -> list[str]:
    effect_on_names = gettext(
        "The name and handles disappear for good, here and in every game. “%(pseudonym)s” stays."
    )
    return [
        effect_on_names % {"pseudonym": player.pseudonym},
        gettext("The same goes for every player merged with this one."),
        gettext(
            "Games, points, ranks and ratings stay as they are, and every digest remains valid."
        ),
        gettext("The account is unlinked. The log drops the names but keeps what was done."),
        gettext(
            "Uploaded files that nobody has confirmed are deleted, and reports that mention the "
            "name are shortened."
        ),
        gettext(
            "Reasons you tick below are removed. In other texts, the pseudonym replaces the name."
        ),
        gettext("If a record with an old handle comes in later, it creates a new player."),
    ]


def effects_of(mentions: Sequence[Mention]) -> list[str]:
    """Return sentences on the texts that name the player and aren't rewritten, each with a link to
    its page."""
    templates = {
        Remedy.EMPTIED: gettext_lazy("Mentions the player, and will be emptied: %s"),
        Remedy.BY_HAND: gettext_lazy(
            "Mentions the player. Change it first, because nobody will know the name afterwards: %s"
        ),
        Remedy.SEALED: gettext_lazy(
            "Mentions the player, and stays because a digest covers it: %s"
        ),
    }
    mentions_with_effect = [mention for mention in mentions if mention.remedy in templates]
    sentences = [
        format_html(str(templates[mention.remedy]).replace("%s", "{}"), linked(mention))
        for mention in mentions_with_effect
    ]
    if len(sentences) > MOST_LISTED:
        rest = gettext("And %(count)d more of these.") % {"count": len(sentences) - MOST_LISTED}
        return [*sentences[:MOST_LISTED], rest]
    return list(sentences)
