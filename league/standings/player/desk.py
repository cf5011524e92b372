"""The organisers' pages of a club's players: names, accounts and merges.

Each action has a page of its own, which says what will happen and does it when the form is sent."""

from __future__ import annotations

from typing import Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from engine.illegal import Refused
from league.core.account.models import User
from league.core.club.models import Club
from league.core.log.services import Actor
from league.core.player.models import Handle, Player
from league.core.player.queries.player import account_named, listed_players, names_meant, one_person
from league.core.player.services.player import player_rename
from league.core.viewer.queries.access import club_for_organiser, player_for_organiser
from league.core.viewer.web.confirmation import Confirmation, ReasonForm, take
from league.core.viewer.web.crumbs import player_crumbs
from league.core.viewer.web.viewer import club_page, page_of, viewer_of
from league.standings.player.services import player_link, player_part
from league.standings.season.queries.access import players_with_page

PLAYERS_PER_PAGE: Final = 50


class RenameForm(ReasonForm):
    """A player's name and handle."""

    field_order = ("name", "handle", "reason")
    name = forms.CharField(
        label=gettext_lazy("Name"), help_text=gettext_lazy("As shown on the pages."), strip=False
    )
    handle = forms.CharField(
        label=gettext_lazy("Handle"), help_text=gettext_lazy("As used in records."), strip=False
    )


class LinkForm(ReasonForm):
    """The account that a player is linked to."""

    field_order = ("account", "reason")
    account = forms.CharField(
        label=gettext_lazy("Account"),
        help_text=gettext_lazy(
            "The account’s name or email address. Leave empty to unlink the account."
        ),
        required=False,
    )

    def clean_account(self) -> User | None:
        """Return the account with the entered name or email address; None for an empty field."""
        name_or_address: str = self.cleaned_data["account"]
        if not name_or_address:
            return None
        try:
            return account_named(name_or_address)
        except User.DoesNotExist:
            raise ValidationError(
                gettext("There’s no such account. It has to be created first.")
            ) from None


@login_required
@require_safe
@page_of(club_for_organiser)
def player_list(request: HttpRequest, club: Club) -> HttpResponse:
    """List the players of a club by name; `?q=` searches names and handles, current and former."""
    search = request.GET.get("q", "").strip()
    page = Paginator(listed_players(club, search), PLAYERS_PER_PAGE).get_page(
        request.GET.get("page")
    )
    close_names = []
    if search and not page.object_list:
        people = Player.objects.filter(club=club, merged_into=None)
        close_names = names_meant(people, search)
    return club_page(
        request,
        club,
        "league/standings/player/desk/players.html",
        page=page,
        q=search,
        close_names=close_names,
        crumbs=player_crumbs(club)[:1],
    )


@login_required
@require_safe
@page_of(player_for_organiser)
def player_desk(request: HttpRequest, player: Player) -> HttpResponse:
    """Show a player's names and merges, and the actions on them."""
    kept_player, *merged = one_person(player)
    return club_page(
        request,
        player.club,
        "league/standings/player/desk/player.html",
        player=player,
        kept=kept_player,
        merged=merged,
        has_page=bool(players_with_page(viewer_of(request), [player.public_id])),
        handles=Handle.objects.filter(
            player__in=[kept_player, *merged], handle__isnull=False
        ).select_related("player"),
        crumbs=player_crumbs(player.club),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(player_for_organiser)
def player_rename_page(request: HttpRequest, player: Player) -> HttpResponse:
    """Rename a player, or change the handle."""
    step = Confirmation(
        title=gettext("Rename %(name)s") % {"name": player.name},
        effects=[
            gettext("The new name appears on every page at once, even for old games."),
            gettext(
                "The old handle still finds this player, so records that use it don’t need "
                "changing."
            ),
        ],
        button=gettext("Rename"),
        form=RenameForm(
            request.POST or None, initial={"name": player.name, "handle": player.handle}
        ),
        do=lambda cleaned, actor: player_rename(
            player=player, actor=actor, **{field: cleaned[field] for field in ("name", "handle")}
        ),
        done=gettext("The player is renamed."),
    )
    return player_take(request, player, step)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(player_for_organiser)
def player_link_page(request: HttpRequest, player: Player) -> HttpResponse:
    """Link a player to an account."""
    step = Confirmation(
        title=gettext("Account of %(name)s") % {"name": player.name},
        effects=[
            gettext("Whoever signs in with this account is this player in the club."),
            gettext("This gives them no rights: those come with a role."),
        ],
        button=gettext("Save"),
        form=LinkForm(
            request.POST or None, initial={"account": player.user.username if player.user else ""}
        ),
        do=lambda cleaned, actor: player_link(
            player=player, account=cleaned["account"], actor=actor
        ),
        done=gettext("The account is saved."),
    )
    return player_take(request, player, step)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(player_for_organiser)
def player_part_page(request: HttpRequest, merged: Player) -> HttpResponse:
    """Undo the merge of this player."""
    placeholders = {
        "name": merged.name,
        "handle": merged.handle,
        "other": merged.same_as.name if merged.same_as else "",
    }
    step = Confirmation(
        title=gettext("Undo the merge of %(name)s") % placeholders,
        effects=[
            gettext("Games under %(name)s’s handles (%(handle)s) no longer count for %(other)s.")
            % placeholders,
            gettext("Every table with such a game is recalculated, which takes a moment."),
        ],
        button=gettext("Undo the merge"),
        form=ReasonForm(request.POST or None),
        do=lambda cleaned, actor: _undo_merge(merged, actor),
        done=gettext("They are two players again. The tables will update in a moment."),
    )
    return player_take(request, merged, step)


def player_take(request: HttpRequest, player: Player, step: Confirmation) -> HttpResponse:
    """Carry out a step on a player and redirect to the player's page, or show the page on which the
    step is confirmed."""
    crumbs = player_crumbs(player.club, player)
    return take(request, player.club, step, section="players", back=crumbs[-1][1], crumbs=crumbs)


def _undo_merge(merged: Player, actor: Actor) -> None:
    try:
        player_part(merged=merged, actor=actor)
    except Refused:
        raise ValidationError(
            gettext("Somebody has already undone this merge. There’s nothing left to do.")
        ) from None
