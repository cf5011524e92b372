"""All that a change of results would do, as answers tell it before anything is done."""

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
from league.disputes.ruling.services.ruling import refuse_ruled
from league.events.entry.api import EntryPreviewBody, EntryView, player_of_club
from league.events.entry.models import Entry
from league.records.game.api import OneGameSerializer
from league.records.game.queries.game import game_row
from league.standings.ranking.api.view import GameView, WriteView, changes
from league.standings.season.models import Season
from league.standings.season.queries.access import game_for


class EffectRowSerializer(Serializer):
    """Somebody's row before and after. Ranks and points are null where there is no row."""

    player = serializers.CharField(
        allow_null=True, help_text="The id; null for somebody who would be new."
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
    """The rows of those who are concerned, in the table of a season or of all time."""

    season = serializers.CharField(
        allow_null=True, help_text="The slug; null for the table of all time."
    )
    rows = EffectRowSerializer(many=True)
    rated_again = serializers.IntegerField(
        allow_null=True,
        help_text="Games that are rated anew; 1001 stands for more than 1000, null for none.",
    )


class RankAndPointsSerializer(Serializer):
    """A rank with its points, as an exact text."""

    rank = serializers.IntegerField()
    points = serializers.CharField()


class StandingChangeSerializer(Serializer):
    """Somebody, by the name, before and after; null where they aren't ranked."""

    name = serializers.CharField()
    before = RankAndPointsSerializer(allow_null=True)
    after = RankAndPointsSerializer(allow_null=True)


class SeededSerializer(Serializer):
    """Where somebody is in a stage."""

    group = serializers.IntegerField()
    seed = serializers.IntegerField()


class MovedSerializer(Serializer):
    """Somebody who would be elsewhere in a stage."""

    name = serializers.CharField()
    then = SeededSerializer()
    now = SeededSerializer()


class RoundInNamesSerializer(Serializer):
    """A round with the tables that would be others now, and those in their place, by names."""

    number = serializers.IntegerField()
    drawn = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    now = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class StageOtherwiseSerializer(Serializer):
    """A stage that would be otherwise: who would come in or not be in it, and the rounds that would
    be drawn anew. It stays as it was played until an organiser decides."""

    number = serializers.IntegerField(source="stage.number")
    name = serializers.CharField(source="stage.name")
    new = serializers.ListField(source="made.new", default=[], child=serializers.CharField())
    out = serializers.ListField(source="made.out", default=[], child=serializers.CharField())
    moved = MovedSerializer(source="made.moved", default=[], many=True)
    rounds = RoundInNamesSerializer(
        source="named_rounds",
        many=True,
        help_text="Of a stage that would be made up otherwise the first one.",
    )


class EventEffectSerializer(Serializer):
    """All that would be otherwise at the event; `finals` and `season` once it is over."""

    stages = StageOtherwiseSerializer(many=True)
    finals = StandingChangeSerializer(many=True)
    season = StandingChangeSerializer(
        many=True, help_text="The season, where it is counted by events."
    )


class VoidPreviewSerializer(Serializer):
    """All that voiding or restoring a game would do. `event` is null for a game of no table."""

    rankings = RankingEffectSerializer(many=True)
    event = EventEffectSerializer(allow_null=True)


class CountsPreviewSerializer(Serializer):
    """All that it would do if an entry counted otherwise. `rankings` is empty for who has played no
    game."""

    rankings = RankingEffectSerializer(many=True)
    season = StandingChangeSerializer(
        many=True, help_text="The season, where it is counted by events."
    )


def ranking_effects(season: Season, effects: Sequence[RankingEffect]) -> list[dict[str, Any]]:
    """The effects on the rankings of a season's games as the serializer sends them."""
    return [
        {
            "season": season.slug if effect.ranking_id == season.ranking_id else None,
            "rows": effect.rows,
            "rated_again": effect.rated_again,
        }
        for effect in effects
    ]


class EntryPreviews(EntryView):
    """The look at what it does if an entry counts for somebody else, or for nobody."""

    @changes(
        "What it would do if an entry counted otherwise",
        EntryPreviewBody(partial=True),
        CountsPreviewSerializer,
        example={"guest": True},
    )
    def preview_entry(self, entry: Entry, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Tell organisers what such a change of an entry would do to the season; nothing is
        changed."""
        substitutes = entry.substitutes
        if "substitutes" in body:
            substitutes = (
                player_of_club(self.club, body["substitutes"]) if body["substitutes"] else None
            )
        effect = counts_effect(
            entry=entry, guest=body.get("guest", entry.guest), substitutes=substitutes
        )
        return {
            "rankings": ranking_effects(entry.event.season, [effect.table] if effect.table else []),
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
        """Let a corrected record count in the place of a game. The answer is the new revision.

        A disputed game is refused with `ruling_needed`: rule on it.
        """
        refuse_ruled(game)
        line = canonical_json(body["record"])
        corrected = game_correct(
            game=game, line=line, reason=actor.reason, entered_by_id=actor.account_id
        )
        return game_row(game_for(self.viewer(self.club.slug), corrected.public_id))

    @changes("What a correction would change", CorrectionPreviewBody, VoidPreviewSerializer)
    def preview_correction(self, game: Game, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Tell arbiters and organisers what a corrected record would change; nothing is changed."""
        preview = correction_preview(game=game, line=canonical_json(body["record"]))
        return {
            "rankings": ranking_effects(game.season_game.season, preview.effects),
            "event": preview.event,
        }
