"""For whom an entry counts: what a change of it would do, before it is done."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.models.public_id import LENGTH
from league.entries.api.entry import EntryView, player_of_club
from league.entries.models import Entry
from league.frame.api.body import Body
from league.log.services import Actor
from league.rulings.api.effect import CountsPreviewSerializer, ranking_effects
from league.rulings.queries.counts import counts_effect
from league.seasons.api.writing import changes


class EntryPreviewBody(Body):
    """For whom the results of an entry would count; what is left out stays."""

    guest = serializers.BooleanField()
    substitutes = serializers.CharField(
        allow_null=True, max_length=LENGTH, help_text="The id of the player for whom results count; null: their own."
    )


class EntryPreviews(EntryView):
    """The look at what it does if an entry counts for somebody else, or for nobody."""

    @changes("What it would do if an entry counted otherwise", EntryPreviewBody(partial=True), CountsPreviewSerializer,
             example={"guest": True})  # fmt: skip
    def preview_entry(self, entry: Entry, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Tell organisers what such a change of an entry would do to the season; nothing is changed."""
        substitutes = entry.substitutes
        if "substitutes" in body:
            substitutes = player_of_club(self.club, body["substitutes"]) if body["substitutes"] else None
        effect = counts_effect(entry=entry, guest=body.get("guest", entry.guest), substitutes=substitutes)
        return {
            "rankings": ranking_effects(entry.event.season, [effect.table] if effect.table else []),
            "season": effect.events,
        }
