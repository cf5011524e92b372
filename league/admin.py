"""The administration of accounts, clubs and keys, for operators of the service.

It creates accounts and clubs. It changes a club through the same services as the pages do, so the
club's log has it. Whatever has a page of its own on the club's desk, which is open to operators, is
read-only here."""

from __future__ import annotations

from typing import Any

import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from games.admin import ReadOnly, Undeletable
from league.core.club.services import SETTINGS, club_create
from league.core.key.services.key import key_revoke
from league.core.log.services import Actor
from league.models import ApiKey, Club, IdempotencyKey, ImportJob, Membership, Player, Season, User
from league.standings.season.services.club import club_settings_change

for unwanted in (Group, Authenticator, UserSession):
    admin.site.unregister(unwanted)


def operator(request: HttpRequest) -> Actor:
    """Return the actor of a request, for the clubs' logs."""
    return Actor(request.user.pk)


@admin.register(User)
class UserAdmin(Undeletable, DjangoUserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]
    """Accounts. An unwanted one is deactivated, not deleted: the clubs' logs refer to it."""

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

    def save_model(self, request: HttpRequest, obj: Club, form: Any, change: bool) -> None:
        """Create the club, or store the settings that the form changes."""
        if change:
            settings = {name: form.cleaned_data[name] for name in SETTINGS}
            club_settings_change(club=obj, actor=operator(request), **settings)
        else:
            obj.pk = club_create(actor=operator(request), **form.cleaned_data).pk


@admin.register(Membership)
class MembershipAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Roles in clubs. They are given and taken on the club's desk."""

    list_display = ("user", "club", "role")
    list_filter = ("club", "role")
    list_select_related = ("club", "user")


@admin.register(Player)
class PlayerAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Players; records name them by handle. They are renamed, merged and erased on their own
    pages."""

    list_display = ("name", "handle", "club", "user")
    list_filter = ("club",)
    search_fields = ("public_id", "name", "handle")
    list_select_related = ("club", "user")


@admin.register(Season)
class SeasonAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Seasons. They are created and changed on the club's desk."""

    list_display = ("name", "club", "kind", "visibility", "starts_on", "ends_on")
    list_filter = ("club", "kind", "visibility")
    list_select_related = ("club",)
    search_fields = ("public_id", "name", "slug")


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Programs' keys. They are made on the club's desk; a key in the wrong hands can also be
    revoked here."""

    list_display = ("label", "club", "user", "created_at", "last_used_at", "revoked_at")
    list_select_related = ("club", "user")
    fields = ("label", "club", "user")
    actions = ("revoke",)

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Return True if the operator may change keys, not only see them."""
        return request.user.has_perm("league.change_apikey")

    @admin.action(description=gettext_lazy("Revoke"), permissions=["revoke"])
    def revoke(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> None:
        """Revoke these keys."""
        for key in keys:
            key_revoke(key=key, actor=operator(request))


@admin.register(ImportJob)
class ImportJobAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Uploaded files, and their state."""

    list_display = ("file_name", "season", "uploaded_by", "uploaded_at", "state")
    list_filter = ("state",)
    exclude = ("content",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ImportJob]:
        """Return the jobs without the files themselves."""
        jobs: QuerySet[ImportJob] = super().get_queryset(request).defer("content")
        return jobs


@admin.register(IdempotencyKey)
class IdempotencyKeyAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """The API's stored answers."""

    list_display = ("key", "api_key", "status", "created_at")
    list_select_related = ("api_key__club",)
