"""The administration of games: facts, to be looked at and never changed."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin

from games.models import Game
from games.queries.game import game_head


class Undeletable:
    """Rows that stay for good, because facts and the logs of clubs name them."""

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody has this permission."""
        return False


class ReadOnly(Undeletable):
    """Rows to be looked at, neither added, changed nor deleted here: facts, and what has pages of
    its own."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody has this permission."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody has this permission."""
        return False


@admin.register(Game)
class GameAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Games as they were sealed."""

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
        """The last digest in hexadecimal: it stands for the whole game."""
        return game_head(game).hex()
