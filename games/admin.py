"""The administration of games: facts, to be viewed and never changed."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin

from games.models import Game
from games.queries.game import game_head


class Undeletable:
    """Rows that can't be deleted, because facts and the logs of clubs refer to them."""

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnly(Undeletable):
    """Rows that can only be viewed here: facts, and rows with pages of their own."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Game)
class GameAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """List and show sealed games, revisions included."""

    list_display = (
        "external_id",
        "revision",
        "kind",
        "source",
        "event",
        "table",
        "played_at",
        "entered_at",
    )
    list_filter = ("kind",)
    search_fields = ("public_id", "external_id")
    date_hierarchy = "played_at"
    fields = (
        "source",
        "external_id",
        "revision",
        "replaces",
        "reason",
        "kind",
        "played_at",
        "event",
        "table",
        "entered_at",
        "entered_by",
        "header",
        "head",
    )
    readonly_fields = ("entered_at", "head")

    @admin.display(description=gettext_lazy("head"))
    def head(self, game: Game) -> str:
        """Return the last digest in hexadecimal, which stands for the whole game."""
        return game_head(game).hex()
