"""Corrections and what they do: looked at before it is done, a game voided, rounds kept as they were played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rest_framework import serializers

from engine.record.reason import LENGTH as REASON_LENGTH
from games.models import Game
from league.entries.api.entry import EntryPreviewBody, EntryView, player_of_club
from league.entries.models import Entry
from league.events.api.event import EventWriteView
from league.frame.api.operation import reads
from league.frame.api.serializers import Body, Serializer
from league.log.services import Actor
from league.records.api.game import OneGameSerializer
from league.records.queries.game import game_row
from league.rulings.domain.round import DrawnOtherwise, drawn_otherwise
from league.rulings.queries.counts import counts_effect
from league.rulings.queries.ranking import RankingEffect
from league.rulings.queries.void import void_preview
from league.rulings.services.stage import played_keep
from league.seasons.api.view import GameView, ReasonBody, WriteView, changes
from league.seasons.models import Season
from league.stages.models import Stage
from league.tables.api.view import StageView
from league.tables.queries.stage import stage_facts
from league.tables.services.void import game_restore, game_void_add


class EffectRowSerializer(Serializer):
    """Somebody's row before and after. Ranks and points are null where there is no row."""

    player = serializers.CharField(allow_null=True, help_text="The id; null for somebody who would be new.")
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

    season = serializers.CharField(allow_null=True, help_text="The slug; null for the table of all time.")
    rows = EffectRowSerializer(many=True)
    rated_again = serializers.IntegerField(
        allow_null=True, help_text="Games that are rated anew; 1001 stands for more than 1000, null for none."
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
    """A stage that would be otherwise: who would come in or not be in it, and the rounds that would be drawn anew. It
    stays as it was played until an organiser decides."""

    number = serializers.IntegerField(source="stage.number")
    name = serializers.CharField(source="stage.name")
    new = serializers.ListField(source="made.new", default=[], child=serializers.CharField())
    out = serializers.ListField(source="made.out", default=[], child=serializers.CharField())
    moved = MovedSerializer(source="made.moved", default=[], many=True)
    rounds = RoundInNamesSerializer(
        source="named_rounds", many=True, help_text="Of a stage that would be made up otherwise the first one."
    )


class EventEffectSerializer(Serializer):
    """All that would be otherwise at the event; `finals` and `season` once it is over."""

    stages = StageOtherwiseSerializer(many=True)
    finals = StandingChangeSerializer(many=True)
    season = StandingChangeSerializer(many=True, help_text="The season, where it is counted by events.")


class VoidPreviewSerializer(Serializer):
    """All that voiding or restoring a game would do. `event` is null for a game of no table."""

    rankings = RankingEffectSerializer(many=True)
    event = EventEffectSerializer(allow_null=True)


class CountsPreviewSerializer(Serializer):
    """All that it would do if an entry counted otherwise. `rankings` is empty for who has played no game."""

    rankings = RankingEffectSerializer(many=True)
    season = StandingChangeSerializer(many=True, help_text="The season, where it is counted by events.")


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


VOID: Final = {"reason": "It was entered for the wrong evening."}


class VoidBody(Body):
    """The decision that a game counts for nothing, or that it counts again. Everybody can read the reason."""

    stands = serializers.BooleanField(default=True, help_text="False: it counts again.")
    reason = serializers.CharField(max_length=REASON_LENGTH)


class VoidPreviewBody(Body):
    """The decision that is looked at."""

    stands = serializers.BooleanField(default=True, help_text="False: the game would count again.")


class GameVoids(GameView, WriteView):
    """Games that count for nothing."""

    right = "league.correct_game"
    ground = "game"
    refusal = "Arbiters and organisers of the club may do this."

    @changes("Void a game", VoidBody, OneGameSerializer, example=VOID)
    def void_game(self, game: Game, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Take the newest revision of a game out of all that is counted, as an arbiter or an organiser, or restore it.

        It stays readable and says so. The same record sent again is answered `voided`.
        """
        service = game_void_add if body["stands"] else game_restore
        service(game=game, actor=actor)
        return game_row(game)

    @changes("What voiding a game would do", VoidPreviewBody, VoidPreviewSerializer)
    def preview_void(self, game: Game, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Tell arbiters and organisers what voiding a game, or restoring it, would do; nothing is changed."""
        preview = void_preview(game=game, stands=body["stands"])
        return {"rankings": ranking_effects(game.season_game.season, preview.effects), "event": preview.event}


class RoundOtherwiseSerializer(Serializer):
    """A round of a group with the tables that would be others now, and those in their place: ids of entries."""

    round_ = serializers.IntegerField(source="stage_round.number")
    drawn = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    now = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class RoundsKeptSerializer(Serializer):
    """The number of rounds that are kept by this."""

    kept = serializers.IntegerField()


class RoundsOtherwise(StageView, EventWriteView):
    """The rounds of a stage that would be drawn otherwise now."""

    @reads("Rounds that would be drawn otherwise", RoundOtherwiseSerializer(many=True), for_organisers=True,
           limit="export")  # fmt: skip
    def list_otherwise(self, stage: Stage) -> list[DrawnOtherwise]:
        """The rounds that corrected results would have drawn otherwise, and that nobody has kept; for organisers."""
        return drawn_otherwise(stage_facts(stage))

    @changes("Keep rounds as they were played", ReasonBody, RoundsKeptSerializer)
    def keep_rounds(self, stage: Stage, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Keep the rounds as they were played, as an organiser; or take them back, the first of them with all later
        ones (`move_round`)."""
        return {"kept": played_keep(stage=stage, actor=actor)}
