"""The log's page: who may read it, what it shows, and how it is narrowed."""

import json
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from psycopg.rows import TupleRow
from pytest_django import DjangoAssertNumQueries as Queries

from engine.record.club_log import verify_log
from games.models import Game
from league.core.club.actions import ClubAction
from league.core.log.receipt import receipt_text
from league.core.log.services import Actor
from league.core.player.actions import PlayerAction
from league.core.player.services.player import player_rename
from league.models import Event, LogEntry, Player, Role, Season, User
from league.records.upload.services import import_job_create
from league.site.erasure.services.erasure import player_erase
from league.site.log import web as log
from league.site.log.domain import changes_of
from league.site.log.queries.subject import subject_names
from league.standings.season.actions import SeasonAction
from league.standings.season.services.season import season_change
from tests.factories import events
from tests.factories.counted import counted_season
from tests.factories.league import MembershipFactory, OperatorFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    return counted_season(2, slug="autumn")


@pytest.fixture
def organiser(season: Season) -> User:
    return MembershipFactory.create(
        club=season.club, user=UserFactory.create(username="olga"), role=Role.ORGANISER
    ).user


@pytest.fixture
def reader(client: Client, organiser: User) -> Client:
    client.force_login(organiser)
    return client


@pytest.fixture
def anna(season: Season, organiser: User) -> Player:
    player = Player.objects.get(handle="anna")
    player_rename(player=player, actor=Actor(organiser.pk, "asked for it"), name="Änni")
    return player


def address(season: Season, name: str = "club-log") -> str:
    return reverse(name, args=[season.club.slug])


def shown(client: Client, season: Season, **asked: str) -> str:
    response = client.get(address(season), asked)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def positions(client: Client, season: Season, **asked: str) -> list[int]:
    """The entries that a page shows, in its order."""
    page = client.get(address(season), asked)
    return [row.position for row, _ in page.context["rows"]]


def of_action(season: Season, *actions: str) -> list[int]:
    entries = LogEntry.objects.filter(club=season.club, action__in=actions)
    return list(entries.order_by("-position").values_list("position", flat=True))


@pytest.mark.parametrize(
    ("role", "status"),
    [(Role.ORGANISER, 200), (Role.ARBITER, 200), (Role.SCORER, 404), (Role.PLAYER, 404)],
)
@pytest.mark.parametrize("name", ["club-log", "club-log-export"])
def test_organisers_and_arbiters_read_it(
    client: Client, season: Season, role: Role, status: int, name: str
) -> None:
    client.force_login(MembershipFactory.create(club=season.club, role=role).user)
    assert client.get(address(season, name)).status_code == status


@pytest.mark.parametrize("name", ["club-log", "club-log-export"])
def test_of_others_only_superusers_do(client: Client, season: Season, name: str) -> None:
    assert client.get(address(season, name)).status_code == 302
    client.force_login(MembershipFactory.create(role=Role.ORGANISER).user)
    assert client.get(address(season, name)).status_code == 404
    client.force_login(OperatorFactory.create())
    assert client.get(address(season, name)).status_code == 200
    assert client.get(reverse(name, args=["nowhere"])).status_code == 404


def test_the_newest_comes_first_and_opens_to_what_it_tells(
    reader: Client, season: Season, anna: Player
) -> None:
    html = shown(reader, season)
    row = html.split('id="entry-')[1]
    assert "Player renamed" in row
    assert "<details>" in row
    assert "asked for it" in row
    assert ">anna</code>" in row
    assert ">Änni</code>" in row
    assert f'href="{reverse("player", args=[anna.public_id])}"' in row
    assert "olga" in row
    every = positions(reader, season)
    assert every == list(range(every[0], 0, -1))


def test_each_entry_opens_to_its_receipt(reader: Client, season: Season, anna: Player) -> None:
    entry = LogEntry.objects.select_related("club").filter(club=season.club).latest("position")
    row = shown(reader, season).split(f'id="entry-{entry.position}"')[1].split("</details>")[0]
    assert f'id="receipt-{entry.position}">{receipt_text(entry)}</code>' in row


def test_before_and_after_of_a_setting(reader: Client, season: Season) -> None:
    season_change(season=season, actor=Actor(), name="Autumn cup", tie_breaks=["points"])
    row = shown(reader, season, action=SeasonAction.CHANGED).split("<tbody>", 1)[1]
    assert "<code>name</code>" in row
    assert ">Autumn cup</code>" in row
    assert "[&quot;points&quot;]" in row
    assert f'href="{reverse("season", args=[season.club.slug, season.slug])}"' in row


def test_each_entry_links_to_what_it_is_about(reader: Client, season: Season) -> None:
    html = shown(reader, season)
    game = Game.objects.latest("pk")
    assert f'href="{reverse("game", args=[game.public_id])}">{game.external_id}' in html
    assert f'href="{reverse("club", args=[season.club.slug])}"' in html


def test_where_the_log_ends_stands_on_top(reader: Client, season: Season) -> None:
    last = LogEntry.objects.filter(club=season.club).latest("position")
    html = shown(reader, season)
    assert f'entry {last.position}, digest <code class="digest">{bytes(last.digest).hex()}' in html
    assert "The entries on this page follow from those before them." in html


@pytest.mark.django_db(transaction=True)
def test_a_changed_entry_is_said_to_be_broken(
    client: Client, season: Season, forger: psycopg.Connection[TupleRow]
) -> None:
    client.force_login(OperatorFactory.create())
    assert "somebody has changed the database" not in shown(client, season)
    forger.execute("UPDATE league_logentry SET subject = '2222222222' WHERE position = 3")
    html = shown(client, season)
    assert "Entry 3 doesn’t follow from those before it: somebody has changed the database." in html
    assert html.split('id="entry-3"')[1].split("</summary>")[0].count("broken") == 1
    assert html.split('id="entry-4"')[1].split("</summary>")[0].count("broken") == 0
    assert client.get(address(season), {"action": ClubAction.CREATED}).context["broken"] is None


def test_by_what_was_done(reader: Client, season: Season) -> None:
    assert positions(reader, season, action="game.sealed") == of_action(season, "game.sealed")
    assert positions(reader, season, action="no.such.thing") == positions(reader, season)


def test_by_whom(reader: Client, season: Season, anna: Player, organiser: User) -> None:
    renamed = of_action(season, "player.renamed")
    for actor in ("olga", "OLGA", organiser.public_id):
        assert positions(reader, season, actor=actor) == renamed
    assert positions(reader, season, actor="-") == [
        position for position in positions(reader, season) if position not in renamed
    ]
    assert positions(reader, season, actor="nobody") == []


@pytest.mark.parametrize("subject", ["Änni", "nni", "ANNA", "public id"])
def test_about_whom(reader: Client, season: Season, anna: Player, subject: str) -> None:
    asked = anna.public_id if subject == "public id" else subject
    about = LogEntry.objects.filter(subject=anna.public_id).order_by("-position")
    assert positions(reader, season, subject=asked) == list(
        about.values_list("position", flat=True)
    )


@pytest.mark.parametrize("subject", ["%", "_", "\\", "'", "nobody"])
def test_signs_of_the_search_are_letters_like_others(
    reader: Client, season: Season, subject: str
) -> None:
    assert positions(reader, season, subject=subject) == []
    assert "No entries match" in shown(reader, season, subject=subject)


def test_by_time_in_days_of_the_club(reader: Client, season: Season) -> None:
    today = timezone.localdate()
    every, yesterday = positions(reader, season), str(today - timedelta(days=2))
    assert positions(reader, season, since=yesterday) == every
    assert positions(reader, season, until=yesterday) == []
    assert positions(reader, season, since=str(today + timedelta(days=2))) == []
    assert positions(reader, season, until=str(today + timedelta(days=2))) == every
    assert "Enter a valid date." in shown(reader, season, since="yesterday")
    assert "less than or equal to" in shown(reader, season, until="9999-12-31")
    assert "greater than or equal to" in shown(reader, season, since="0001-01-01")


def test_older_entries_are_a_page_away(
    reader: Client, season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = positions(reader, season)
    monkeypatch.setattr(log, "ENTRIES_PER_PAGE", 3)
    assert positions(reader, season) == every[:3]
    assert f"?before={every[2]}" in shown(reader, season)
    assert positions(reader, season, before=str(every[2])) == every[3:6]
    assert "Older entries" not in shown(reader, season, before="2")
    assert positions(reader, season, before="-1") == every[:3]


@pytest.mark.parametrize("count", [1, 3])
def test_few_queries_whatever_the_number_of_entries(
    reader: Client, season: Season, anna: Player, count: int, django_assert_max_num_queries: Queries
) -> None:
    for number in range(count):
        player_rename(player=anna, actor=Actor(), name=f"Änni {number}")
    with django_assert_max_num_queries(10):
        reader.get(address(season), {"subject": "nni", "actor": "-"})


def test_a_forgotten_name_is_said_to_be_one(reader: Client, season: Season, anna: Player) -> None:
    player_erase(player=anna, actor=Actor())
    html = shown(reader, season, action=PlayerAction.RENAMED)
    assert "erased: it was a name" in html
    assert "nni" not in html.replace("Winning", "")
    assert f"player-{anna.public_id}" in html


def test_what_people_wrote_is_escaped(reader: Client, season: Season, anna: Player) -> None:
    player_rename(player=anna, actor=Actor(reason="<script>1</script>"), name="<b>x</b>")
    html = shown(reader, season)
    assert "<script>1" not in html
    assert "<b>x" not in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html


def test_the_export_verifies(reader: Client, season: Season, anna: Player) -> None:
    response = reader.get(address(season, "club-log-export"))
    lines = b"".join(response.streaming_content).split(b"\n")[:-1]  # type: ignore[attr-defined]
    assert verify_log(lines).error is None
    assert len(lines) == 1 + LogEntry.objects.filter(club=season.club).count()
    assert json.loads(lines[0]) == {"club": season.club.public_id}
    assert response["Content-Disposition"] == f'attachment; filename="{season.club.slug}-log.jsonl"'


def test_the_export_is_sent_again_only_after_another_entry_such_as_an_erasure(
    reader: Client, season: Season, anna: Player
) -> None:
    url = address(season, "club-log-export")
    etag = reader.get(url)["ETag"]
    assert reader.get(url, headers={"If-None-Match": etag}).status_code == 304
    player_erase(player=anna, actor=Actor())
    response = reader.get(url, headers={"If-None-Match": etag})
    assert response.status_code == 200
    assert "anna" not in b"".join(response.streaming_content).decode()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("payload", "rows"),
    [
        ({}, []),
        ({"head": "ab", "season": "x"}, [("head", "", "ab"), ("season", "", "x")]),
        (
            {"before": {"a": 1}, "after": {"a": None, "b": True}},
            [("a", "1", "–"), ("b", "", "true")],
        ),
        ({"before": None, "after": "u"}, [("account", "–", "u")]),
        ({"name_before": "x", "name_after": "y"}, [("name", "x", "y")]),
        ({"rules": {"a": 1}}, [("rules", "", '{"a": 1}')]),
    ],
)
def test_what_a_payload_tells(payload: dict[str, Any], rows: list[tuple[str, str, str]]) -> None:
    assert [change[:3] for change in changes_of(payload, None)] == rows


def test_who_has_no_page_yet_is_named_without_a_link(reader: Client, season: Season) -> None:
    (newcomer,) = events.players(season.club, 1, "nora")
    player_rename(player=newcomer, actor=Actor(), name="Nora")
    html = shown(reader, season, action=PlayerAction.RENAMED)
    assert "Nora" in html
    assert f'href="{reverse("player", args=[newcomer.public_id])}"' not in html
    desk = reader.get(
        reverse("club-player", args=[season.club.slug, newcomer.public_id])
    ).content.decode()
    assert f'href="{reverse("player", args=[newcomer.public_id])}"' not in desk


def test_an_import_is_a_link_for_those_who_may_see_it(
    client: Client, reader: Client, organiser: User, season: Season
) -> None:
    job = import_job_create(
        season=season,
        uploaded_by=organiser,
        content=b"{}\n",
        file_name="a",
        create_players=True,
        all_or_nothing=False,
    )
    link = reverse("import-job", args=[job.public_id])
    assert link in shown(reader, season)
    arbiter: User = MembershipFactory.create(club=season.club, role=Role.ARBITER).user
    client.force_login(arbiter)
    assert link not in shown(client, season)
    assert client.get(link).status_code == 404


def test_what_an_entry_is_about_is_called_by_its_name(reader: Client, season: Season) -> None:
    event = events.event(season, "cup", name="Cup", status=Event.Status.RUNNING)
    events.enter(event, events.players(season.club, 4, prefix="guest"))
    stage = events.stage(event, name="Swiss")
    events.play(events.drawn(stage))
    about = {row.name for row, _ in reader.get(address(season)).context["rows"]}
    assert about >= {
        "guest1 · Cup",
        "Swiss · Cup",
        "Round 1 · Swiss · Cup",
        "Table 1 · Round 1 · Swiss · Cup",
        "Cup",
    }
    assert "" not in about
    assert "Round 1 · Swiss · Cup" in shown(reader, season)


def test_ids_in_what_an_entry_tells_are_names(reader: Client, season: Season, anna: Player) -> None:
    event = events.event(season, "cup", name="Cup")
    events.enter(event, [anna])
    ((row, _), *_) = reader.get(address(season), {"action": "entry.added"}).context["rows"]
    assert row.name == "Änni · Cup"
    after = {change.what: change.after for change in row.changes}
    assert (after["event"], after["player"]) == ("Cup", "Änni")


def test_another_club_s_things_are_not_named(season: Season) -> None:
    other = counted_season(2, slug="other")
    assert subject_names(season.club, [other.public_id, other.club.public_id]) == {}
    assert subject_names(other.club, [other.public_id]) == {other.public_id: other.name}
