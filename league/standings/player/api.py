"""Players: their figures, claims and claim codes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.functional import cached_property
from rest_framework import serializers

from league.core.claim.models import Claim, ClaimCode
from league.core.claim.queries import claims_of_club
from league.core.claim.services import claim_codes_make, claim_end
from league.core.frame.api.links import CLUB, game_link, player_link, season_link
from league.core.frame.api.operation import again, reads
from league.core.frame.api.pagination import LazyRows
from league.core.frame.api.problems import named
from league.core.frame.api.serializers import (
    Body,
    IdsField,
    LinkField,
    ModelSerializer,
    Serializer,
    TimeField,
)
from league.core.log.services import Actor
from league.core.player.api import PlayerSerializer
from league.core.player.models import Player
from league.standings.player.queries.player import PlayerSeason, seasons_of
from league.standings.player.queries.rivals import RatingDay, Rival, history_of, rivals_of
from league.standings.ranking.api.ranking import StandingSerializer
from league.standings.ranking.api.view import (
    BoardView,
    ReasonBody,
    SeenView,
    WriteView,
    changes,
    named_by_id,
)
from league.standings.season.queries.access import player_for, visible_players, visible_seasons
from league.standings.season.queries.listing import Rows, player_rows
from league.standings.standing.queries.days import RankDay, play_days, rank_days
from league.standings.standing.queries.standing import Share, TableRow, row_of, shares_of


class PlayerSeasonSerializer(Serializer):
    """A player's row in a season's table, and the rating (null if the season isn't rated)."""

    season = serializers.CharField(source="slug")
    name = serializers.CharField()
    url = serializers.SerializerMethodField()
    rank = serializers.IntegerField()
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    points = serializers.IntegerField()
    mu = serializers.FloatField(allow_null=True)
    sigma = serializers.FloatField(allow_null=True)
    provisional = serializers.BooleanField(
        help_text="True while a player objects to the result of a game in it."
    )

    def get_url(self, row: PlayerSeason) -> str:
        """The address of the season."""
        return season_link(self.context["view"].player.club.slug, row.slug)


class PlayerFiguresSerializer(Serializer):
    """A player with the figures of all seasons you may see, the latest first."""

    id_ = serializers.CharField(source="player.public_id")
    handle = serializers.CharField(source="player.handle")
    name = serializers.CharField(source="player.name")
    url = LinkField(player_link, "player.public_id")
    club = serializers.CharField(source="player.club.slug")
    seasons = PlayerSeasonSerializer(many=True)
    games = LinkField(
        f"{CLUB}games/?player={{}}".format,
        "player.club.slug",
        "player.public_id",
        help_text="The address of the player's games.",
    )


class Players(SeenView):
    """Views of a club's players and their figures."""

    player = named_by_id("player", player_for, "club")

    def get_object(self) -> Player | None:
        """Return the player, if the address names one."""
        return self.player if "player" in self.kwargs else None

    @reads("A club's players", PlayerSerializer(many=True))
    def list_players(self, _: None) -> Rows:
        """The players with a game in a season you may see, by name."""
        return player_rows(visible_seasons(self.viewer(self.club.slug)), self.club)

    @reads("A player's figures", PlayerFiguresSerializer)
    def get_player(self, player: Player) -> dict[str, Any]:
        """A player with the figures of every season."""
        return {
            "player": player,
            "seasons": seasons_of(player, visible_seasons(self.viewer(player.club.slug))),
        }


UP_TO_THEN: Final = "True while the result of one of the player's games up to then is disputed."
MOST_DAYS: Final = 10_000
"""More days of play than a club has in a century."""


class PointsOfGameSerializer(Serializer):
    """What a counted game earned a player; `total` is the points up to and including it. The
    ratings belong to the player who sat there, and are null if the ranking isn't rated."""

    game = LinkField(game_link, "game.game", help_text="The address of the game.")
    played_at = TimeField(source="game.played_at", allow_null=True)
    sat = PlayerSerializer(
        source="*",
        columns=("player", "handle", "name"),
        help_text="Who sat there: the player, or a substitute.",
    )
    rank = serializers.IntegerField()
    points = serializers.IntegerField()
    total = serializers.IntegerField()
    mu_before = serializers.FloatField(allow_null=True)
    mu = serializers.FloatField(allow_null=True)
    provisional = serializers.BooleanField(
        source="game.provisional",
        help_text="True while a player objects to the result of the game.",
    )


class RankDaySerializer(Serializer):
    """A player's rank after a day of play, out of `players`; `points` are all up to and including
    that day."""

    day = serializers.DateField(
        allow_null=True, help_text="In the club's time zone; null for games without a time."
    )
    games = serializers.IntegerField(help_text="The player's games on that day.")
    points = serializers.IntegerField()
    rank = serializers.IntegerField()
    players = serializers.IntegerField()
    rank_before = serializers.IntegerField(
        source="before", allow_null=True, help_text="The rank after the day before."
    )
    provisional = serializers.BooleanField(help_text=UP_TO_THEN)


class RatingDaySerializer(Serializer):
    """A player's rating after a day of play at an event; `event` is empty for games outside
    events."""

    event = serializers.CharField()
    day = serializers.DateField(
        allow_null=True, help_text="In the club's time zone; null for games without a time."
    )
    games = serializers.IntegerField(help_text="The games on that day at that event.")
    mu = serializers.FloatField()
    sigma = serializers.FloatField()
    provisional = serializers.BooleanField(help_text=UP_TO_THEN)


class RivalSerializer(Serializer):
    """An opponent: how many finished games both sat in, and in how many the player was ahead."""

    player = PlayerSerializer(source="*", columns=("player", "handle", "name"))
    games = serializers.IntegerField()
    ahead = serializers.IntegerField()
    behind = serializers.IntegerField()
    provisional = serializers.BooleanField(
        help_text="True while the result of one of these games is disputed."
    )


class PlayerInRanking(BoardView):
    """A player in the ranking of a season, or of all time. A merged player has the row, points and
    ranks of the player they were merged into; ratings stay with the player who sat there."""

    noun = "player"

    @cached_property
    def player(self) -> Player:
        """Return the player of the address. Raise `Player.DoesNotExist` unless a season that the
        viewer may see has a game of theirs."""
        players = visible_players(self.viewer(self.club.slug)).select_related("club", "merged_into")
        return players.get(club=self.club, public_id=self.kwargs["player"])

    @reads("A player's row of the table", StandingSerializer)
    def get_standing(self, player: Player) -> TableRow:
        """The row of a player with a game that counts; for a merged player, that of the player they
        were merged into."""
        return row_of(self.board.ranking, player.current.public_id)

    @reads("A player's points game by game", PointsOfGameSerializer(many=True))
    def list_points(self, player: Player) -> LazyRows[Share]:
        """Every game that makes up the player's row, in order of play, with what it earned."""
        row = row_of(self.board.ranking, player.current.public_id)
        return LazyRows(
            lambda: row.games,
            lambda first, count: shares_of(
                self.board.ranking, row.player, first=first, count=count
            ),
        )

    @reads("A player's ranks by day", RankDaySerializer(many=True))
    def list_ranks(self, player: Player) -> LazyRows[RankDay]:
        """The rank after each day of play from the player's first on, the latest first."""
        days = play_days(self.board.ranking, player.current)

        def read(first: int, count: int) -> list[RankDay]:
            with_day_before = days[first : first + count + 1]
            return rank_days(self.board.ranking, player.current, with_day_before)[:count]

        return LazyRows(partial(len, days), read)

    @reads("A player's ratings by day", RatingDaySerializer(many=True))
    def list_rating_days(self, player: Player) -> Sequence[RatingDay]:
        """The rating after each day of play at an event, the latest first; empty if nothing is
        rated."""
        history, _ = history_of(player, self.board.ranking.pk, MOST_DAYS)
        return history[::-1]

    @reads("A player's rivals", RivalSerializer(many=True))
    def list_rivals(self, player: Player) -> Sequence[Rival]:
        """Everybody the player has met, the most frequent first."""
        return rivals_of(player, [self.board.ranking.pk])

    get_all_time_standing = again(get_standing, "A player's row of the all-time table")
    list_all_time_points = again(list_points, "A player's all-time points, game by game")
    list_all_time_ranks = again(list_ranks, "A player's all-time ranks by day")
    list_all_time_rating_days = again(list_rating_days, "A player's all-time ratings")
    list_all_time_rivals = again(list_rivals, "A player's all-time rivals")


ENDED: Final = "ended"


class ClaimSerializer(ModelSerializer[Claim]):
    """A claim to be a player: by which account, in which way, and when it ended (null while it
    holds)."""

    player = LinkField(player_link, "player.public_id", help_text="The address of the player.")
    account = serializers.CharField(
        source="user.username",
        default=None,
        allow_null=True,
        help_text="Null once the player is erased.",
    )
    phone = serializers.BooleanField(
        source="user.is_phone",
        default=False,
        help_text="Whether it is a phone’s own account, without an email address.",
    )

    class Meta:
        model = Claim
        fields = ["id", "player", "account", "phone", "way", "claimed_at", "ended_at"]


class CodesBody(Body):
    """The players who get a code."""

    players = IdsField(min_length=1)
    anew = serializers.BooleanField(
        default=False, help_text="Make a new code for players who already have one."
    )


class ClaimCodeSerializer(Serializer):
    """The code of a player."""

    player = serializers.CharField(source="player.public_id")
    code = serializers.CharField()


class ClaimEndBody(ReasonBody):
    """A claim that ends."""

    status = serializers.ChoiceField([ENDED])


class Claims(WriteView):
    """The claims of a club's players, for its organisers."""

    def get_object(self) -> Any:
        """Return the claim, or all of the club's. Raise `Claim.DoesNotExist`."""
        claims = claims_of_club(self.club)
        return claims.get(public_id=self.kwargs["claim"]) if "claim" in self.kwargs else claims

    @reads("A club's claims", ClaimSerializer(many=True), for_writers=True)
    def list_claims(self, claims: QuerySet[Claim]) -> QuerySet[Claim]:
        """The claims of a club's players, current ones first; for organisers."""
        return claims

    @changes(
        "Make codes for players",
        CodesBody,
        ClaimCodeSerializer(many=True),
        example={"players": ["w4kq8zt2nb"]},
    )
    def make_claim_codes(
        self, claims: QuerySet[Claim], body: dict[str, Any], actor: Actor
    ) -> list[ClaimCode]:
        """Make codes, as an organiser: the first account to enter a code becomes that player.
        Players with an account get none."""
        rows = Player.objects.filter(club=self.club, public_id__in=body["players"])
        players = named(
            rows, body["players"], "/players", "The club has no such player.", "no_such_player"
        )
        return claim_codes_make(club=self.club, players=players, actor=actor, anew=body["anew"])

    @changes("End a claim", ClaimEndBody, ClaimSerializer, example={"status": ENDED})
    def end_claim(self, claim: Claim, body: dict[str, Any], actor: Actor) -> Claim:
        """Undo a claim, as an organiser: nobody is that player until somebody claims it again."""
        claim_end(claim=claim, actor=actor)
        return claims_of_club(self.club).get(pk=claim.pk)
