"""Photos of a game's score sheet, for the players at its table and the club's staff."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, pgettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.illegal import Refused
from games.models import Game
from league.core.log.services import Actor
from league.core.viewer.queries.author import authors_of
from league.core.viewer.web.viewer import club_page, page_of, signed_in, viewer_of
from league.records.photo.models import Photo
from league.records.photo.queries import game_for_photos, photo_for, photos_of
from league.records.photo.services.photo import FORMATS, photo_add, photo_remove
from league.standings.ranking.web.ranking import season_crumbs
from league.standings.season.queries.access import sees_game


class PhotoForm(forms.Form):
    """A photo to upload."""

    file = forms.FileField(
        label=gettext_lazy("Photo"),
        help_text=gettext_lazy(
            "A JPEG, PNG or WebP. It’s made smaller, and the camera’s data on place and time is "
            "removed."
        ),
        error_messages={
            "required": gettext_lazy("Choose a photo first."),
            "empty": gettext_lazy("The file is empty."),
        },
        widget=forms.FileInput(
            attrs={"accept": ",".join(f"image/{name.lower()}" for name in FORMATS)}
        ),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(game_for_photos)
def photos_page(request: HttpRequest, game: Game) -> HttpResponse:
    """Show the photos of a game's sheet, with a form to add one; an arbiter from outside only sees
    them."""
    may_add = request.user.has_perm("league.bear_witness", game)
    if request.method == "POST" and not may_add:
        raise Http404
    form = PhotoForm()
    if request.method == "POST":
        form = PhotoForm(request.POST, request.FILES)
    if form.is_valid() and _add_photo(request, game, form):
        return redirect("game-photos", game.public_id)
    season = game.season_game.season
    is_guest = not sees_game(viewer_of(request), game)
    photos = list(photos_of(game))
    return club_page(
        request,
        season.club,
        "league/records/photo/photos.html",
        game=game,
        season=season,
        form=form if may_add else None,
        is_guest=is_guest,
        photos=[(photo, may_remove(request, photo, game)) for photo in photos],
        authors=authors_of(request.user, season.club, [photo.added_by for photo in photos]),
        crumbs=_case_crumbs(game) if is_guest else _game_crumbs(game),
    )


def _game_crumbs(game: Game) -> list[tuple[str, str]]:
    return [
        *season_crumbs(game.season_game.season),
        (gettext("Game"), reverse("game", args=[game.public_id])),
    ]


def _case_crumbs(game: Game) -> list[tuple[str, str]]:
    return [(pgettext("a dispute", "Case"), reverse("game-case", args=[game.public_id]))]


def _add_photo(request: HttpRequest, game: Game, form: PhotoForm) -> bool:
    file: UploadedFile[bytes] = form.cleaned_data["file"]
    try:
        _, is_new = photo_add(game=game, file=file.read(), account=signed_in(request))
    except Refused as refused:
        form.add_error("file", refused.illegal.message.translated(gettext))
        return False
    messages.success(
        request,
        gettext("The photo is saved.") if is_new else gettext("This photo has already been added."),
    )
    return True


def may_remove(request: HttpRequest, photo: Photo, game: Game) -> bool:
    """Return True if the user added the photo, or may rule on the game."""
    if photo.added_by_id == request.user.pk:
        return True
    return request.user.has_perm("league.correct_game", game)


@login_required
@require_POST
@page_of(photo_for)
def photo_remove_step(request: HttpRequest, photo: Photo) -> HttpResponse:
    """Remove a picture; for the user who added it, and for arbiters of the game."""
    if not may_remove(request, photo, photo.game):
        raise Http404
    photo_remove(photo=photo, actor=Actor(request.user.pk))
    messages.success(request, gettext("The photo is removed. Its digest stays in the log."))
    return redirect("game-photos", photo.game.public_id)


@login_required
@require_safe
@page_of(photo_for)
def photo_file(request: HttpRequest, photo: Photo) -> HttpResponse:
    """Return the picture to a user who may see it; no cache on the way may keep it."""
    headers = {"Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff"}
    return HttpResponse(bytes(photo.content), content_type="image/jpeg", headers=headers)
