"""One word, one thing: the name of a class says in the whole repository what it is, and `told` is
no name at all."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

from tests.architecture.checkout import ROOT

AT_TWO_DEPTHS = {
    "Apart": "two who should not meet, as a draw reads it; the row that keeps it",
    "Away": "a time at which somebody can't play, or would rather not; the row that keeps it",
    "Draw": "a round drawn; the fact that keeps it",
    "Game": "a game of Bluff or of Lügen-Kniffel in play; the game that is stored",
    "HallPlace": "where a table can be played, as a timetable reads it; the row that keeps it",
    "Kind": "all that differs between the kinds of games; the kind by which a stored game finds it",
    "OpenSheet": "what a game that is written down has come to; the row that keeps its state",
    "Participant": "somebody whom a draw seats; the row that says who takes part in a stage",
    "Per": (
        "what the points of a season by events are made of; the choice, with its names for readers"
    ),
    "Rating": "what is believed of a player; the row that keeps it",
    "Round": "a round of Bluff in play; the round that is stored",
    "Ruleset": "the options of Bluff; those of Lügen-Kniffel",
    "Scoring": (
        "how a game becomes points; the choice of it in a ranking, with its names in the reader's "
        "language"
    ),
    "StageScoring": "how a table's games become points of a stage; the choice of it",
    "SheetEntry": "an entry of an open game, as the engine folds it; the row that keeps it",
    "Slot": "a time at which tables are played; the row that keeps it",
    "Standing": "a row of a table as it is folded; the row that is stored",
    "Style": "how somebody plays, as added up; the row that keeps it",
    "Timetable": "slot and place of each table; the row that keeps them",
}
"""Names that mean the same thing in two modules, and what it is in each."""
FROZEN = "league/migrations/replay/"
"""What logs said before their entries stated rows, in the words of then."""
DJANGOS = {"Command", "Migration"}
"""Names by which Django finds what a module holds."""


def modules(*folders: str, word: str = "") -> Iterator[tuple[str, ast.Module]]:
    """The modules in some folders, each by its path; only those in which a word stands, if one is
    given."""
    for folder in folders:
        for file in sorted((ROOT / folder).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            if word in text:
                yield str(file.relative_to(ROOT)), ast.parse(text)


def types_of(module: ast.Module) -> Iterator[str]:
    """The classes of a module, and the types that it gives a name by `Name = …[…]` or `Name:
    TypeAlias = …`."""
    for node in module.body:
        match node:
            case ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript()) if name[
                0
            ].isupper():
                yield name
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias")):
                yield name


def test_a_type_has_one_meaning() -> None:
    where = defaultdict(list)
    for path, module in modules("engine", "games", "league"):
        for name in () if path.startswith(FROZEN) else types_of(module):
            where[name].append(path)
    repeated = {
        name: paths for name, paths in where.items() if len(paths) > 1 and name not in DJANGOS
    }
    assert {name: paths for name, paths in repeated.items() if name not in AT_TWO_DEPTHS} == {}
    assert repeated.keys() == AT_TWO_DEPTHS.keys(), (
        "a name that stands in one place alone needs no excuse"
    )


def test_nothing_is_called_told() -> None:
    """What somebody told is a round, a record, an answer, a fault: a name says which."""
    names = {
        (path, name)
        for path, module in modules("engine", "games", "league", "tests", word="told")
        for node in ast.walk(module)
        for name in (
            getattr(node, "id", None),
            getattr(node, "arg", None),
            getattr(node, "attr", None),
        )
        if name == "told"
    }
    assert names == set()


def test_no_docstring_is_wrapped_like_a_string() -> None:
    """Readers of the API would see the quotation marks in the middle of the sentence."""
    wrapped = {
        (path, node.name)
        for path, module in modules("engine", "games", "league", "tests")
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and re.search(r' "\n\s*"', ast.get_docstring(node) or "")
    }
    assert wrapped == set()
