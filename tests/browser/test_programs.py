"""The manual's program plays against the running service, to the end of its game."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.browser.service import Site

PROGRAM = """
import json, uuid
from league.core.key.services.key import key_create
from league.core.log.services import Actor
from league.core.member.services.member import member_add
from league.models import Club, Role, User
from league.play.program.services import account_mark_program
club = Club.objects.get(slug="becherkeller")
user = User.objects.create_user(f"bot {uuid.uuid4().hex[:6]}")
member_add(club=club, user=user, role=Role.PLAYER, actor=Actor())
account_mark_program(user=user)
print(json.dumps([user.pk, key_create(club=club, user=user, label="program", scope="play")[1]]), end="")
"""
GAMES = """
import json
from league.models import OnlineTable
tables = OnlineTable.objects.filter(seats__user={user})
print(json.dumps([[table.status, table.game_id is not None] for table in tables]), end="")
"""


def test_the_manual_s_program_plays_a_game_to_its_end(site: Site, tmp_path: Path) -> None:
    page = urllib.request.urlopen(f"{site.url}/docs/programs").read().decode()
    found = re.search(
        r'<h2 id="client">.*?<pre[^>]*><code[^>]*>(.*?)</code></pre>', page, re.DOTALL
    )
    assert found
    program = html.unescape(found[1])
    assert len(program.splitlines()) <= 60
    file = tmp_path / "program.py"
    file.write_text(program)
    user, key = json.loads(site.run(PROGRAM))
    environment = {"CUPS_UP_SERVER": site.url, "CUPS_UP_KEY": key, "CUPS_UP_CLUB": "becherkeller"}
    played = subprocess.run(
        [sys.executable, "-I", str(file)],
        env={**os.environ, **environment},
        capture_output=True,
        timeout=240,
    )
    assert played.returncode == 0, played.stderr.decode()
    assert re.fullmatch(
        r"The ranks by seat: \[[123], [123], [123]\]", played.stdout.decode().strip()
    )
    assert json.loads(site.run(GAMES.format(user=user))) == [["over", True]]


def test_a_stream_is_refused_like_any_other_address_and_tells_nobody_of_its_inner_one(
    site: Site,
) -> None:
    _, key = json.loads(site.run(PROGRAM))
    stream = f"{site.url}/api/v1/play/stream/"
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(stream)
    assert (refused.value.code, json.load(refused.value)["code"]) == (401, "not_authenticated")
    with pytest.raises(urllib.error.HTTPError) as missing:
        urllib.request.urlopen(f"{site.url}/api/v1/online-tables/zzzzzzzzzz/stream/")
    assert missing.value.code == 404
    for method in ("GET", "HEAD"):
        request = urllib.request.Request(
            stream, headers={"Authorization": f"Bearer {key}"}, method=method
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            assert answer.headers["Content-Type"] == "application/x-ndjson"
            assert "X-Inner-Stream" not in answer.headers
            assert (answer.readline() == b"\n") is (method == "GET"), (
                "a stream says at once that it is there"
            )
