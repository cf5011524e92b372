"""The administration of accounts, clubs and keys, for operators of the service.

Whatever it changes in a club goes through the service that the pages use, so it stands in the club's log. All else is
shown and never changed here: players have pages of their own.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from games.admin import ReadOnly, Undeletable
from league.clubs.services.club import SETTINGS, club_create
from league.clubs.services.key import key_create, key_revoke
from league.clubs.services.member import member_add, member_remove
from league.locks import Busy
from league.log.services import Actor
from league.models import ApiKey, Club, IdempotencyKey, ImportJob, Membership, Player, Ranking, Role, Season, User
from league.rankings.services.rebuild import ranking_rebuild_ask
from league.seasons.services.club import club_settings_change
from league.seasons.services.season import RANKING, SEASON, all_time_create, season_change, season_check, season_create

admin.site.unregister(Group)


def operator(request: HttpRequest) -> Actor:
    """Tell who acts, as the logs of the clubs name it."""
    return Actor(request.user.pk)


@admin.register(User)
class UserAdmin(Undeletable, DjangoUserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]
    """Accounts. One that is no longer wanted is made inactive: what it did stands in the clubs' logs."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    add_fieldsets = ((None, {"fields": ("username", "email", "password1", "password2")}),)
    list_display = ("email", "username", "is_active", "is_staff", "last_login")


@admin.register(Club)
class ClubAdmin(Undeletable, ModelAdmin):  # type: ignore[misc]
    """Clubs and their settings."""

    list_display = ("name", "slug", "timezone")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    fields = SETTINGS
    actions = ("begin_all_time",)

    def save_model(self, request: HttpRequest, obj: Club, form: Any, change: bool) -> None:
        """Make the club, or change what the form changes of it."""
        if change:
            settings = {name: form.cleaned_data[name] for name in SETTINGS}
            club_settings_change(club=obj, actor=operator(request), **settings)
        else:
            obj.pk = club_create(actor=operator(request), **form.cleaned_data).pk

    @admin.action(description=gettext_lazy("Begin a ranking of all time"), permissions=["change"])
    def begin_all_time(self, request: HttpRequest, clubs: QuerySet[Club]) -> None:
        """Give these clubs a ranking over all their public seasons, where they have none yet."""
        for club in clubs:
            all_time_create(club=club, actor=operator(request))


class NeverChanged:
    """All that can be made and taken away, and is never changed in between."""

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody has this permission."""
        return False


@admin.register(Membership)
class MembershipAdmin(NeverChanged, ModelAdmin):  # type: ignore[misc]
    """Who may do what in a club: a role is given or taken."""

    list_display = ("user", "club", "role")
    list_filter = ("club", "role")
    list_select_related = ("club", "user")
    autocomplete_fields = ("club", "user")

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        """Give the role by the service, which logs it."""
        obj.pk = member_add(club=obj.club, user=obj.user, role=Role(obj.role), actor=operator(request)).pk

    def delete_model(self, request: HttpRequest, obj: Membership) -> None:
        """Take the role by the service, which logs it, and keeps the last organiser."""
        try:
            member_remove(club=obj.club, user=obj.user, role=Role(obj.role), actor=operator(request))
        except ValidationError as refused:
            messages.error(request, f"{obj}: {refused.messages[0]}")

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Membership]) -> None:
        """Take each of the roles that were chosen in the list."""
        for membership in queryset.select_related("club", "user"):
            self.delete_model(request, membership)


@admin.register(Player)
class PlayerAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Players; the handle is what records name them by. They are renamed, merged and erased on their own pages."""

    list_display = ("name", "handle", "club", "user")
    list_filter = ("club",)
    search_fields = ("public_id", "name", "handle")
    list_select_related = ("club", "user")


class SeasonForm(forms.ModelForm):  # type: ignore[type-arg]
    """A season with the settings of its ranking, checked as the service does."""

    scoring = Ranking._meta.get_field("scoring").formfield()
    tie_breaks = Ranking._meta.get_field("tie_breaks").formfield()
    rated = Ranking._meta.get_field("rated").formfield()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.pk:
            self.initial.update({name: getattr(self.instance.ranking, name) for name in RANKING})

    def clean(self) -> dict[str, Any]:
        """Refuse what no season can be, and to change what is settled."""
        cleaned = super().clean() or {}
        if not self.errors:
            season = self.instance if self.instance.pk else None
            settings = {name: cleaned[name] for name in (*SEASON, *RANKING)}
            season_check(club=cleaned.get("club") or self.instance.club, season=season, **settings)
        return cleaned


@admin.register(Season)
class SeasonAdmin(Undeletable, ModelAdmin):  # type: ignore[misc]
    """Seasons. A change of what the table rests on has it computed anew."""

    form = SeasonForm
    list_display = ("name", "club", "kind", "visibility", "starts_on", "ends_on")
    list_filter = ("club", "kind", "visibility")
    list_select_related = ("club",)
    search_fields = ("public_id", "name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    fields = ("club", *SEASON, *RANKING)
    actions = ("rebuild",)

    def get_readonly_fields(self, request: HttpRequest, obj: Season | None = None) -> tuple[str, ...]:
        """A season stays in its club."""
        return () if obj is None else ("club",)

    def save_model(self, request: HttpRequest, obj: Season, form: Any, change: bool) -> None:
        """Make the season, or change what the form changes of it."""
        if change:
            settings = {name: form.cleaned_data[name] for name in (*SEASON, *RANKING)}
            season_change(season=obj, actor=operator(request), **settings)
        else:
            obj.pk = season_create(actor=operator(request), **form.cleaned_data).pk

    @admin.action(description=gettext_lazy("Compute the table anew"), permissions=["change"])
    def rebuild(self, request: HttpRequest, seasons: QuerySet[Season]) -> None:
        """Have the rankings of these seasons computed anew."""
        for season in seasons.select_related("ranking"):
            try:
                ranking_rebuild_ask(ranking=season.ranking, actor=operator(request))
            except Busy:
                words = gettext("A job is at work on %(season)s. Try again in a moment.")
                messages.error(request, words % {"season": season})


@admin.register(ApiKey)
class ApiKeyAdmin(NeverChanged, Undeletable, ModelAdmin):  # type: ignore[misc]
    """Programs' keys. A new one is shown once; an old one can be revoked."""

    list_display = ("label", "club", "user", "created_at", "last_used_at", "revoked_at")
    list_select_related = ("club", "user")
    fields = ("label", "club", "user")
    actions = ("revoke",)

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        """Make the key and show its secret."""
        key, secret = key_create(club=obj.club, user=obj.user, label=obj.label, actor=operator(request))
        obj.pk = key.pk
        words = gettext("Copy the key now, it is shown only once: %(secret)s")
        messages.warning(request, words % {"secret": secret})

    @admin.action(description=gettext_lazy("Revoke"), permissions=["add"])
    def revoke(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> None:
        """Refuse these keys from now on."""
        for key in keys:
            key_revoke(key=key, actor=operator(request))


@admin.register(ImportJob)
class ImportJobAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Uploaded files and what became of them."""

    list_display = ("file_name", "season", "uploaded_by", "uploaded_at", "state")
    list_filter = ("state",)
    exclude = ("content",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ImportJob]:
        """Without the files themselves."""
        jobs: QuerySet[ImportJob] = super().get_queryset(request).defer("content")
        return jobs


@admin.register(IdempotencyKey)
class IdempotencyKeyAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Answers that the API has given under a key."""

    list_display = ("key", "api_key", "status", "created_at")
    list_select_related = ("api_key__club",)
