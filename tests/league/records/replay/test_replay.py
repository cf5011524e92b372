"""Paste & replay: any game is checked and shown, nothing is stored, and nothing that is sent breaks
the page."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.notation.text import render
from engine.record.length import ROUNDS
from engine.record.record import Record, read
from games.domain.text import read_pasted
from games.models import Game
from league.records.game.web.text_form import MAX_BYTES
from league.records.replay.web import MAX_LINK, pack, unpack
from tests.factories.records import bluff_record, gifts, kniffel_record, line

LEVELS = ["dealt", "dice", "bids", "challenge", "result"]


def notation(record: dict[str, Any]) -> str:
    """The record as text."""
    game = read(line(record))
    assert isinstance(game, Record)
    return render(game)


def pasted(client: Client, text: str, **fields: Any) -> str:
    """The page that follows a paste, redirected or not."""
    response = client.post(reverse("replay"), {"text": text, **fields}, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def fault(html: str) -> str:
    """The fault in words, empty if there is none."""
    found = re.search(r'<div class="note note-error[^>]*>(.*?)</small>', html, re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[1])).split()) if found else ""


def rounds(html: str) -> int:
    return html.count('<article class="card round"')


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "write", [lambda game: line(game).decode(), lambda game: json.dumps(game, indent=4), notation]
)
def test_a_good_game_is_shown_like_any_other(
    client: Client, level: str, write: Callable[[Any], str]
) -> None:
    record = bluff_record(3, level=level, table="1-2", event="night-1")
    html = pasted(client, write(record))
    assert not fault(html)
    assert rounds(html) == len(record["rounds"])
    assert re.search(r"<h1>\s+Table 1-2\s+</h1>", html)
    assert 'id="analysis"' in html
    assert 'id="trust"' not in html
    ranks = re.findall(r'<td class="rank"><b>(\d)</b></td>', html)
    assert ranks == [str(rank) for rank in sorted(record["result"]["rank"])]


def test_a_game_of_luegen_kniffel_has_its_own_page(client: Client) -> None:
    record = kniffel_record(1)
    html = pasted(client, line(record).decode())
    assert not fault(html)
    assert 'id="turn-1"' in html or 'id="stage"' in html
    assert "Lügen-Kniffel" in html


def test_nothing_is_stored(client: Client) -> None:
    """No test here has a database: whoever asked for one would fail."""
    with pytest.raises(RuntimeError, match="Database access not allowed"):
        Game.objects.exists()
    assert rounds(pasted(client, line(bluff_record(3)).decode()))


def test_the_address_is_the_game_and_its_links_keep_it(client: Client) -> None:
    response = client.post(reverse("replay"), {"text": json.dumps(bluff_record(3), indent=2)})
    address = response["Location"]
    assert response.status_code == 302
    assert len(address) < MAX_LINK
    html = client.get(f"{address}?round=1&move=2&view=all&light=belief").content.decode()
    assert "Round 1, move 2</h2>" in html
    assert 'href="?round=1&amp;move=1&amp;view=all&amp;light=belief#stage"' in html, (
        "relative to the game's address"
    )


@pytest.mark.parametrize("indent", [None, 2])
def test_a_fault_is_told_with_its_place_and_the_rounds_before_it_are_shown(
    client: Client, indent: int | None
) -> None:
    record = bluff_record(3)
    record["rounds"][2]["moves"][-1] = "1x1"
    html = pasted(client, json.dumps(record, indent=indent))
    assert fault(html).startswith(f"Round 3, move {len(record['rounds'][2]['moves'])}: ")
    assert f"rounds[2].moves[{len(record['rounds'][2]['moves']) - 1}] not_a_raise" in fault(html)
    assert rounds(html) == 2
    assert 'id="analysis"' in html


def test_a_fault_in_the_notation_is_told_by_line_and_column(client: Client) -> None:
    text = notation(bluff_record(3))
    lines = text.splitlines()
    number = next(i for i, written in enumerate(lines, start=1) if written.startswith("3. "))
    lines[number - 1] = "3. 2x3 what"
    html = pasted(client, "\n".join(lines))
    assert fault(html).startswith(f"Line {number}, column 8: ")
    assert rounds(html) == 2


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Line 1, column 18: expected version 1, found “9”"),
        ("de", "Zeile 1, Spalte 18: erwartet: Version 1; gefunden: „9“"),
        ("nl", "Regel 1, kolom 18: verwacht: versie 1; gevonden: „9”"),
    ],
)
def test_a_fault_is_told_in_the_readers_language(
    client: Client, language: str, sentence: str
) -> None:
    client.cookies["django_language"] = language
    assert fault(pasted(client, "cups-up notation 9")).startswith(sentence)


def test_a_fault_against_the_rules_has_both_places_in_the_notation(client: Client) -> None:
    lines = notation(bluff_record(3)).splitlines()
    number = next(i for i, written in enumerate(lines, start=1) if written.startswith("2. "))
    bids = re.sub(r"^(2\. )(\S+) \S+", r"\1\2 1x1", lines[number - 1])
    lines[number - 1] = bids
    html = pasted(client, "\n".join(lines))
    assert fault(html).startswith(
        f"Line {number}, column {bids.index('1x1') + 1} · Round 2, move 2: "
    )
    assert rounds(html) == 1


def test_a_result_that_is_not_true_is_told_and_the_true_one_shown(client: Client) -> None:
    record = bluff_record(3)
    html = pasted(client, json.dumps(record | {"result": {"rank": [9, 9, 9]}}))
    assert "result_mismatch" in fault(html)
    assert re.findall(r'<td class="rank"><b>(\d)</b></td>', html) == [
        str(rank) for rank in sorted(record["result"]["rank"])
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Paste a game"),
        (" \n ", "Paste a game"),
        ("hello", "Line 1, column 1"),
        ("{", "bad_json"),
        ("[]", "must be an object"),
        ("{}", "is missing"),
        ('{"v": 1}', "is missing"),
        ("{" * 50_000, "bad_json"),
        ("[" * 50_000, "nested too deeply"),
        ("cups-up notation 1", "bad_notation"),
        ("cups-up notation 2", "version 1"),
        ('{"v": NaN}', "bad_json"),
        ('{"v": 1e999}', "v"),
    ],
)
def test_what_is_no_game_is_told_beside_the_form(client: Client, text: str, sentence: str) -> None:
    html = pasted(client, text)
    assert sentence in unescape(html)
    assert '<textarea name="text"' in html


def test_a_number_too_large_stays_a_fault_on_the_way(client: Client) -> None:
    record = line(bluff_record(3, level="bids")).decode()
    html = pasted(client, re.sub(r'"count": \d+', '"count": 1e999', record, count=1))
    assert "rounds[0].count" in fault(html)


def test_half_characters_stay_a_fault_on_the_way(client: Client) -> None:
    record = bluff_record(3)
    record["rounds"][1]["moves"][0] = "\ud800"
    assert "rounds[1].moves[0]" in fault(pasted(client, json.dumps(record)))


def test_of_several_games_the_first_is_shown(client: Client) -> None:
    several = [bluff_record(3), bluff_record(4), bluff_record(5)]
    for text in (b"".join(map(line, several)).decode(), "\n".join(map(notation, several))):
        html = pasted(client, text)
        assert "The text contains several games" in html
        assert 'aria-current="page">game-3<' in html


def test_a_file_is_read_like_a_text(client: Client) -> None:
    html = pasted(
        client, "", file=SimpleUploadedFile("game.json", b"\xef\xbb\xbf" + line(bluff_record(3)))
    )
    assert not fault(html)
    assert rounds(html) > 0


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\xff\xfe{}", "The file isn’t text in UTF-8"),
        (b"x" * (MAX_BYTES + 1), "at most"),
        (b"", "Paste a game"),
    ],
)
def test_a_file_that_is_no_game_is_refused(client: Client, content: bytes, sentence: str) -> None:
    assert sentence in pasted(client, "", file=SimpleUploadedFile("game.json", content))


def test_a_text_that_is_too_long_is_refused(client: Client) -> None:
    assert str(MAX_BYTES) in pasted(client, "x" * (MAX_BYTES + 1))


def test_what_is_longer_than_any_game_is_refused(client: Client) -> None:
    record = bluff_record(3)
    record["rounds"][1]["moves"] = [f"{number * 7919 % 99991}y" for number in range(9000)]
    assert "longer than any game" in pasted(client, json.dumps(record))


def test_a_game_that_never_ends_is_refused(client: Client) -> None:
    fault_shown = fault(pasted(client, json.dumps(gifts(ROUNDS + 1))))
    assert "too_many_rounds" in fault_shown
    html = client.get(f"/replay/{pack(json.dumps(gifts(5000)))}/").content.decode()
    assert "too_many_rounds" in html
    assert rounds(html) == 0


def test_of_a_long_game_a_section_is_shown(client: Client) -> None:
    address = f"/replay/{pack(json.dumps(gifts(ROUNDS)))}/"
    for query, first, last in (("", 481, 500), ("?round=1", 1, 60), ("?round=61", 61, 120)):
        html = client.get(address + query).content.decode()
        assert f"Rounds {first} to {last}" in " ".join(html.split())
        assert rounds(html) == last - first + 1
        assert 'href="?round=61#stage"' in html
        assert len(html) < 300_000


def test_the_analysis_of_a_long_game_is_that_of_one_round(client: Client) -> None:
    long, short = (
        client.get(f"/replay/{pack(json.dumps(gifts(number)))}/?round=3") for number in (ROUNDS, 3)
    )
    assert "so this covers only round 3." in " ".join(long.content.decode().split())
    assert "so this covers only round" not in short.content.decode()
    assert {judged.address.round_number for judged in long.context["analysis"]["course"]} == {3}
    assert {judged.address.round_number for judged in short.context["analysis"]["course"]} == {
        1,
        2,
        3,
    }


def test_a_link_is_no_longer_than_it_is_made(client: Client) -> None:
    assert unpack("A" * (MAX_LINK + 1)) is None


def test_a_post_needs_its_token() -> None:
    assert (
        Client(enforce_csrf_checks=True).post(reverse("replay"), {"text": "{}"}).status_code == 403
    )


@pytest.mark.parametrize("packed", ["x", "abc", "%FF", "A" * 500, pack("hello"), pack("")])
def test_a_damaged_link_is_told(client: Client, packed: str) -> None:
    response = client.get(f"/replay/{packed}/")
    assert response.status_code == 404
    assert "This link is damaged" in response.content.decode()


def test_a_link_cut_short_is_told(client: Client) -> None:
    address = client.post(reverse("replay"), {"text": line(bluff_record(3)).decode()})["Location"]
    assert client.get(f"{address[:-40]}/").status_code == 404


def test_a_link_cannot_unpack_without_end(client: Client) -> None:
    assert unpack(pack("x" * (MAX_BYTES + 1))) is None
    assert client.get(f"/replay/{pack(' ' * 5 * MAX_BYTES)}/").status_code == 404


@given(st.text(max_size=2000))
def test_a_link_brings_the_text_back(text: str) -> None:
    assert unpack(pack(text)) == text


@given(
    st.text() | st.sampled_from([notation(bluff_record(1)), line(bluff_record(2)).decode()]),
    st.data(),
)
@settings(max_examples=60)
def test_no_text_breaks_the_reader(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    pasted_game = read_pasted(text[:cut] + data.draw(st.text(max_size=3)) + text[cut:])
    assert pasted_game.record is not None or pasted_game.fault is not None


def test_markup_in_a_game_is_escaped(client: Client) -> None:
    record = bluff_record(3, seats=("<script>x", "<b>b", "c&d"), table="<i>t", event="night-1")
    html = pasted(client, json.dumps(record))
    record["rounds"][1]["moves"][0] = "<script>y"
    html += pasted(client, json.dumps(record)) + pasted(client, "<script>z")
    for markup in ("<script>x", "<b>b", "<i>t", "<script>y", "<script>z"):
        assert markup not in html


def test_the_page_is_not_for_search_engines_and_stands_in_the_footer(client: Client) -> None:
    html = client.get(reverse("replay")).content.decode()
    assert f'href="{reverse("replay")}"' in html.split("<footer")[1]
    address = client.post(reverse("replay"), {"text": line(bluff_record(3)).decode()})["Location"]
    assert client.get(address)["X-Robots-Tag"] == "noindex"
