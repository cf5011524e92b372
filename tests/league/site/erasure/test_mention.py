"""What people wrote of somebody is listed before the person is erased, and loses the name where no
digest seals it."""

import io
import json
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from engine.record.club_log import entry_json, next_digest, verify_log
from engine.record.verify import verify_line
from games.models import Game, Round, Seat
from games.queries.game import game_head
from league.core.club.services import club_change
from league.core.key.services.key import key_create
from league.core.log.queries import log_chunks
from league.core.log.services import Actor
from league.core.player.actions import PlayerAction
from league.counting.event_counting.services import divisions_set
from league.disputes.correction.services import game_correct
from league.events.entry.services.entry import entry_withdraw
from league.events.event.services import event_change
from league.models import (
    Draw,
    Entry,
    Event,
    LogEntry,
    LogHead,
    Player,
    Role,
    Season,
    SeasonGame,
    StageRound,
    Walkover,
)
from league.notices.message.services import message_send
from league.records.file.services import Outcome, record_import
from league.site.erasure.domain import Mention, Remedy
from league.site.erasure.queries import player_mentions
from league.site.erasure.services.erasure import player_erase
from league.stages.round.services import round_change
from league.stages.stage.services.stage import stage_change
from league.stages.table.services.walkover import walkover_give
from league.standings.player.services import player_link
from league.standings.ranked_game.actions import GameAction
from league.standings.season.services.season import season_change
from tests.factories import events
from tests.factories.counted import counted_season
from tests.factories.league import ClubFactory, MembershipFactory, PlayerFactory, UserFactory
from tests.factories.records import bluff_record, line
from tests.league.site.audit.differences import club_differences
from tests.league.site.erasure.test_erasure import settle, traces

pytestmark = pytest.mark.django_db
WHY: Final = "Zacharias threw a four, not a five."


@pytest.fixture
def season() -> Season:
    club = ClubFactory.create(slug="stern")
    return counted_season(
        [bluff_record(1, seats=("zacharias", "ben")), bluff_record(2, seats=("cleo", "ben"))],
        club=club,
    )


@pytest.fixture
def zacharias(season: Season) -> Player:
    return Player.objects.get(handle="zacharias")


@pytest.fixture
def corrected(season: Season) -> Game:
    """A game whose correction names somebody who didn't sit in it."""
    old = Game.objects.get(external_id=bluff_record(2)["id"])
    record = bluff_record(12, seats=("cleo", "ben")) | {"id": old.external_id}
    return game_correct(game=old, line=line(record), reason=WHY)


def night(season: Season) -> Event:
    made = events.event(season, status=Event.Status.RUNNING)
    texts = {
        "venue": "Zacharias’s cellar",
        "price_note": "Pay zacharias.",
        "description": "Thanks to ZACHARIAS!",
    }
    event_change(event=made, actor=Actor(reason="zacharias said so"), name="Zacharias Cup", **texts)
    return made


def drawn(season: Season) -> StageRound:
    """A round that was changed by hand, with a table that was given without play."""
    made = night(season)
    events.crowd(made, 4)
    divisions_set(
        season=season, actor=Actor(), divisions=[("Class of Zacharias", 0, 0)], players={}
    )
    stage = events.stage(made, sizes=[2], scoring="win_draw_loss", by_division=True)
    divisions_set(season=season, actor=Actor(), divisions=[], players={})
    stage_change(stage=stage, actor=Actor(), name="Round of Zacharias")
    stage_round = events.drawn(stage)
    facts = events.facts(stage)
    round_change(
        stage_round=stage_round,
        tables=[facts.ids(table)[::-1] for table in facts.tables],
        draws_seen=[draw.public_id for draw in facts.draws],
        actor=Actor(reason="Zacharias was late."),
    )
    table = stage_round.tables.select_related("stage_round__stage__event__club").get(number=1)
    entry = Entry.objects.select_related("event").get(seats__table=table, seats__seat=0)
    entry_withdraw(entry=entry, actor=Actor(reason="zacharias drove home"))
    walkover_give(table=table, actor=Actor(reason="Left with Zacharias."))
    return stage_round


def everything(season: Season) -> None:
    """The name wherever somebody can write it and it can be removed."""
    drawn(season)
    season_change(season=season, actor=Actor(), name="Season of Zacharias")
    club_change(club=season.club, actor=Actor(), about="Founded by Zacharias.")
    event = Event.objects.get(season=season)
    for entry in Entry.objects.filter(event=event):
        player_link(player=entry.player, account=UserFactory.create(), actor=Actor())
    message_send(event=event, subject="Ask Zacharias", text="He knows.", actor=Actor())


def mentions_of(player: Player) -> dict[str, Mention]:
    return {mention.noun: mention for mention in player_mentions(player)}


def holds(season: Season) -> list[str]:
    settle()
    return [str(difference) for difference in club_differences(season.club_id)]


def exported(season: Season) -> list[bytes]:
    return b"".join(log_chunks(season.club_id)).split(b"\n")[:-1]


def erase(player: Player, *spared: str) -> None:
    assert player_erase(player=player, actor=Actor(), spared=spared)


def test_free_texts_and_reasons_stand_beside_the_log(season: Season) -> None:
    everything(season)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM league_logentry WHERE payload || reason ILIKE '%%zacharias%%'"
        )
        assert cursor.fetchone() == (0,)
    assert "league_logentry.names" in traces("zacharias")
    assert verify_log(exported(season)).error is None
    assert b"Zacharias Cup" in b"".join(exported(season))
    assert holds(season) == []


def test_all_that_names_the_player_is_listed_with_its_page(
    client: Client, season: Season, corrected: Game, zacharias: Player
) -> None:
    everything(season)
    mentions = mentions_of(zacharias)
    remedies = {noun: mention.remedy for noun, mention in mentions.items()}
    assert remedies == {
        **dict.fromkeys(("game", "draw", "table", "log"), Remedy.REMOVED),
        **dict.fromkeys(("season", "club", "event", "stage", "group"), Remedy.REWRITTEN),
        "message": Remedy.EMPTIED,
    }
    client.force_login(MembershipFactory.create(club=season.club, role=Role.ORGANISER).user)
    for mention in mentions.values():
        assert client.get(mention.url).status_code == 200, mention
        assert "zacharias" in mention.excerpt.casefold()


def test_no_table_tells_the_name_afterwards(
    season: Season, corrected: Game, zacharias: Player
) -> None:
    everything(season)
    head = game_head(corrected)
    erase(zacharias)
    assert traces("zacharias") == set()
    assert b"acharias" not in b"".join(exported(season))
    assert verify_log(exported(season)).error is None
    assert holds(season) == []
    event = Event.objects.get(season=season)
    assert (event.name, event.description) == (
        f"{zacharias.pseudonym} Cup",
        f"Thanks to {zacharias.pseudonym}!",
    )
    corrected.refresh_from_db()
    assert (corrected.reason, game_head(corrected)) == ("", head)
    assert player_mentions(Player.objects.get(pk=zacharias.pk)) == []


def test_what_means_somebody_else_is_spared(
    season: Season, corrected: Game, zacharias: Player
) -> None:
    everything(season)
    mentions = mentions_of(zacharias)
    erase(zacharias, mentions["game"].key, mentions["event"].key, mentions["draw"].key)
    corrected.refresh_from_db()
    assert corrected.reason == WHY
    assert Event.objects.get(season=season).name == "Zacharias Cup"
    assert Draw.objects.get(by_hand=True).reason == "Zacharias was late."
    assert set(Walkover.objects.values_list("reason", flat=True)) == {""}
    assert traces("zacharias") == {
        *("games_game.reason", "league_draw.reason", "league_logentry.names"),
        *(
            "league_event.name",
            "league_event.venue",
            "league_event.price_note",
            "league_event.description",
        ),
    }
    assert LogEntry.objects.get(action=GameAction.CORRECTED).why == WHY
    assert holds(season) == []


def test_only_whole_words_are_meant(season: Season) -> None:
    al = PlayerFactory.create(club=season.club, handle="al", name="Al")
    made = events.event(season)
    event_change(event=made, actor=Actor(), description="All of Albert’s friends")
    assert player_mentions(al) == []
    event_change(event=made, actor=Actor(), description="All of AL’s friends")
    assert [mention.noun for mention in player_mentions(al)] == ["event"]


def test_what_can_not_be_removed_is_listed_too(season: Season, zacharias: Player) -> None:
    key_create(
        club=season.club,
        user=MembershipFactory.create(club=season.club).user,
        label="Phone of Zacharias",
    )
    divisions_set(
        season=season, actor=Actor(), divisions=[("Zacharias A", 0, 1), ("B", 1, 0)], players={}
    )
    counted_season(
        [bluff_record(5, seats=("cleo", "ben"), id="final-zacharias-1")], club=season.club
    )
    remedies = {noun: mention.remedy for noun, mention in mentions_of(zacharias).items()}
    assert remedies["key"] == remedies["division"] == Remedy.BY_HAND
    assert remedies["record"] == Remedy.SEALED


def old_entry(season: Season, **parts: Any) -> None:
    """An entry as it was before words stood beside it, at the end of the log."""
    head = LogHead.objects.get(club=season.club_id)
    position = head.position + 1
    at = LogEntry.objects.latest("at").at
    entry = {
        "action": "event.changed",
        "subject": "2222222222",
        "payload": {},
        "reason": "",
    } | parts
    digest = next_digest(
        bytes(head.digest), entry_json(position=position, actor=None, request="", at=at, **entry)
    )
    payload = json.dumps(
        entry.pop("payload"), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    LogEntry.objects.create(
        club_id=season.club_id, position=position, at=at, digest=digest, payload=payload, **entry
    )
    LogHead.objects.filter(pk=head.pk).update(position=position, digest=digest)


def test_older_entries_hold_and_are_listed_as_sealed(season: Season, zacharias: Player) -> None:
    old_entry(season, reason="zacharias is ill")
    old_entry(season, payload={"after": {"venue": "At Zacharias’s"}, "before": {"venue": ""}})
    assert holds(season) == []
    sealed = [mention for mention in player_mentions(zacharias) if mention.remedy == Remedy.SEALED]
    assert [mention.excerpt for mention in sealed] == ["zacharias is ill", "At Zacharias’s"]
    erase(zacharias)
    assert holds(season) == []
    assert traces("zacharias") == {"league_logentry.reason", "league_logentry.payload"}


def old_correction(season: Season) -> Game:
    """A correction as it was before headers sealed reasons."""
    before = Game.objects.get(external_id=bluff_record(2)["id"])
    game = Game.objects.get(pk=before.pk)
    game.pk, game.public_id, game.revision, game.replaces, game.reason = (
        None,
        "2222222222",
        2,
        before,
        WHY,
    )
    game.entered_at, game.entered_by = LogEntry.objects.latest("at").at, None
    game.save(force_insert=True)
    for seat in Seat.objects.filter(game=before).order_by("number"):
        Seat.objects.create(
            game=game, number=seat.number, handle=seat.handle, seal=bytes(seat.seal)
        )
    for row in Round.objects.filter(game=before).order_by("number"):
        row.game = game
        row.save(force_insert=True)
    SeasonGame.objects.create(season=season, game=game)
    payload = {
        "replaces": before.public_id,
        "season": season.public_id,
        "head": game_head(game).hex(),
    }
    old_entry(season, action="game.corrected", subject=game.public_id, payload=payload, reason=WHY)
    return game


def test_an_older_correction_verifies_and_loses_its_reason_on_its_page_alone(
    season: Season, zacharias: Player
) -> None:
    game = old_correction(season)
    head = game_head(game)
    assert "reason" not in json.loads(game.header)
    assert holds(season) == []
    assert [mention.remedy for mention in player_mentions(zacharias)] == [
        Remedy.REMOVED,
        Remedy.SEALED,
    ]
    erase(zacharias)
    game.refresh_from_db()
    assert (game.reason, game_head(game)) == ("", head)
    assert traces("zacharias") == {"league_logentry.reason"}
    assert holds(season) == []


class TestReason:
    """Why a game was corrected, on its pages."""

    def test_it_is_sealed_by_the_head_and_exported(
        self, client: Client, season: Season, corrected: Game
    ) -> None:
        response = client.get(reverse("game-record", args=[corrected.public_id]))
        assert verify_line(response.content.rstrip(b"\n")).ok
        assert json.loads(response.content)["reason"]["text"] == WHY

    def test_every_page_says_that_it_was_removed(
        self, client: Client, season: Season, corrected: Game, zacharias: Player
    ) -> None:
        erase(zacharias)
        old = Game.objects.get(corrections=corrected)
        addresses = [
            reverse("game", args=[corrected.public_id]),
            reverse("game-difference", args=[corrected.public_id]),
            reverse("game", args=[old.public_id]),
        ]
        for address in addresses:
            html = client.get(address).content.decode()
            assert "removed because it named somebody" in html
            assert "acharias" not in html
        answer = client.get(f"/api/v1/games/{corrected.public_id}/").json()
        assert (answer["reason"], answer["reason_removed"]) == (None, True)
        record = client.get(reverse("game-record", args=[corrected.public_id])).content.rstrip(
            b"\n"
        )
        assert verify_line(record).ok
        assert set(json.loads(record)["reason"]) == {"commitment"}
        assert (
            "Reason"
            not in client.get(reverse("game-notation", args=[corrected.public_id])).content.decode()
        )

    @pytest.mark.parametrize(
        "change",
        [
            "reason = 'Ben cheated.'",
            "reason_salt = sha256('x')::bytea",
            "reason = '', reason_salt = 'x'",
        ],
    )
    def test_the_database_lets_it_only_go(self, corrected: Game, change: str) -> None:
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE games_game SET {change} WHERE id = %s", [corrected.pk])

    def test_a_reason_that_goes_without_the_log_is_named(
        self, season: Season, corrected: Game
    ) -> None:
        Game.objects.filter(pk=corrected.pk).update(reason="", reason_salt=b"")
        assert any("reason" in difference for difference in holds(season))

    def test_the_same_content_is_known_whatever_the_reason(
        self, season: Season, corrected: Game
    ) -> None:
        record = bluff_record(12, seats=("cleo", "ben")) | {"id": corrected.external_id}
        assert record_import(season=season, line=line(record)).outcome == Outcome.UNCHANGED


def test_a_removed_reason_of_a_draw_that_the_log_does_not_tell_is_named(season: Season) -> None:
    drawn(season)
    Draw.objects.filter(by_hand=True).update(reason="")
    assert any(difference.startswith("draw") for difference in holds(season))
    Walkover.objects.update(reason="")
    assert any(difference.startswith("walkover") for difference in holds(season))
    for model in (Draw, Walkover):
        with pytest.raises(DatabaseError), transaction.atomic():
            model.objects.update(reason="Else.")


class TestPage:
    """The page and the command."""

    def test_the_page_lists_and_spares_what_is_not_ticked(
        self, client: Client, season: Season, corrected: Game, zacharias: Player
    ) -> None:
        client.force_login(MembershipFactory.create(club=season.club, role=Role.ORGANISER).user)
        made = night(season)
        old_entry(season, reason="zacharias is ill")
        address = reverse("player-erase", args=["stern", zacharias.public_id])
        html = client.get(address).content.decode()
        assert reverse("game", args=[corrected.public_id]) in html
        assert "Zacharias threw a four" in html
        assert html.count("checked") >= 2
        assert "a digest covers it" in html
        client.post(address, {"sure": "on", "reason": "", "rewritten": [f"event-{made.public_id}"]})
        corrected.refresh_from_db()
        made.refresh_from_db()
        assert (corrected.reason, made.name) == (WHY, f"{zacharias.pseudonym} Cup")

    def test_the_command_lists_first_and_spares_by_key(
        self, season: Season, corrected: Game, zacharias: Player
    ) -> None:
        made = night(season)
        with pytest.raises(CommandError, match=f"event-{made.public_id}") as listed:
            call_command("player", "erase", "zacharias", club="stern")
        assert "gets the pseudonym: Event: Zacharias Cup" in str(listed.value)
        assert not LogEntry.objects.filter(action=PlayerAction.ERASED).exists()
        with pytest.raises(CommandError, match="Nothing of this key"):
            call_command("player", "erase", "zacharias", "--spare", "x", club="stern")
        out = io.StringIO()
        spared = ["--spare", f"game-{corrected.public_id}"]
        call_command(
            "player", "erase", "zacharias", "--yes", *spared, "--club", "stern", stdout=out
        )
        assert "is left." in out.getvalue()
        corrected.refresh_from_db()
        assert corrected.reason == WHY
        assert traces("zacharias") == {"games_game.reason", "league_logentry.names"}
