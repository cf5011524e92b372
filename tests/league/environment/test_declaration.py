"""Every declared variable refuses wrong values, takes its default, and is the only way to the
environment."""

from __future__ import annotations

import ast
import itertools
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, strategies

from league.environment import declaration
from league.environment.check import environment_check
from league.environment.declaration import GROUPS, VARIABLES
from league.environment.variable import AnyVariable, BadSetting, OptionalVariable, Variable
from tests.league.environment.wrong import WORD, wrong_values

ROOT = Path(__file__).parents[3]
NAMES = [variable.name for variable in VARIABLES]
each_variable = pytest.mark.parametrize("variable", VARIABLES, ids=NAMES)
OTHERS = {
    "league/celery_app.py": "where Django finds its settings",
    "league/wsgi.py": "where Django finds its settings",
    "league/up/preload.py": "where Django finds its settings",
    "league/management/commands/up.py": "it sets DEMO for its children",
    "league/demo/season.py": "the language of the terminal",
    "league/up/children.py": "what a child inherits",
    "league/up/dump.py": "what pg_dump inherits",
    "league/up/fork.py": "what a copy inherits",
    "league/up/heartbeat.py": "what the supervisor tells its children",
    "league/up/supervisor.py": "the socket of systemd, and what a restart inherits",
    "league/up/metrics_folder.py": "what the supervisor tells its children",
    "league/site/metrics/domain.py": "what the supervisor tells its children",
    "league/environment/variable.py": "it reads variables",
    "league/environment/check.py": "it checks them",
}
"""The modules that may use the environment, and why."""


def refusal(environment: dict[str, str]) -> str:
    """The sentence with which an environment is refused."""
    with pytest.raises(BadSetting) as refused:
        environment_check(environment)
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
    return str(refused.value)


@each_variable
def test_a_wrong_value_is_refused_by_one_sentence(variable: AnyVariable) -> None:
    wrong = wrong_values(variable.kind)
    assert wrong
    for value in filter(None, wrong):
        sentence = refusal({variable.name: value})
        assert sentence.startswith(f"{variable.name} "), value
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert len(sentence) < 500
        assert sentence.isprintable(), value
        assert variable.kind.describe() in sentence
        if variable.secret:
            assert WORD not in sentence.replace(variable.kind.describe(), "")


@each_variable
@given(value=strategies.text(min_size=1))
@example("\x00")
@example("/" * 5000)
@example("a" * 5000)
@example("//[")
@example("💥@💥:💥")
def test_any_text_is_taken_or_refused(variable: AnyVariable, value: str) -> None:
    with suppress(BadSetting):
        environment_check({variable.name: value})


@each_variable
def test_a_wrong_value_is_refused_in_a_file_too(variable: AnyVariable, tmp_path: Path) -> None:
    file = tmp_path / "value"
    file.write_text(f"{wrong_values(variable.kind)[0]}\n")
    assert refusal({variable.file_name: str(file)}).startswith(f"{variable.name} ")


@each_variable
def test_value_and_file_are_refused_together(variable: AnyVariable, tmp_path: Path) -> None:
    sentence = refusal({variable.name: WORD, variable.file_name: str(tmp_path / WORD)})
    assert sentence == f"{variable.name} and {variable.name}_FILE are both set; set only one."


@each_variable
def test_an_empty_value_is_the_same_as_none(variable: AnyVariable) -> None:
    environment = {variable.name: "", variable.file_name: ""}
    environment_check(environment)
    assert not variable.is_given(environment)
    assert variable.read(environment) == variable.read({})


@each_variable
def test_a_default_can_be_written_down_as_a_value(variable: AnyVariable) -> None:
    if isinstance(variable, Variable):
        default: Any = variable.read({variable.name: variable.default})
        assert default == variable.read({})
    else:
        assert variable.read({}) is None


@each_variable
def test_sentences_of_the_manual_are_sentences(variable: AnyVariable) -> None:
    assert variable.about.endswith(".")
    if isinstance(variable, OptionalVariable):
        assert not variable.otherwise.endswith(".")


def test_a_variable_is_found_by_its_name_and_declared_once() -> None:
    assert len(NAMES) == len(set(NAMES)), "twice"
    assert [getattr(declaration, name) for name in NAMES] == VARIABLES
    assert len({group.name for group in GROUPS}) == len(GROUPS)


@pytest.mark.parametrize(
    ("variable", "other"),
    [(variable, other) for variable in VARIABLES for other in variable.needed_with],
    ids=lambda variable: variable.name,
)
def test_a_variable_is_missing_where_it_is_needed(
    variable: AnyVariable, other: AnyVariable
) -> None:
    value = "true" if other.name == "STATIC_COLLECTED" else "postgresql://nowhere"
    with pytest.raises(BadSetting, match=f"{variable.name} is missing.* where {other.name} is"):
        variable.check({other.name: value})


def test_a_service_needs_secret_servers_and_names() -> None:
    service = {
        "STATIC_COLLECTED": "true",
        "SECRET_KEY": "0123456789abcdef0123456789abcdef",
        "DATABASE_URL": "postgresql://nowhere",
        "REDIS_URL": "redis://nowhere",
        "ALLOWED_HOSTS": "cups.example.org",
    }
    environment_check(service)
    for name in service.keys() - {"STATIC_COLLECTED"}:
        assert f"{name} is missing" in refusal({**service, name: ""})
    environment_check({"STATIC_COLLECTED": "false"})


def uses_environment(module: Path) -> bool:
    """Whether a module reads or changes the environment by itself."""
    code = module.read_text()
    if "environ" not in code and "getenv" not in code:
        return False
    names = {"environ", "environb", "getenv", "putenv"}
    uses = {f"os.{name}" for name in names}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Attribute) and ast.unparse(node) in uses:
            return True
        if isinstance(node, ast.ImportFrom) and _imports(node, names):
            return True
    return False


def _imports(node: ast.ImportFrom, names: set[str]) -> bool:
    return node.module == "os" and bool(names & {alias.name for alias in node.names})


def test_nobody_else_reads_the_environment() -> None:
    modules = itertools.chain((ROOT / "league").rglob("*.py"), (ROOT / "games").rglob("*.py"))
    using = {str(module.relative_to(ROOT)) for module in modules if uses_environment(module)}
    assert using == OTHERS.keys()
