"""Avatars, figures, charts and links as the pages show them."""

import gzip
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st

from games.templatetags.table import bid_label, hand
from league.core.player.tags import avatar, person
from league.settings import BASE_DIR
from league.standings.ranked_game.domain.gameline import SeatLine
from league.standings.standing.tags import names_but
from league.templatetags.charts import Mark, line_chart, sparkline
from league.templatetags.figures import (
    figure,
    interval,
    percent,
    plus_minus,
    rank_change,
    settling,
    signed,
    when,
)
from league.templatetags.icons import icon
from league.templatetags.pages import query, sort_head

TEMPLATES = BASE_DIR / "templates"
DEMO = BASE_DIR / "league" / "data" / "herbstliga-2026.jsonl.gz"
SHAPES = BASE_DIR / "games/static/games/shapes.svg"


def context(address: str, **values: object) -> Context:
    """What a page's template sees."""
    return Context({"request": RequestFactory().get(address), **values})


def test_an_avatar_belongs_to_its_handle() -> None:
    assert avatar("anja") == avatar("Anja")
    assert len({avatar(f"player-{number}") for number in range(30_000)}) == 1536
    assert 'class="av av-xl c' in avatar("anja", "xl")


@given(st.text(min_size=1, max_size=20))
def test_every_handle_has_an_avatar_with_a_face_and_a_colour(handle: str) -> None:
    file = "/static/games/shapes.svg"
    drawing = rf'<use href="{file}#a[0-7]\1[1-5s]"/>'
    assert re.fullmatch(
        rf'<svg class="av c[0-7] k([0-3])" aria-hidden="true">{drawing}</svg>', avatar(handle)
    )


@pytest.mark.parametrize(
    ("tag", "english", "german"),
    [
        (lambda: percent(0.256), "26%", "26\u202f%"),
        (lambda: figure(1234.5, 1), "1,234.5", "1.234,5"),
        (lambda: rank_change(2), "up 2 places", "2 Plätze besser"),
        (lambda: settling(so=True), "still settling", "noch unsicher"),
        (lambda: plus_minus("5"), "95% interval", "in diesem Bereich"),
        (lambda: bid_label("7x4"), "7 fours", "7 Vierer"),
        (lambda: hand("12"), "one, two", "Eins, Zwei"),
    ],
)
def test_what_is_kept_as_it_was_shown_is_kept_for_each_language(
    tag: Callable[[], str], english: str, german: str
) -> None:
    for language, words in 2 * (("en", english), ("de", german)):
        with translation.override(language):
            assert words in tag()


def test_no_two_players_of_the_demos_club_look_alike() -> None:
    with gzip.open(DEMO) as games:
        handles = {handle for game in games for handle in json.loads(game)["seats"]}
    assert len(handles) == 28
    assert len({avatar(handle) for handle in handles}) == len(handles)


def test_all_that_avatars_are_drawn_with_has_its_shape() -> None:
    drawn = set(re.findall(r'<symbol id="(a\d\w\w)"', SHAPES.read_text()))
    used = {name for number in range(2000) for name in re.findall(r"#(\w+)", avatar(str(number)))}
    assert used == drawn
    for name in used:
        assert f'{name}" viewBox="0 0 32 32">{_parts(*name[1:])}</symbol>' in SHAPES.read_text()


def _parts(painting: str, body: str, face: str) -> str:
    """All that an avatar is made of, the lowest first."""
    names = [*([f"v{painting}"] if painting != "0" else []), f"o{body}", f"f{face}"]
    return "".join(f'<use href="#{name}"/>' for name in names)


def test_a_person_is_the_avatar_with_the_name_beside_it() -> None:
    assert (
        person("anja", "<Anja>")
        == f'<span class="who">{avatar("anja")}<span>&lt;Anja&gt;</span></span>'
    )


def test_the_others_at_a_table_are_named_in_order() -> None:
    seats = [
        SeatLine(
            player=name * 10,
            handle=name,
            name=name.title(),
            rank=1,
            points=0,
            penalty=0,
            counts_for=None,
            counts_for_handle=None,
            counts_for_name=None,
        )
        for name in "bcd"
    ]
    assert [names_but(seats, "c" * 10), names_but(seats, "x" * 10), names_but([], "c" * 10)] == [
        "B, D",
        "B, C, D",
        "",
    ]


def test_an_icon_is_decoration_and_every_icon_of_the_pages_has_its_shape() -> None:
    use = '<use href="/static/games/shapes.svg#i-{}"/></svg>'.format
    assert icon("search") == f'<svg aria-hidden="true">{use("search")}'
    assert icon("print", "size-5") == f'<svg class="size-5" aria-hidden="true">{use("print")}'
    drawn = set(re.findall(r'id="i-(\w+)"', SHAPES.read_text()))
    used = {
        name
        for page in TEMPLATES.rglob("*.html")
        for name in re.findall(r'{% icon "(\w+)"', page.read_text())
    }
    assert used <= drawn


def test_figures_follow_the_readers_locale() -> None:
    assert [figure(1612.29, 1), figure(0.96, 1), figure(7, 2)] == ["1,612.3", "1.0", "7.00"]
    with translation.override("de"):
        assert figure(Decimal("1612.5"), 1) == "1.612,5"
        assert percent(0.256) == "26\u202f%"
    assert percent(0.256) == "26%"


def test_unknown_figures_are_a_dash() -> None:
    assert [figure(None), signed(None), percent(None), when(None), interval(None, 3)] == ["–"] * 5


def test_negative_figures_have_a_true_minus_and_zero_has_no_sign() -> None:
    assert [figure(-3), figure(-0.2), signed(4), signed(-4), signed(0.2), signed(0)] == [
        "−3",
        "0",
        "+4",
        "−4",
        "0",
        "0",
    ]


def test_an_interval_stands_behind_its_figure() -> None:
    assert interval(1612, 48) == '1,612<span class="pm" title="95% interval"> ±\u202f48</span>'
    assert plus_minus("48") == '<span class="pm" title="95% interval"> ±\u202f48</span>'
    assert [interval(1612, None), plus_minus("")] == ["1,612", ""]


def test_a_rating_that_is_still_settling_is_marked() -> None:
    assert settling(True) == '<abbr class="pm" title="still settling">?</abbr>'
    assert settling(False) == ""
    assert interval(1612, None) == "1,612"


def test_a_rank_change_has_its_arrow_and_its_words() -> None:
    assert 'class="chg up" role="img" aria-label="up 1 place"' in rank_change(1)
    assert 'class="chg down" role="img" aria-label="down 3 places"' in rank_change(-3)
    assert ">3</i>" in rank_change(-3)
    assert ">=</i>" in rank_change(0)
    assert ">new</i>" in rank_change(None)


def test_a_time_is_shown_in_the_active_zone_which_is_named() -> None:
    with timezone.override(ZoneInfo("Europe/Berlin")):
        shown = when(datetime(2026, 11, 20, 19, 30, tzinfo=UTC), "H:i")
    assert shown.startswith('<time datetime="2026-11-20T20:30:00+01:00"')
    assert "CET (Europe/Berlin)" in shown
    assert shown.endswith(">20:30</time>")


def test_links_keep_what_the_reader_chose() -> None:
    page = context("/games?player=anja&page=3")
    assert query(page, page=4) == "?player=anja&page=4"
    assert query(page, page=None) == "?player=anja"


@pytest.mark.parametrize(
    ("sort", "aria", "target"),
    [
        (None, "", "-points"),
        ("-points", "descending", "points"),
        ("points", "ascending", "-points"),
    ],
)
def test_a_click_on_a_column_sorts_and_turns_the_order_round(
    sort: str | None, aria: str, target: str
) -> None:
    head = sort_head(context("/table?q=a&page=2", sort=sort), "points", "Points", "n")
    assert (f' aria-sort="{aria}"' in head) if aria else ("aria-sort" not in head)
    assert f'href="?q=a&amp;sort={target}"' in head


def test_names_sort_from_a_to_z_first() -> None:
    assert 'href="?sort=name"' in sort_head(context("/table"), "name", "Player", first="asc")


@pytest.mark.parametrize(
    ("arguments", "start"),
    [
        ("", '<table class="ledger">'),
        ('"tight folds"', '<table class="ledger tight folds">'),
        ('"folds" anchor="players"', '<table class="ledger folds" id="players">'),
        (
            "caption=name",
            '<table class="ledger"> <caption class="sr-only">Anja &lt;&amp;&gt; Ben</caption>',
        ),
    ],
)
def test_a_table_frames_what_stands_inside(arguments: str, start: str) -> None:
    text = (
        f"{{% load tables %}}{{% table {arguments} %}}<tbody>{{{{ name }}}}</tbody>{{% endtable %}}"
    )
    shown = " ".join(Template(text).render(Context({"name": "Anja <&> Ben"})).split())
    assert shown == f"{start} <tbody>Anja &lt;&amp;&gt; Ben</tbody> </table>"


def test_a_sparkline_goes_from_left_to_right_and_ends_in_a_dot() -> None:
    assert sparkline([1]) == ""
    line = sparkline([1500, 1600, 1550])
    assert '<path d="M3 17l33 -14l33 7"/>' in line
    assert '<circle cx="69" cy="10" r="2.5"/>' in line


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40))
def test_a_sparkline_stays_in_its_box(values: list[float]) -> None:
    x, y = map(int, re.findall(r'd="M(\d+) (\d+)', sparkline(values))[0])
    for right, down in re.findall(r"l(-?\d+) (-?\d+)", sparkline(values)):
        x, y = x + int(right), y + int(down)
        assert 0 <= x <= 72
        assert 0 <= y <= 20


def history(*values: float) -> list[Mark]:
    """A history of these ratings with a band of ±100."""
    return [
        Mark(value, value - 100, value + 100, f"night {n}", url=f"/{n}")
        for n, value in enumerate(values)
    ]


def drawn(*values: float, width: str = "wide") -> str:
    """One of the two drawings of a history."""
    found = re.search(
        rf'<svg class="chart {width}".*?</svg>',
        str(line_chart(history(*values), "Rating")["drawing"]),
    )
    assert found
    return found[0]


def test_a_chart_has_a_line_a_band_and_a_marker_for_each_event() -> None:
    drawing = drawn(1500, 1530, 1490)
    assert drawing.count("<circle") == drawing.count("<a ") == 3
    assert "<title>night 1: 1,530 (1,430–1,630) </title>" in drawing
    assert 'aria-label="Rating over time, with its 95% band"' in drawing
    assert "style=" not in drawing


@given(st.lists(st.floats(-1e4, 1e4), min_size=3, max_size=30))
def test_a_chart_holds_all_its_figures(values: list[float]) -> None:
    for width, height in (("wide", 300), ("narrow", 230)):
        drawing = drawn(*values, width=width)
        heights = [float(y) for y in re.findall(r'cy="([-\d.]+)"', drawing)]
        assert all(14 <= y <= height - 30 for y in heights)
        assert len(re.findall(r'class="grid"', drawing)) <= 9


@pytest.mark.parametrize(("width", "most"), [("wide", 7), ("narrow", 3)])
def test_a_chart_has_no_more_labels_than_fit_under_it(width: str, most: int) -> None:
    for days in range(3, 40):
        labels = re.findall(r'class="[sxe]">([^<]+)<', drawn(*range(days), width=width))
        assert len(labels) <= most
        assert labels[-1] == f"night {days - 1}"


@pytest.mark.parametrize("days", [0, 1, 2])
def test_a_chart_begins_with_the_third_day(days: int) -> None:
    marks = history(*range(days))
    page = Template("{% load charts %}{% line_chart marks 'Rating' %}").render(
        Context({"marks": marks})
    )
    assert "The chart starts with the third day of play." in page
    assert "<svg" not in page


def test_a_chart_unfolds_into_a_table_of_its_figures() -> None:
    marks = history(1500, 1530, 1510)
    page = Template("{% load charts %}{% line_chart marks 'Rating' %}").render(
        Context({"marks": marks})
    )
    assert page.count("<tr>") == 4
    assert "1,430–1,630" in page
