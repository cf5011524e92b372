"""A club's API keys: members make and revoke their own, organisers see all."""

from __future__ import annotations

from typing import Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.club.models import Club
from league.core.frame.forms import model_field
from league.core.key.models import ApiKey
from league.core.key.services.key import key_create, key_revoke
from league.core.member.queries import keys_of
from league.core.viewer.queries.access import club_for_member, key_for
from league.core.viewer.web.confirmation import Confirmation, ReasonForm, take
from league.core.viewer.web.crumbs import desk_crumbs
from league.core.viewer.web.viewer import club_page, page_of, signed_in

KEYS_PER_PAGE = 50


KEY_WORDS: Final = {
    ApiKey.Scope.CLUB: gettext_lazy(
        "Programs send it with each request, and can then do what you can do in this club."
    ),
    ApiKey.Scope.PLAY: gettext_lazy(
        "Programs send it with each request, and can then play at this club’s online tables as you."
    ),
}
"""What programs may do with a key of each scope."""


class KeyForm(forms.Form):
    """The purpose and the scope of a key."""

    label = model_field(
        ApiKey,
        "label",
        label=gettext_lazy("What it’s for"),
        help_text=gettext_lazy(
            "Such as “table tablet”: it’s how you’ll recognise the key in the list and in the log."
        ),
    )
    scope = model_field(
        ApiKey,
        "scope",
        widget=forms.RadioSelect,
        initial=ApiKey.Scope.CLUB,
        required=False,
        help_text=gettext_lazy(
            "A key does one or the other. Only accounts marked as programs can play with a key."
        ),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(club_for_member)
def key_list(request: HttpRequest, club: Club) -> HttpResponse:
    """List the keys, and make a new one, which acts as the account that makes it."""
    user = signed_in(request)
    form = KeyForm(request.POST or None)
    context = {"here": "keys", "crumbs": desk_crumbs(club), "form": form}
    if request.method == "POST" and form.is_valid():
        label = form.cleaned_data["label"]
        scope = form.cleaned_data["scope"] or ApiKey.Scope.CLUB
        _, secret = key_create(club=club, user=user, label=label, scope=scope)
        back = reverse("desk-keys", args=[club.slug])
        context |= {
            "title": gettext("Key “%(label)s”") % {"label": label},
            "text": KEY_WORDS[scope],
            "once": gettext("Copy it now. It’s shown only once, and nobody can look it up later."),
            "secret": secret,
            "back": back,
            "crumbs": desk_crumbs(club, (gettext("API keys"), back)),
        }
        return club_page(request, club, "league/core/key/desk/secret.html", **context)
    manages = user.has_perm("league.manage_club", club)
    keys = keys_of(club, None if manages else user)
    context |= {
        "page": Paginator(keys, KEYS_PER_PAGE).get_page(request.GET.get("page")),
        "manages": manages,
    }
    return club_page(request, club, "league/core/key/desk/keys.html", **context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(key_for)
def key_revoke_page(request: HttpRequest, key: ApiKey) -> HttpResponse:
    """Revoke a key."""
    back = reverse("desk-keys", args=[key.club.slug])
    step = Confirmation(
        title=gettext("Revoke the key “%(label)s”") % {"label": key.label},
        effects=[
            gettext("Programs that use it will be refused from now on."),
            gettext(
                "What they entered stays. A revoked key can’t be used again; create a new one "
                "instead."
            ),
        ],
        button=gettext("Revoke"),
        form=ReasonForm(request.POST or None),
        do=lambda cleaned, actor: key_revoke(key=key, actor=actor),
        done=gettext("Key revoked."),
        danger=True,
    )
    return take(
        request,
        key.club,
        step,
        section="keys",
        back=back,
        crumbs=desk_crumbs(key.club, (gettext("API keys"), back)),
    )
