"""A client that is generated from the description, as the manual says, gets an answer from every operation."""

import importlib
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import httpx
import pytest
from django.conf import settings

from league.models import Season, User
from league.site.api.schema import description
from league.wsgi import application
from tests.factories.records import bluff_record, line

MANUAL = (settings.BASE_DIR / "templates/docs/api.md").read_text()
TEXT_NOTATION = "text/vnd.cups-up"


def operations() -> list[Any]:
    """Every operation of the description: its tag and its name."""
    paths = json.loads(description())["paths"].values()
    found = [(operation["tags"][0], operation["operationId"]) for path in paths for operation in path.values()]
    return [pytest.param(*names, id=names[1]) for names in found]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of the generated package, which can be imported as long as the module is tested."""
    folder = tmp_path_factory.mktemp("client")
    overrides = re.search(r"```yaml\n(.*?)```", MANUAL, re.DOTALL)
    assert overrides is not None
    (folder / "schema.json").write_bytes(description())
    (folder / "client.yaml").write_text(overrides[1] + "post_hooks: []\n")
    where = ["--path", "schema.json", "--config", "client.yaml", "--meta", "none", "--output-path", "cups_up_client"]
    ran = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", *where],
        cwd=folder, check=True, capture_output=True, text=True,
    )  # fmt: skip
    warnings = re.findall(r"^WARNING.*", ran.stdout + ran.stderr, re.MULTILINE)
    assert warnings == ["WARNING parsing POST /api/v1/clubs/{club}/games/ within clubs."], "only what the manual says"
    sys.path.insert(0, str(folder))
    yield "cups_up_client"
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.startswith("cups_up_client")]:
        del sys.modules[name]


def call(package: str, secret: str, tag: str, operation: str, **arguments: Any) -> Any:
    """What the generated function for an operation gives back."""
    client = importlib.import_module(f"{package}.client").AuthenticatedClient(
        base_url="http://testserver",
        token=secret,
        raise_on_unexpected_status=True,
        httpx_args={"transport": httpx.WSGITransport(app=application)},
    )
    function = importlib.import_module(f"{package}.api.{tag}.{operation}").sync_detailed
    known = inspect.signature(function).parameters
    return function(client=client, **{name: value for name, value in arguments.items() if name in known})


@pytest.mark.usefixtures("open_database")
@pytest.mark.parametrize(("tag", "operation"), operations())
def test_every_operation_is_answered(
    package: str, secret: str, known: dict[str, object], tag: str, operation: str
) -> None:
    """A new operation is called as soon as it is described; one with a path of a new kind fails until it is known."""
    types = importlib.import_module(f"{package}.types")
    body = types.File(payload=BytesIO(line(bluff_record(7)) + line(bluff_record(8))))
    answer = call(package, secret, tag, operation, **known, body=body)
    assert answer.status_code in (200, 201), answer.content
    assert answer.parsed is not None
    assert type(answer.parsed).__name__ != "ProblemShape"
    if hasattr(answer.parsed, "results"):
        assert answer.parsed.results


@pytest.mark.usefixtures("open_database")
def test_the_records_of_a_season_come_as_they_are_and_go_in_again(
    package: str, secret: str, known: dict[str, object], season: Season
) -> None:
    records = call(package, secret, "clubs", "get_season_records", **known)
    lines = records.parsed.payload.getvalue().splitlines()
    assert [json.loads(record)["id"] for record in lines] == ["game-1", "game-2"]
    types = importlib.import_module(f"{package}.types")
    entered = call(package, secret, "clubs", "enter_games", **known, body=types.File(payload=records.parsed.payload))
    assert (entered.status_code, entered.parsed.unchanged) == (200, 2)


@pytest.mark.usefixtures("open_database")
def test_one_record_goes_in_with_who_entered_it_and_a_bad_one_is_a_problem_with_its_place(
    package: str, secret: str, scorer: User, known: dict[str, object]
) -> None:
    body = importlib.import_module(f"{package}.models").EnterGamesJsonBody
    good = bluff_record(9) | {"season": "autumn"}
    entered = call(package, secret, "clubs", "enter_games", **known, body=body.from_dict(good)).parsed
    assert entered.created == 1
    game = call(package, secret, "games", "get_game", game=entered.results[0].game.split("/")[-2]).parsed
    assert game.entered_by == scorer.public_id
    bad = bluff_record(10, rounds=1) | {"season": "autumn"}
    bad["rounds"][0]["moves"].insert(1, "1x1")
    problem = call(package, secret, "clubs", "enter_games", **known, body=body.from_dict(bad)).parsed
    assert (problem.status, problem.code, problem.round_, problem.move) == (422, "not_a_raise", 0, 1)
    assert problem.id == "game-10"
