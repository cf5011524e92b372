"""Importing a file in the browser: upload, preview, confirm or drop."""

import gzip
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from games.models import Game
from league.models import ImportJob, Player, Role, Season
from league.records.file.services import file_preview
from league.records.upload.services import import_job_preview, import_job_run
from league.records.upload.web import file_fault
from tests.factories.league import MembershipFactory, SeasonFactory, UserFactory
from tests.factories.records import bluff_record, line

pytestmark = pytest.mark.django_db(transaction=True)


GOOD = line(bluff_record(1)) + line(bluff_record(2))
BAD = line(bluff_record(3, result={"rank": [9, 9, 9]}))


@pytest.fixture
def season() -> Season:
    made: Season = SeasonFactory.create()
    return made


@pytest.fixture
def organiser(client: Client, season: Season) -> Client:
    client.force_login(MembershipFactory.create(club=season.club, role=Role.ORGANISER).user)
    return client


@pytest.fixture(autouse=True)
def _calls_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker listens here: each test runs the jobs itself."""
    monkeypatch.setattr("league.core.jobs.app.send_task", lambda *args, **options: None)


def address(season: Season) -> str:
    return reverse("import", args=[season.club.slug, season.slug])


def job_address(job: ImportJob, step: str = "job") -> str:
    return reverse(f"import-{step}", args=[job.public_id])


def upload(
    client: Client, season: Season, content: bytes, *, name: str = "games.jsonl", **options: str
) -> Any:
    return client.post(address(season), {"file": SimpleUploadedFile(name, content), **options})


def uploaded(client: Client, season: Season, content: bytes, **options: str) -> ImportJob:
    response = upload(client, season, content, **options)
    job = ImportJob.objects.latest("pk")
    assert response.status_code == 302
    assert response["Location"] == job_address(job)
    return job


def previewed(client: Client, season: Season, content: bytes, **options: str) -> ImportJob:
    job = uploaded(client, season, content, **options)
    import_job_preview(job_id=job.pk)
    job.refresh_from_db()
    return job


def shown(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_a_file_goes_from_upload_over_preview_to_the_season(
    organiser: Client, season: Season
) -> None:
    job = uploaded(organiser, season, GOOD + BAD, create_players="on")
    html = shown(organiser, job_address(job))
    assert "Reading the file" in html
    assert 'hx-trigger="every 1s"' in html
    assert "Reload" in html

    import_job_preview(job_id=job.pk)
    html = shown(organiser, job_address(job))
    assert "2 new games would be imported" in html
    assert "1 game is bad and won’t be imported:" in html
    assert "Import 2 games" in html
    assert "New players" in html
    assert "hx-trigger" not in html
    assert Game.objects.count() == 0
    assert Player.objects.count() == 0

    assert organiser.post(job_address(job, "confirm"))["Location"] == job_address(job)
    assert "Importing 2 games …" in shown(organiser, job_address(job))
    import_job_run(job_id=job.pk)
    html = shown(organiser, job_address(job))
    assert "2 games were imported" in html
    assert "1 game is bad and won’t be imported:" in html
    assert f'href="{reverse("season", args=[season.club.slug, season.slug])}"' in html
    assert Game.objects.count() == 2


def test_a_file_of_bad_games_says_so_first_and_never_reads_as_a_success(
    organiser: Client, season: Season
) -> None:
    job = previewed(organiser, season, BAD, create_players="on")
    html = shown(organiser, job_address(job))
    assert "<h2> 1 game is bad: nothing would be imported </h2>" in html
    assert job_address(job, "confirm") not in html
    assert "already there" not in html.split("<h2>")[1].split("</div>")[0]

    ImportJob.objects.filter(pk=job.pk).update(state=ImportJob.State.CONFIRMED)
    import_job_run(job_id=job.pk)
    html = shown(organiser, job_address(job))
    assert "<h2> 1 game is bad: nothing was imported </h2>" in html
    assert "The table will update" not in html


def test_a_file_dropped_while_it_is_read_stays_dropped(
    organiser: Client, season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = uploaded(organiser, season, GOOD, create_players="on")

    def dropped_meanwhile(**options: Any) -> Any:
        organiser.post(job_address(job, "drop"))
        return file_preview(**options)

    monkeypatch.setattr("league.records.upload.services.file_preview", dropped_meanwhile)
    import_job_preview(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == ImportJob.State.DROPPED
    assert bytes(job.content) == b""
    assert "The file was discarded" in shown(organiser, job_address(job))


def test_a_bad_game_is_listed_with_its_place_and_message(organiser: Client, season: Season) -> None:
    broken = bluff_record(5, level="bids")
    broken["rounds"][1]["moves"] = ["3x4", "2x2", "!"]
    job = previewed(organiser, season, GOOD + line(broken), create_players="on")
    html = shown(organiser, job_address(job))
    row = html[html.index("game-5") - 60 :].split("</tr>")[0]
    assert ">3</td>" in row
    assert "/docs/record#not_a_raise" in row
    assert 'data-label="Round"> 2 </td>' in row
    assert 'data-label="Move"> 2 </td>' in row
    assert "2x2 does not raise 3x4" in row


def test_a_handle_that_looks_like_another_is_a_warning_in_the_preview(
    organiser: Client, season: Season
) -> None:
    games = line(bluff_record(1, seats=("anna", "ben", "cem"))) + line(
        bluff_record(2, seats=("аnna", "<b>ω", "dora"))
    )
    html = shown(organiser, job_address(previewed(organiser, season, games, create_players="on")))
    assert "“аnna” looks like “anna”, but has letters of another alphabet" in html
    assert "“&lt;b&gt;ω” mixes letters of several alphabets" in html


def test_what_a_file_says_is_escaped(organiser: Client, season: Season) -> None:
    good = bluff_record(1, seats=("<b>x</b>", "b", "c"))
    bad = bluff_record(2, id="<script>", result={"rank": [9, 9, 9]})
    job = previewed(
        organiser, season, line(good) + line(bad), create_players="on", name="<i>.jsonl"
    )
    html = shown(organiser, job_address(job))
    for markup in ("<b>x", "<script>;", "<i>.jsonl", "<script></td>"):
        assert markup not in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html
    assert "&lt;script&gt;" in html


def test_packed_files_are_read_too(organiser: Client, season: Season) -> None:
    job = previewed(
        organiser, season, gzip.compress(GOOD), create_players="on", name="games.jsonl.gz"
    )
    assert "2 new games would be imported" in shown(organiser, job_address(job))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "The file is empty."),
        (b"\n \n", "The file contains no games."),
        (b"name;points\nanna;12\n", "This isn’t a file of game records"),
        (b"[1, 2]\n", "This isn’t a file of game records"),
        (bytes(range(128, 256)) * 9, "This isn’t a file of game records"),
        (gzip.compress(GOOD * 9, mtime=0)[:-20], "The compressed file is damaged or incomplete"),
        (gzip.compress(GOOD, mtime=0)[:30], "The compressed file is damaged or incomplete"),
        (b"\x1f\x8bnonsense", "The compressed file is damaged or incomplete"),
    ],
)
def test_what_holds_no_games_is_refused_at_once(
    organiser: Client, season: Season, content: bytes, words: str
) -> None:
    response = upload(organiser, season, content)
    assert response.status_code == 200
    assert words in response.content.decode()
    assert not ImportJob.objects.exists()


def test_the_form_looks_at_the_head_of_a_file_alone(organiser: Client, season: Season) -> None:
    asked: list[int] = []

    class Watched(SimpleUploadedFile):
        """A file that notes how far it is read."""

        def read(self, size: int = -1) -> bytes:
            asked.append(size)
            return bytes(super().read(size))

    bomb = Watched("games.jsonl.gz", gzip.compress(b"\n" * 10_000_000 + GOOD))
    assert file_fault(bomb).startswith("This isn’t a file of game records")
    asked.clear()
    assert file_fault(Watched("games.jsonl", GOOD + b" " * 50_000_000)) == ""
    assert len(asked) < 40, "of 64 KiB each"


def test_no_file_is_a_clear_message(organiser: Client, season: Season) -> None:
    assert "Choose a file first." in organiser.post(address(season), {}).content.decode()


def test_a_file_that_is_too_large_is_refused(
    organiser: Client, season: Season, settings: Any
) -> None:
    settings.IMPORT_MAX_BYTES = 1000
    response = upload(organiser, season, GOOD)
    assert "the limit is 1000" in response.content.decode().replace("\xa0", " ")
    assert not ImportJob.objects.exists()


def test_two_clicks_import_once(organiser: Client, season: Season) -> None:
    job = previewed(organiser, season, GOOD, create_players="on")
    organiser.post(job_address(job, "confirm"))
    html = organiser.post(job_address(job, "confirm"), follow=True).content.decode()
    assert "has already been confirmed or discarded" in html
    import_job_run(job_id=job.pk)
    organiser.post(job_address(job, "confirm"))
    import_job_run(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == ImportJob.State.DONE
    assert Game.objects.count() == 2


def test_a_file_can_be_dropped_until_it_is_confirmed(organiser: Client, season: Season) -> None:
    job = previewed(organiser, season, GOOD, create_players="on")
    assert job_address(job, "drop") in shown(organiser, job_address(job))
    html = organiser.post(job_address(job, "drop"), follow=True).content.decode()
    assert "The file was discarded." in html
    assert "The file was discarded" in shown(organiser, job_address(job))
    organiser.post(job_address(job, "confirm"))
    import_job_run(job_id=job.pk)
    assert Game.objects.count() == 0

    other = previewed(organiser, season, GOOD, create_players="on")
    organiser.post(job_address(other, "confirm"))
    assert "too late" in organiser.post(job_address(other, "drop"), follow=True).content.decode()


def test_all_or_nothing_can_not_be_confirmed_with_a_bad_game(
    organiser: Client, season: Season
) -> None:
    job = previewed(organiser, season, GOOD + BAD, create_players="on", all_or_nothing="on")
    html = shown(organiser, job_address(job))
    assert "1 game is bad: this file would be refused" in html
    assert job_address(job, "confirm") not in html
    organiser.post(job_address(job, "confirm"))
    import_job_run(job_id=job.pk)
    assert "1 game is bad: the file was refused" in shown(organiser, job_address(job))
    assert Game.objects.count() == 0


def test_without_new_players_unknown_handles_are_bad(organiser: Client, season: Season) -> None:
    job = previewed(organiser, season, GOOD)
    html = shown(organiser, job_address(job))
    assert "2 games are bad: nothing would be imported" in html
    assert "unknown_player" in html


def test_a_file_again_changes_nothing_and_says_so(organiser: Client, season: Season) -> None:
    first = previewed(organiser, season, GOOD, create_players="on")
    organiser.post(job_address(first, "confirm"))
    import_job_run(job_id=first.pk)
    html = shown(organiser, job_address(previewed(organiser, season, GOOD, create_players="on")))
    assert "This file contains nothing new" in html
    assert "Import now" not in html


@pytest.mark.parametrize(
    ("language", "reason"),
    [("en", "is missing"), ("de", "fehlt"), ("nl", "ontbreekt")],
)
def test_what_is_wrong_is_said_in_the_readers_language(
    organiser: Client, season: Season, language: str, reason: str
) -> None:
    job = previewed(organiser, season, b'{"v": 1}\n')
    organiser.cookies["django_language"] = language
    assert reason in shown(organiser, job_address(job))


def test_a_report_of_before_is_shown_as_it_was_written(organiser: Client, season: Season) -> None:
    job = previewed(organiser, season, b'{"v": 1}\n')
    job.refresh_from_db()
    del job.report["bad_games"][0]["said"]
    job.save()
    organiser.cookies["django_language"] = "de"
    assert "is missing" in shown(organiser, job_address(job))


def test_many_bad_games_come_in_pages(organiser: Client, season: Season) -> None:
    content = b"".join(
        line(bluff_record(1, id=f"bad-{i}", result={"rank": [9, 9, 9]})) for i in range(60)
    )
    job = previewed(organiser, season, content, create_players="on")
    assert "bad-49" in shown(organiser, job_address(job))
    assert "bad-50<" not in shown(organiser, job_address(job))
    assert "bad-59" in shown(organiser, job_address(job) + "?page=2")


def test_the_files_uploaded_before_are_listed(organiser: Client, season: Season) -> None:
    assert "No files yet" in shown(organiser, address(season))
    previewed(organiser, season, GOOD + BAD, create_players="on", name="tuesday.jsonl")
    uploaded(organiser, season, GOOD, name="wednesday.jsonl")
    html = shown(organiser, address(season))
    assert html.index("wednesday.jsonl") < html.index("tuesday.jsonl")
    assert "waiting for you" in html


@pytest.mark.parametrize("role", [Role.SCORER, Role.ARBITER, Role.PLAYER])
def test_only_organisers_may_import(client: Client, season: Season, role: Role) -> None:
    uploader = UserFactory.create()
    job = ImportJob.objects.create(
        season=season, uploaded_by=uploader, content=GOOD, size=9, state=ImportJob.State.PREVIEWED
    )
    client.force_login(MembershipFactory.create(club=season.club, role=role).user)
    assert client.get(address(season)).status_code == 404
    assert upload(client, season, GOOD).status_code == 404
    assert client.get(job_address(job)).status_code == 404
    for step in ("confirm", "drop"):
        assert client.post(job_address(job, step)).status_code == 404
    job.refresh_from_db()
    assert job.state == ImportJob.State.PREVIEWED


def test_an_organiser_of_another_club_sees_nothing(
    client: Client, season: Season, organiser: Client
) -> None:
    job = uploaded(organiser, season, GOOD)
    client.force_login(MembershipFactory.create(role=Role.ORGANISER).user)
    assert client.get(address(season)).status_code == 404
    assert client.get(job_address(job)).status_code == 404


def test_who_is_not_signed_in_is_asked_to(client: Client, season: Season) -> None:
    response = client.get(address(season))
    assert response.status_code == 302
    assert response["Location"] == f"{reverse('account_login')}?next={address(season)}"


def test_confirm_and_drop_are_posts(organiser: Client, season: Season) -> None:
    job = previewed(organiser, season, GOOD)
    for step in ("confirm", "drop"):
        assert organiser.get(job_address(job, step)).status_code == 405


@pytest.mark.parametrize("count", [1, 3])
def test_few_queries_whatever_the_number_of_files_and_bad_games(
    organiser: Client, season: Season, count: int, django_assert_max_num_queries: Queries
) -> None:
    for _ in range(count):
        job = previewed(organiser, season, BAD * count, create_players="on")
    with django_assert_max_num_queries(8):
        organiser.get(address(season))
    with django_assert_max_num_queries(8):
        organiser.get(job_address(job))
