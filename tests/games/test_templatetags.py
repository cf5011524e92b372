"""Dice, bids and the track as drawings: what they say to eyes and to screen readers."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from hypothesis import given
from hypothesis import strategies as st

from engine.bluff.track import BIDS, FIELD, TEXT
from games.templatetags.table import bid, bid_label, bid_of, cup, die, hand
from games.templatetags.track import LAP, PLACES, ROAD, WIDTH, track

BID = st.sampled_from(TEXT)


def fields(drawing: str) -> list[str]:
    """The fields of a drawn track in order, as the words on them."""
    found = re.findall(r'<text[^>]*>(.*?)</text>(<use href="[^"]*#star"[^>]*>)?', drawing)
    return [count + ("★" if star else "") for count, star in found]


def test_a_die_says_its_face_and_how_it_lies() -> None:
    assert die("4") == (
        '<svg class="die" role="img"><title>four</title><use '
        'href="/static/games/shapes.svg#d4"/></svg>'
    )
    assert die(6) == (
        '<svg class="die" role="img"><title>six</title><use '
        'href="/static/games/shapes.svg#d6"/></svg>'
    )
    assert "<title>star, laid out, counts</title>" in die("*", "out hit")
    assert 'class="die hidden-die"' in die("?")
    assert "<title>hidden die</title>" in die("?")


def test_a_face_that_no_die_has_is_an_error() -> None:
    with pytest.raises(KeyError):
        die("7")


def test_stars_count_for_a_number_bid_and_laid_out_dice_are_outlined() -> None:
    """Ruling B7 (R, S)."""
    drawn = re.findall(
        r'<svg class="([^"]+)"><use href="[^#]+#(\w+)"', hand("12*45", laid_out="4*", face="2")
    )
    assert drawn == [
        ("die miss", "d1"),
        ("die hit", "d2"),
        ("die out hit", "ds"),
        ("die out miss", "d4"),
        ("die miss", "d5"),
    ]


def test_only_stars_count_for_a_star_bid() -> None:
    """Ruling B7 (R, S)."""
    assert re.findall(r'class="die (hit|miss)"', hand("1*5", face="*")) == ["miss", "hit", "miss"]


def test_as_many_dice_of_a_face_are_outlined_as_were_laid_out() -> None:
    assert re.findall(r'class="(die[^"]*)"', hand("333", laid_out="33")) == [
        "die out",
        "die out",
        "die",
    ]


def test_a_hand_is_read_as_one_thing() -> None:
    assert 'aria-label="one, two, star"' in hand("12*")
    assert 'aria-label="no dice"' in hand("")


@pytest.mark.parametrize(
    ("state", "shape"), [("standing", "cup"), ("lifted", "cup-up"), ("empty", "cup-0")]
)
def test_a_cup_stands_is_lifted_or_lies_empty(state: str, shape: str) -> None:
    assert f'#{shape}"' in cup(state)


def test_a_bid_in_words() -> None:
    assert (bid_label("1x*"), bid_label("3x*"), bid_label("7x4")) == (
        "1 star",
        "3 stars",
        "7 fours",
    )


def test_a_bid_shows_its_count_and_its_red_die() -> None:
    assert (
        'aria-label="7 fours">7<i>×</i><svg class="die red"><use '
        'href="/static/games/shapes.svg#d4"/>'
    ) in bid("7x4")
    assert bid("7x4/4*>215") == bid("7x4") == bid(TEXT.index("7x4"))
    assert 'class="bid bid-huge"' in bid("7x4", "huge")


def test_a_challenge_is_no_bid() -> None:
    assert [bid_of(move) for move in ("7x4", "7x4/4*>215", "!")] == ["7x4", "7x4", None]


def test_the_track_has_its_thirty_fields_in_order() -> None:
    """Ruling B1."""
    order = "1 1★ 2 3 2★ 4 5 3★ 6 7 4★ 8 9 5★ 10 11 6★ 12 13 7★ 14 15 8★ 16 17 9★ 18 19 10★ 20"
    assert " ".join(fields(track([]))) == order
    assert "<title>The track, no bid yet</title>" in track([])


def test_star_fields_and_no_others_have_the_red_edge() -> None:
    starred = re.findall(r'<g class="f s" data-field="([^"]+)"', track([]))
    assert starred == [f"{count}*" for count in range(1, 11)]


def test_a_bid_beyond_twenty_shows_the_second_lap() -> None:
    """Ruling B2 (R, S)."""
    drawn = track(["19x5", "22x4"])
    assert fields(drawn)[:3] == ["21", "11★", "22"]
    assert fields(drawn)[-2:] == ["20★", "40"]
    assert 'class="trail past"' in drawn
    assert re.findall(r'class="f[^"]* on" data-field="([^"]+)"', drawn) == ["22"]


def test_the_trail_passes_over_the_challenge_and_lay_outs() -> None:
    assert (
        track(["2x2", "5x4/4", "!"])
        == track(["2x2", "5x4"])
        == track(map(TEXT.index, ["2x2", "5x4"]))
    )
    assert "<title>Bids on the track: 2 twos → 5 fours</title>" in track(["2x2", "5x4", "!"])
    assert 'class="trail"' not in track(["5x4"])


@given(st.lists(st.integers(0, BIDS - 1), min_size=1, max_size=12, unique=True).map(sorted))
def test_the_red_die_stands_on_the_field_of_the_last_bid(bids: list[int]) -> None:
    x, y = PLACES[FIELD[bids[-1]] % LAP]
    assert f'<svg class="die red" x="{x - 23:g}" y="{y - 23:g}"' in track(bids)
    assert f'<circle class="end" cx="{x:.0f}" cy="{y:.0f}"' in track(bids, "mini")


def test_at_a_table_in_play_each_bid_has_the_token_of_its_seat_and_the_one_before_a_white_die() -> (
    None
):
    drawn = track(["2x2", "5x4", "5x5"], "full", [0, 3, 1])
    assert re.findall(r'class="token (c\d)".*?<text y="4">(\d)<', drawn) == [
        ("c0", "1"),
        ("c1", "2"),
    ]
    assert drawn.count('class="die white"') == 1
    assert "white" not in track(["2x2", "5x4"])
    assert "token" not in track(["2x2", "5x4"])
    assert track(["19x5", "22x4"], "full", [0, 1]).count("token") == 1, (
        "the lap before is off the board"
    )


@given(st.lists(BID, max_size=12))
def test_a_small_track_stays_small(texts: list[str]) -> None:
    bids = sorted(texts, key=TEXT.index)
    title = re.search("<title>.*</title>", track(bids, "mini"))
    assert title is not None
    assert len(track(bids, "mini")) - len(title[0]) < 450


def test_all_fields_lie_within_the_drawing_and_apart() -> None:
    assert len(set(PLACES)) == LAP == 30
    assert all(18 <= x <= WIDTH - 18 for x, _ in PLACES)


def test_the_file_of_shapes_has_the_road_under_the_fields() -> None:
    shapes = finders.find("games/shapes.svg")
    assert shapes
    assert f'd="{ROAD}"' in Path(shapes).read_text()


def test_drawings_carry_no_inline_style() -> None:
    """The content security policy forbids it."""
    drawn = (
        die("4", "out")
        + hand("12", face="2")
        + cup()
        + bid("3x*")
        + track(["22x4"])
        + track(["2x2"], "mini")
    )
    assert "style=" not in drawn
