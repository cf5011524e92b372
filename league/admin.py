"""The administration of people, clubs and seasons. What follows from games is shown and never changed."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from games.admin import ReadOnly
from league.clubs.services.key import key_create
from league.models import ApiKey, Club, IdempotencyKey, ImportJob, Membership, Player, Season, User

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
class PlayerAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Players. They are renamed, merged and erased on the pages of their club, where everything goes into its log."""

    list_display = ("name", "handle", "club", "user")
    list_filter = ("club",)
    search_fields = ("name", "handle")
    autocomplete_fields = ("user", "club")
    list_select_related = ("club", "user")


@admin.register(Season)
class SeasonAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Seasons. They are made and changed on the pages of their club, where everything goes into its log."""

    list_display = ("name", "club", "kind", "visibility", "starts_on", "ends_on")
    list_filter = ("club", "kind", "visibility")
    search_fields = ("name", "slug")


@admin.register(ApiKey)
class ApiKeyAdmin(ModelAdmin):  # type: ignore[misc]
    """Programs' keys. A new one is shown once; an old one can be revoked."""

    list_display = ("label", "club", "user", "created_at", "last_used_at", "revoked_at")
    fields = ("label", "club", "user")
    actions = ("revoke",)

    def has_change_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        """A key is made or revoked, not changed."""
        return obj is None and bool(super().has_change_permission(request))

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        """Make the key and show its secret."""
        token, secret = key_create(club=obj.club, user=obj.user, label=obj.label)
        obj.pk = token.pk
        messages.warning(request, f"Copy the key now, it is shown only once: {secret}")

    @admin.action(description="Revoke")
    def revoke(self, request: HttpRequest, tokens: QuerySet[ApiKey]) -> None:
        """Refuse these keys from now on."""
        tokens.filter(revoked_at=None).update(revoked_at=Now())


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
