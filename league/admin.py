"""The administration of people, clubs and seasons. What follows from games is shown and never changed."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.forms import ModelForm
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from games.admin import ReadOnly
from league.clubs.services.key import token_create
from league.models import (
    ApiToken,
    Appearance,
    Club,
    IdempotencyKey,
    ImportJob,
    Membership,
    Player,
    Rating,
    RatingChange,
    Season,
    SeasonGame,
    Standing,
    Style,
    User,
)
from league.rankings.tasks import rebuild_season

admin.site.unregister(Group)


@admin.register(User)
class UserAdmin(DjangoUserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]
    """Accounts."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    add_fieldsets = ((None, {"fields": ("username", "email", "password1", "password2")}),)
    list_display = ("email", "username", "is_active", "is_staff", "last_login")


class MembershipInline(TabularInline):  # type: ignore[misc]
    """Who may do what in a club."""

    model = Membership
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(Club)
class ClubAdmin(ModelAdmin):  # type: ignore[misc]
    """Clubs with their members."""

    list_display = ("name", "slug", "timezone")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    inlines = (MembershipInline,)


@admin.register(Player)
class PlayerAdmin(ModelAdmin):  # type: ignore[misc]
    """Players; the handle is what records name them by."""

    list_display = ("name", "handle", "club", "user")
    list_filter = ("club",)
    search_fields = ("name", "handle")
    autocomplete_fields = ("user", "club")
    list_select_related = ("club", "user")


@admin.register(Season)
class SeasonAdmin(ModelAdmin):  # type: ignore[misc]
    """Seasons. A change of what the table rests on has it computed anew."""

    list_display = (
        "name",
        "club",
        "kind",
        "scoring",
        "rated",
        "visibility",
        "starts_on",
        "ends_on",
        "version",
    )
    list_filter = ("club", "kind", "visibility")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    readonly_fields = ("version", "computed_at", "link_token")
    actions = ("rebuild",)

    def get_readonly_fields(self, request: HttpRequest, obj: Season | None = None) -> tuple[str, ...]:
        """The game and the scoring are settled once games are in."""
        settled = obj is not None and SeasonGame.objects.filter(season=obj).exists()
        return (*self.readonly_fields, "kind", "scoring", "club") if settled else self.readonly_fields

    def save_model(self, request: HttpRequest, obj: Season, form: ModelForm[Season], change: bool) -> None:
        """Save, and have the table computed anew if its rules changed."""
        super().save_model(request, obj, form, change)
        if change and {"tie_breaks", "rated"} & set(form.changed_data):
            transaction.on_commit(lambda: rebuild_season.delay(obj.pk), robust=True)

    @admin.action(description="Compute the table anew")
    def rebuild(self, request: HttpRequest, seasons: QuerySet[Season]) -> None:
        """Rebuild the chosen seasons."""
        for season in seasons:
            rebuild_season.delay(season.pk)
        self.message_user(request, "The tables are being computed anew.")


@admin.register(ApiToken)
class ApiTokenAdmin(ModelAdmin):  # type: ignore[misc]
    """Programs' keys. A new one is shown once; an old one can be revoked."""

    list_display = ("label", "club", "user", "created_at", "last_used_at", "revoked_at")
    fields = ("label", "club", "user")
    actions = ("revoke",)

    def has_change_permission(self, request: HttpRequest, obj: ApiToken | None = None) -> bool:
        """A key is made or revoked, not changed."""
        return obj is None and bool(super().has_change_permission(request))

    def save_model(self, request: HttpRequest, obj: ApiToken, form: Any, change: bool) -> None:
        """Make the key and show its secret."""
        token, secret = token_create(club=obj.club, user=obj.user, label=obj.label)
        obj.pk = token.pk
        messages.warning(request, f"Copy the key now, it is shown only once: {secret}")

    @admin.action(description="Revoke")
    def revoke(self, request: HttpRequest, tokens: QuerySet[ApiToken]) -> None:
        """Refuse these keys from now on."""
        tokens.filter(revoked_at=None).update(revoked_at=Now())


@admin.register(SeasonGame)
class SeasonGameAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Which games count in a season."""

    list_display = ("external_id", "season", "played_at", "counted")
    list_filter = ("season", "counted")
    search_fields = ("external_id",)


@admin.register(Appearance)
class AppearanceAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Who sat where, and what it brought."""

    list_display = ("player", "season", "season_game", "rank", "points")
    list_filter = ("season",)
    list_select_related = ("player", "season", "season_game")


@admin.register(Standing)
class StandingAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """The tables' rows."""

    list_display = ("season", "rank", "player", "games", "wins", "points", "decided_by")
    list_filter = ("season",)
    list_select_related = ("player", "season")


@admin.register(Rating)
class RatingAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Ratings."""

    list_display = ("season", "player", "mu", "sigma", "games")
    list_filter = ("season",)
    list_select_related = ("player", "season")


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """What each game did to the ratings."""

    list_display = ("season_game", "player", "mu_before", "mu", "sigma")
    list_select_related = ("player", "season_game")


@admin.register(Style)
class StyleAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """How players play."""

    list_display = ("season", "player", "bids", "bluffs", "showdowns")
    list_filter = ("season",)
    list_select_related = ("player", "season")


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

    list_display = ("key", "token", "status", "created_at")
