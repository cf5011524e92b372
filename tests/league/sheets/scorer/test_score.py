"""The scorer's page needs no account and no network: its words and files come with it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from engine.messages import templates
from league.models import StageRound, Table
from league.sheets.sheet.domain.words import REFUSALS, scorer_words

pytestmark = pytest.mark.django_db
STATIC = Path(settings.BASE_DIR) / "league" / "static" / "league"
SCRIPTS = "".join((STATIC / f"{name}.js").read_text() for name in ("scorer", "round"))


def facts(client: Client, table: Table, language: str = "en") -> dict[str, object]:
    """What the page tells its scripts."""
    content = client.get(
        f"/score/{table.public_id}/", headers={"accept-language": language}
    ).content.decode()
    (block,) = re.findall(r'<script id="facts" type="application/json">(.*?)</script>', content)
    page_facts: dict[str, object] = json.loads(block)
    return page_facts


def test_the_page_is_for_all_who_see_the_table(client: Client, table: Table) -> None:
    answer = client.get(f"/score/{table.public_id}/")
    assert answer.status_code == 200
    content = answer.content.decode()
    assert f"/tables/{table.public_id}/result/" in content, "without JavaScript there is the form"
    assert "htmx" not in content
    assert "sessionid" not in answer.cookies


def test_who_may_not_see_the_table_gets_a_page_that_tells_nothing_of_it(
    client: Client, table: Table
) -> None:
    StageRound.objects.update(status=StageRound.Status.DRAWN)
    hidden, none = (
        client.get(f"/score/{table_id}/") for table_id in (table.public_id, "2222222222")
    )
    assert hidden.status_code == none.status_code == 200
    assert hidden.content.replace(table.public_id.encode(), b"2222222222") == none.content
    assert facts(client, table)["page"] is None


def test_it_speaks_the_reader_s_language(client: Client, table: Table) -> None:
    for language, cups_up in (
        ("en", "Cups up!"),
        ("de", "Hoch die Becher!"),
        ("nl", "Omhoog die beker!"),
    ):
        words: Any = facts(client, table, language)["words"]
        assert words["cups_up"] == cups_up
    assert words["loses"] == [
        "%(name)s verliest %(count)s dobbelsteen",
        "%(name)s verliest %(count)s dobbelstenen",
    ]
    assert words["bid_4"] == ["%(count)s vier", "%(count)s vieren"]
    assert words["faults"]["{bid} does not raise {last}"] != "{bid} does not raise {last}"


def test_whatever_the_scripts_say_is_among_the_words() -> None:
    said = set(re.findall(r'\b(?:say|many)\("(\w+)"', SCRIPTS))
    words = scorer_words()
    assert said <= words.keys()
    computed = ("bid_", "did_", "depth_", "state_")
    lonely = {
        name for name in words if f'"{name}"' not in SCRIPTS and not name.startswith(computed)
    }
    assert lonely == {"faces", "combinations", "faults"}


def test_refusals_are_sentences_of_the_service() -> None:
    said = {
        *templates(Path(settings.BASE_DIR) / "league"),
        *templates(Path(settings.BASE_DIR) / "games"),
    }
    assert said >= set(REFUSALS)


def test_the_worker_keeps_files_that_there_are_for_the_scorer_alone(client: Client) -> None:
    answer = client.get("/score/sw.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    first = answer.content.decode().splitlines()[0]
    precache = json.loads(first.removeprefix("const PRECACHE = ").removesuffix(";"))
    assert precache["version"]
    for file in precache["files"]:
        assert finders.find(file.removeprefix("/static/")), file
    assert "/static/league/htmx.min.js" not in precache["files"]
