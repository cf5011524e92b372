"""Corrections, for programs: made, and previewed with all their effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from engine.record.canonical import canonical_json
from engine.record.reason import LENGTH
from games.models import Game
from league.core.frame.api.serializers import Body, Serializer
from league.core.log.services import Actor
from league.disputes.correction.queries.counts import counts_effect
from league.disputes.correction.queries.ranking import RankingEffect
from league.disputes.correction.services import correction_preview, game_correct
from league.disputes.ruling.services.ruling import refuse_if_ruling_needed
from league.events.entry.api import EntryPreviewBody, EntryView, player_of_club
from league.events.entry.models import Entry
from league.records.game.api import OneGameSerializer
from league.records.game.queries.game import game_row
from league.standings.ranking.api.view import GameView, WriteView, changes
from league.standings.season.models import Season
from league.standings.season.queries.access import game_for


class EffectRowSerializer(Serializer):
    """A player's row before and after a change. Ranks and points are null if there is no row."""

    player = serializers.CharField(
        allow_null=True, help_text="The id; null for a player who would be new."
    )
    handle = serializers.CharField()
    name = serializers.CharField()
    rank_before = serializers.IntegerField(allow_null=True)
    rank_after = serializers.IntegerField(allow_null=True)
    points_before = serializers.IntegerField(allow_null=True)
    points_after = serializers.IntegerField(allow_null=True)
    games_before = serializers.IntegerField()
    games_after = serializers.IntegerField()


class RankingEffectSerializer(Serializer):
    """The rows of the players concerned, in the table of a season or of all time."""

    season = serializers.CharField(
        allow_null=True, help_text="The slug; null for the table of all time."
    )
    rows = EffectRowSerializer(many=True)
    rated_again = serializers.IntegerField(
        allow_null=True,
        help_text="The number of games that would be rated again; 1001 stands for more than 1000, "
        "null for none.",
    )


class RankAndPointsSerializer(Serializer):
    """A rank with its points, as an exact text."""

    rank = serializers.IntegerField()
    points = serializers.CharField()


class StandingChangeSerializer(Serializer):
    """A player's standing before and after, by name; null if they aren't ranked."""

    name = serializers.CharField()
    before = RankAndPointsSerializer(allow_null=True)
    after = RankAndPointsSerializer(allow_null=True)


class SeededSerializer(Serializer):
    """A player's place in a stage."""

    group = serializers.IntegerField()
    seed = serializers.IntegerField()


class MovedSerializer(Serializer):
    """A player who would have another place in a stage."""

    name = serializers.CharField()
    then = SeededSerializer()
    now = SeededSerializer()


class RoundInNamesSerializer(Serializer):
    """A round with the tables that wouldn't be drawn again and those that would replace them, by
    name."""

    number = serializers.IntegerField()
    drawn = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    now = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class StageOtherwiseSerializer(Serializer):
    """A stage that would change: the players who would come in or be out, and the rounds that would
    be drawn differently. It stays as it was played until an organiser decides."""

    number = serializers.IntegerField(source="stage.number")
    name = serializers.CharField(source="stage.name")
    new = serializers.ListField(source="made.new", default=[], child=serializers.CharField())
    out = serializers.ListField(source="made.out", default=[], child=serializers.CharField())
    moved = MovedSerializer(source="made.moved", default=[], many=True)
    rounds = RoundInNamesSerializer(
        source="named_rounds",
        many=True,
        help_text="For a stage that would be made up differently, its first round.",
    )


class EventEffectSerializer(Serializer):
    """The changes at the event; `finals` and `season` are empty until it is over."""

    stages = StageOtherwiseSerializer(many=True)
    finals = StandingChangeSerializer(many=True)
    season = StandingChangeSerializer(
        many=True, help_text="The season, where it is counted by events."
    )


class VoidPreviewSerializer(Serializer):
    """The changes that a decision about a game would make. `event` is null for a game without a
    table."""

    rankings = RankingEffectSerializer(many=True)
    event = EventEffectSerializer(allow_null=True)


class CountsPreviewSerializer(Serializer):
    """The changes if an entry counted for somebody else. `rankings` is empty for a player without a
    game."""

    rankings = RankingEffectSerializer(many=True)
    season = StandingChangeSerializer(
        many=True, help_text="The season, where it is counted by events."
    )


def ranking_effects(season: Season, effects: Sequence[RankingEffect]) -> list[dict[str, Any]]:
    """Return the effects on the rankings of a season's games as the serializer takes them."""
    return [
        {
            "season": season.slug if effect.ranking_id == season.ranking_id else None,
            "rows": effect.rows,
            "rated_again": effect.rated_again,
        }
        for effect in effects
    ]


class EntryPreviews(EntryView):
    """The preview of an entry that counts for somebody else, or for nobody."""

    @changes(
        "Preview an entry that counts differently",
        EntryPreviewBody(partial=True),
        CountsPreviewSerializer,
        example={"guest": True},
    )
    def preview_entry(self, entry: Entry, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Return what changing an entry like this would change in the season, for organisers; change
        nothing."""
        guest = body.get("guest", entry.guest)
        substitutes = entry.substitutes
        if body.get("substitutes"):
            substitutes = player_of_club(self.club, body["substitutes"])
        elif "substitutes" in body:
            substitutes = None
        effect = counts_effect(entry=entry, guest=guest, substitutes=substitutes)
        tables = [effect.table] if effect.table else []
        return {
            "rankings": ranking_effects(entry.event.season, tables),
            "season": effect.events,
        }


class CorrectionPreviewBody(Body):
    """The record that a game should have."""

    record = serializers.DictField(
        child=serializers.JSONField(allow_null=True),
        help_text="With the game's id and all its seats.",
    )


class CorrectionBody(CorrectionPreviewBody):
    """The record that a game should have, and why. Everybody can read the reason."""

    reason = serializers.CharField(max_length=LENGTH)


class GameCorrections(GameView, WriteView):
    """Corrections of one game that nobody disputes."""

    right = "league.correct_game"
    ground = "game"
    refusal = "Arbiters and organisers of the club may do this."

    @changes("Correct a game", CorrectionBody, OneGameSerializer, created=True)
    def correct_game(self, game: Game, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Replace a game by a corrected record. The answer is the new revision.

        A disputed game is refused with `ruling_needed`: rule on it.
        """
        refuse_if_ruling_needed(game)
        line = canonical_json(body["record"])
        corrected = game_correct(
            game=game, line=line, reason=actor.reason, entered_by_id=actor.account_id
        )
        return game_row(game_for(self.viewer(self.club.slug), corrected.public_id))

    @changes("Preview a correction", CorrectionPreviewBody, VoidPreviewSerializer)
    def preview_correction(self, game: Game, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Return what a corrected record would change, for arbiters and organisers; change
        nothing."""
        preview = correction_preview(game=game, line=canonical_json(body["record"]))
        return {
            "rankings": ranking_effects(game.season_game.season, preview.effects),
            "event": preview.event,
        }
