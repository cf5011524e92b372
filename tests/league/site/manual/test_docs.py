"""The manual: every page opens, every link leads somewhere, and its worked examples are true."""

import io
import json
import re
from dataclasses import fields
from hashlib import sha256
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from engine.cli.main import main
from engine.cli.stage import LIMIT
from engine.pairing.brackets.bracket import MOST
from engine.pairing.cost import Cost
from engine.pairing.draw_file import KEYS, OPTIONAL, PLAYERS
from engine.pairing.draw_file import ROUNDS as DRAWN_ROUNDS
from engine.pairing.secret import commitment, lots_seed, round_seed, seeding_seed
from engine.record.canonical import canonical_header, canonical_rounds, digests
from engine.record.check import check, check_line
from engine.record.export import export
from engine.record.length import MOVES, ROUNDS
from engine.record.lines import LIMITS
from engine.record.record import Record, read
from engine.record.shape import YEARS
from engine.scoring.stage.rules import StageScoring, StageTieBreak
from league.languages import ENGLISH
from league.records.file.services import BAD_GAMES_REPORTED
from league.records.upload.services import ATTEMPTS
from league.site.manual.web import FOLDER, PAGES, manual, page_file
from tests.languages import languages_of

CODES = """
    bad_json bad_record unknown_key no_such_field not_a_raise no_bid no_challenge reroll_off must_show_one
    must_keep_one_hidden show_not_owned wrong_number_of_dice bad_face wrong_seat count_mismatch losses_mismatch
    result_mismatch game_over category_closed no_such_announcement bad_doubter must_roll_one bad_keep dice_needed
    outcome_mismatch clock_mismatch
""".split()  # noqa: SIM905 – a table of words
IMPORT_CODES = [
    "conflict",
    "unknown_player",
    "same_player_twice",
    "other_season",
    "other_game",
    "other_rules",
]
RULINGS = [f"b{number}" for number in range(1, 21)] + [f"k{number}" for number in range(18)]


PAGES_IN_EACH_LANGUAGE = [(page, language) for page in PAGES for language in languages_of(page)]
RULING = re.compile(r"(?<![\w#])[BK]\d+\b")


def text(page: str) -> str:
    return page_file(page, ENGLISH).read_text(encoding="utf-8")


def blocks(page: str, kind: str = "") -> list[str]:
    """The fenced blocks of a page."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", text(page), re.DOTALL | re.MULTILINE)


def ids(page: str, language: str = ENGLISH) -> list[str]:
    """The anchors of a page, in order."""
    return re.findall(r'\bid="([^"]+)"', manual(page, language).html)


def example() -> Record:
    record = read(blocks("digest", "json")[0].replace("\n", " "))
    assert isinstance(record, Record)
    return record


def test_a_page_opens_without_a_database(client: Client) -> None:
    for page in PAGES:
        response = client.get(reverse("doc", args=[page]))
        assert response.status_code == 200, page
        assert 'aria-current="page"' in response.content.decode(), page


def test_the_index_lists_every_page_and_every_file_is_a_page(client: Client) -> None:
    html = client.get(reverse("docs")).content.decode()
    assert all(f'href="{reverse("doc", args=[page])}"' in html for page in PAGES)
    assert set(FOLDER.iterdir()) == {
        page_file(page, language) for page in PAGES for language in languages_of(page)
    }


@pytest.mark.parametrize("page", ["nothing", "..", "rules.md"])
@pytest.mark.django_db
def test_what_is_no_page_is_404(client: Client, page: str) -> None:
    assert client.get(f"/docs/{page}").status_code == 404


def test_the_rules_have_an_address_of_their_own() -> None:
    assert reverse("rules") == "/docs/rules"


@pytest.mark.django_db
def test_every_link_leads_somewhere(client: Client) -> None:
    paths = set()
    for page in PAGES:
        for link in re.findall(r'href="([^"]+)"', manual(page, ENGLISH).html):
            path, _, anchor = link.partition("#")
            assert path == "" or path.startswith("/"), f"{page}: {link} leaves the service"
            assert not anchor or anchor in ids(path.removeprefix("/docs/") or page), (page, link)
            paths.add(path)
    lost = [path for path in paths - {""} if client.get(path).status_code != 200]
    assert lost == []


def test_anchors_are_given_once() -> None:
    assert [page for page in PAGES if len(ids(page)) != len(set(ids(page)))] == []


def test_every_part_of_a_page_can_be_linked() -> None:
    unlinked = [re.findall("<h[2-6]>.*", manual(page, ENGLISH).html) for page in PAGES]
    assert [heading for headings in unlinked for heading in headings] == []


def test_every_code_of_checker_and_import_is_explained() -> None:
    assert [code for code in CODES + IMPORT_CODES if code not in ids("record")] == []
    assert [code for code in CODES + IMPORT_CODES if code not in ids("errors")] == []


@pytest.mark.parametrize(
    "language", sorted({*languages_of("api"), *languages_of("import"), *languages_of("record")})
)
def test_the_limits_are_those_of_the_code(language: str) -> None:
    figures = {
        page: set(re.findall(r"\d+", manual(page, language).html.split('id="limits"')[-1]))
        for page in ("api", "import")
    }
    for limit in ("read", "enter", "export"):
        assert set(map(str, settings.RATES[limit])) <= figures["api"]
    reading = settings.IMPORT_LIMITS
    file = (
        settings.IMPORT_MAX_BYTES,
        reading.unpacked,
        reading.lines,
        reading.blank,
        settings.IMPORT_MAX_BAD,
    )
    work = (
        BAD_GAMES_REPORTED,
        ATTEMPTS,
        settings.IMPORT_SECONDS // 60,
        settings.RATES["upload"][0],
    )
    assert set(map(str, (*file, *work))) <= figures["import"]
    length = set(
        re.findall(r"\d+", manual("record", language).html.split('id="length"')[1].split("<h2")[0])
    )
    assert set(map(str, (ROUNDS, MOVES, *LIMITS))) <= length
    assert f"{YEARS[0]}" in manual("record", language).html
    assert f"{YEARS[-1]}" in manual("record", language).html


def test_every_code_that_the_source_knows_is_explained() -> None:
    source = Path(__file__).parents[4]
    files = [
        *source.glob("engine/**/*.py"),
        *source.glob("league/**/services/*.py"),
        *source.glob("league/**/services.py"),
    ]
    known = {
        code for file in files for code in re.findall(r'\bIllegal\(\s*"(\w+)"', file.read_text())
    }
    assert len(known) > 20
    assert (
        known - set(ids("record")) - set(ids("draw")) - set(ids("stage")) - set(ids("errors"))
        == set()
    )


def test_every_code_of_the_api_is_explained() -> None:
    folder = Path(__file__).parents[4] / "league"
    sources = "".join(
        path.read_text() for path in [*folder.rglob("api/*.py"), *folder.rglob("api.py")]
    )
    codes = re.findall(r'\bProblem\(\s*\d+,\s*"(\w+)"', sources)
    codes += re.findall(r'_problem\(\d+, "(\w+)"', sources)
    assert len(codes) > 10
    assert set(codes) - set(ids("errors")) == set()


def test_html_in_the_markdown_is_shown_and_not_passed_through(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "start.md").write_text(
        "# Title\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))\n\n"
        "```\n<b>code</b>\n```\n\n## <i>part</i>\n"
    )
    monkeypatch.setattr("league.site.manual.web.FOLDER", tmp_path)
    html = manual.__wrapped__("start", ENGLISH).html
    for markup in ("<script>", "<b>", "<i>", 'href="javascript'):
        assert markup not in html
    assert "&lt;script&gt;" in html


def test_parts_of_a_page_are_in_its_contents(client: Client) -> None:
    html = client.get(reverse("doc", args=["digest"])).content.decode()
    assert '<a href="#example">A worked example</a>' in html


def test_the_worked_example_of_the_digests_is_true() -> None:
    record = example()
    assert check(record).ok
    assert canonical_header(record).decode() + "\n" == blocks("digest", "head")[0]
    assert [round_.decode() for round_ in canonical_rounds(record)] == blocks("digest", "rounds")[
        0
    ].splitlines()
    assert [digest.hex() for digest in digests(record)] == blocks("digest", "digests")[
        0
    ].splitlines()


def test_the_program_of_the_page_recomputes_the_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = [json.loads(line) for line in blocks("digest", "rounds")[0].splitlines()]
    rules = json.loads(blocks("digest", "head")[0])["rules"]
    downloaded = json.dumps(
        json.loads(blocks("digest", "json")[0]) | {"rules": rules, "rounds": rounds}
    )
    said: list[str] = []
    names = {"open": lambda *args, **options: io.StringIO(downloaded), "print": said.append}
    exec(blocks("digest", "python")[0], names)
    assert said == blocks("digest", "digests")[0].splitlines()


def test_the_program_of_the_page_knows_outcomes() -> None:
    keys = json.loads(blocks("record")[5]) | {
        "names": [{"salt": f"{seat:02x}" * 16} for seat in range(3)]
    }
    record = read(json.dumps(keys))
    assert isinstance(record, Record)
    downloaded = export(record).decode()
    said: list[str] = []
    names = {"open": lambda *args, **options: io.StringIO(downloaded), "print": said.append}
    exec(blocks("digest", "python")[0], names)
    assert said == [digest.hex() for digest in digests(record)]


def test_the_first_digest_needs_no_engine() -> None:
    head = blocks("digest", "head")[0].removesuffix("\n").encode()
    assert (
        sha256(b"cups-up/1\n" + head).hexdigest() == blocks("digest", "digests")[0].splitlines()[0]
    )


def test_the_examples_of_the_record_are_true() -> None:
    whole, levels, _, turn, _, ended, _, _, good, bad = blocks("record")
    verdict = check_line(whole.replace("\n", " "))
    assert verdict.as_json() == json.loads(good)
    error = json.loads(bad)["error"]
    assert error["code"] == "not_a_raise"
    for level in levels.splitlines():
        head = {
            "v": 1,
            "id": "x",
            "game": "bluff",
            "rules": {},
            "seats": ["anna", "ben"],
            "opener": 0,
        }
        answer = check_line(json.dumps(head | {"rounds": [json.loads(level)]}))
        assert answer.ok, (level, answer.error)
        (report,) = json.loads(json.dumps(answer.as_json()))["rounds"]
        assert report["delta"] == [-1, 0]
        assert report["count"] in (4, None)
    seats = {
        "v": 1,
        "id": "x",
        "game": "luegen-kniffel",
        "rules": {},
        "seats": ["anna", "ben"],
        "opener": 0,
    }
    assert check_line(json.dumps(seats | {"turns": [json.loads(turn)]})).ok
    assert check_line(ended.replace("\n", " ")).points == (10, 15, 6)


def test_the_examples_of_what_breaks_a_game_off_are_true() -> None:
    _, _, breaks, _, pauses, _, ended, *_ = blocks("record")
    bluff = {
        "v": 1,
        "id": "x",
        "game": "bluff",
        "rules": {},
        "seats": ["anna", "ben", "cleo"],
        "opener": 0,
    }
    kniffel = bluff | {"game": "luegen-kniffel"}
    for line in breaks.splitlines():
        assert check_line(json.dumps(bluff | {"rounds": [json.loads(line)]})).ok, line
    for line in pauses.splitlines():
        assert check_line(json.dumps(kniffel | {"turns": [json.loads(line)]})).ok, line
    verdict = check_line(
        json.dumps(bluff | {"rules": {"scoring": "cntdice"}, "outcome": json.loads(ended)})
    )
    assert (verdict.error, verdict.points) == (None, (11, 11, 5))


@pytest.mark.parametrize("language", languages_of("stage"))
def test_the_example_of_the_stage_file_is_ranked_as_the_page_says(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, _, printed = re.findall(
        r"^```\w*\n(.*?)^```$", page_file("stage", language).read_text(), re.DOTALL | re.MULTILINE
    )
    (tmp_path / "stage.json").write_text(file)
    assert main(["stage", str(tmp_path / "stage.json")]) == 0
    assert capsys.readouterr().out.startswith(printed)
    assert {value for one in (StageScoring, StageTieBreak) for value in one} <= set(
        re.findall(r"^\| `(\w+)` \|", page_file("stage", language).read_text(), re.MULTILINE)
    )
    assert str(LIMIT) in page_file("stage", language).read_text()


@pytest.mark.parametrize("language", languages_of("draw"))
def test_the_examples_of_the_draw_file_are_drawn_as_the_page_says(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = page_file("draw", language).read_text()
    first, answer, cup, next_round = re.findall(
        r"^```json\n(.*?)^```$", page, re.DOTALL | re.MULTILINE
    )
    (tmp_path / "draws.jsonl").write_text(
        "".join(file.replace("\n", " ") + "\n" for file in (first, cup))
    )
    assert main(["draw", str(tmp_path / "draws.jsonl")]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert printed == [json.loads(answer), json.loads(next_round)]


@pytest.mark.parametrize("language", languages_of("draw"))
def test_the_check_of_a_stage_s_seeds_is_that_of_the_code(
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (code,) = re.findall(
        r"^```python\n(.*?)^```$", page_file("draw", language).read_text(), re.DOTALL | re.MULTILINE
    )
    secret = "5e" * 32
    seed = round_seed(secret, 1, 1, ["ben", "ana"])
    (tmp_path / "draw.json").write_text(
        json.dumps({"seed": seed, "players": [{"id": "ben"}, {"id": "ana"}]})
    )
    monkeypatch.chdir(tmp_path)
    exec(compile(code.replace("…", secret), "draw.md", "exec"), {})
    lines = [line.split()[1] for line in capsys.readouterr().out.splitlines()]
    assert lines == [commitment(secret), seeding_seed(secret), lots_seed(secret), "True"]


@pytest.mark.parametrize("language", languages_of("draw"))
def test_the_keys_and_limits_of_the_draw_file_are_those_of_the_code(language: str) -> None:
    page = page_file("draw", language).read_text()
    keys = {
        key
        for row in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)
        for key in re.findall(r"`(\w+)`", row)
    }
    assert {*KEYS, *OPTIONAL, "bracket", "finished", "absent"} <= keys
    assert all(f"`{field.name}`" in page for field in fields(Cost))
    assert {str(limit) for limit in (PLAYERS[-1], DRAWN_ROUNDS[-1], MOST)} <= set(
        re.findall(r"\d+", page)
    )


def test_a_ruling_is_a_link_to_its_anchor_wherever_the_manual_names_it() -> None:
    for page, language in PAGES_IN_EACH_LANGUAGE:
        prose = re.sub(
            r"<(pre|code|h[1-6])\b.*?</\1>", "", manual(page, language).html, flags=re.DOTALL
        )
        links = re.findall(r'<a href="(?:/docs/rules)?#(\w+)">([BK]\d+)</a>', prose)
        named = RULING.findall(re.sub(r"<[^>]+>", " ", prose))
        assert [number for _, number in links] == named, (page, language)
        assert all(anchor == number.lower() for anchor, number in links), (page, language)
        assert {anchor for anchor, _ in links} <= set(RULINGS), (page, language)


def test_a_ruling_is_a_link_wherever_a_page_names_it() -> None:
    """Templates name rulings by the tag `ruling` alone, or compare with them."""
    for page in FOLDER.parent.rglob("*.html"):
        text_left = re.sub(
            r'{% ruling "([BK]\d+)".*?%}|{% (?:el)?if .*?%}|{#.*?#}', r"<\1>", page.read_text()
        )
        text_left = re.sub(r'{% with variant="B9-".*?%}', "", text_left)
        assert not RULING.findall(re.sub(r"<[BK]\d+>", "", text_left)), page
        assert all(number.lower() in RULINGS for number in re.findall(r"<([BK]\d+)>", text_left))


def test_no_marked_string_names_a_ruling_without_its_link() -> None:
    for catalogue in settings.BASE_DIR.glob("league/locale/*/LC_MESSAGES/django.po"):
        assert not re.findall(
            r'^(?:msgid|msgstr|").*\b[BK]\d+\b.*$', catalogue.read_text(), re.MULTILINE
        )
