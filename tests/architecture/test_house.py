"""The folders, the architecture page and the import law tell the same story of rooms and who may
use whom."""

import re
from typing import Any, TypeAlias

import pytest

from league.wings import WINGS
from tests.architecture.checkout import ROOT, pyproject

Layers: TypeAlias = list[set[str]]
"""Rooms beside each other in a set, the highest ones first."""

PAGE = (ROOT / "templates" / "docs" / "architecture.md").read_text()
ROOM = re.compile(r"`((?:engine|league)/\w+)/`")
LAWS: dict[str, dict[str, Any]] = {
    contract.get("containers", [contract["layers"][0].rpartition(".")[0]])[0]: contract
    for contract in pyproject()["tool"]["importlinter"]["contracts"]
    if contract["type"] == "layers"
}
"""The contracts about layers by what they are inside of: nothing, `engine`, `games`, `league`."""
NOUN = "league.*.*."
NOUN_LAWS: list[dict[str, Any]] = [
    contract
    for contract in pyproject()["tool"]["importlinter"]["contracts"]
    if contract["type"] == "forbidden" and contract["source_modules"][0].startswith(NOUN)
]
"""The contracts about the layers of nouns, the lowest layer first."""


def drawn(number: int) -> Layers:
    """The layers that a drawing of the page shows; drawings are counted from 0."""
    drawing = re.findall(r"^```\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[number]
    return [set(line.split()) for line in drawing.splitlines()]


def held(contract: dict[str, Any]) -> Layers:
    """The layers of a contract, optional ones included."""
    return [
        {room.strip(" ()").rpartition(".")[2] for room in layer.split("|")}
        for layer in contract["layers"]
    ]


def built(layers: Layers, package: str) -> Layers:
    """The layers without rooms that aren't built yet, and without modules that are no rooms."""
    rooms = [{room for room in layer if (ROOT / package / room).is_dir()} for layer in layers]
    return [layer for layer in rooms if layer]


def folders(package: str) -> set[str]:
    """The folders of a package as paths."""
    found = (ROOT / package).iterdir()
    return {
        f"{package}/{folder.name}"
        for folder in found
        if folder.is_dir() and folder.name != "__pycache__"
    }


def modules(expressions: list[str]) -> list[str]:
    """The names of a noun's modules that a contract's expressions stand for."""
    return [expression.removeprefix(NOUN) for expression in expressions]


def noun_layers() -> list[set[str]]:
    """The layers of nouns below their pages, the lowest first."""
    return [set(modules(contract["source_modules"])) for contract in NOUN_LAWS]


@pytest.mark.parametrize("package", ["engine", "league"])
def test_the_page_tells_every_room(package: str) -> None:
    assert {room for room in ROOM.findall(PAGE) if room.startswith(package)} == folders(package)


def test_the_page_draws_the_law_between_packages() -> None:
    assert drawn(0) == held(LAWS[""])


def test_the_page_draws_the_law_between_the_rooms_of_the_engine() -> None:
    assert drawn(1) == built(held(LAWS["engine"]), "engine")
    assert {f"engine/{room}" for room in set.union(*drawn(1))} == folders("engine")


def test_the_page_draws_the_law_between_the_rooms_of_the_league() -> None:
    assert drawn(2) == built(held(LAWS["league"]), "league")


def test_the_page_draws_the_law_inside_a_noun() -> None:
    assert drawn(3) == held(LAWS["games"])
    nouns = [*reversed(noun_layers()), set(modules(NOUN_LAWS[-1]["forbidden_modules"]))]
    for on_page, lawful in zip(drawn(3), [nouns[-1], *nouns[:-1]], strict=True):
        assert on_page <= lawful


def test_the_law_keeps_each_layer_of_a_noun_from_all_above_it() -> None:
    layers = noun_layers()
    pages = set(modules(NOUN_LAWS[-1]["forbidden_modules"]))
    for number, contract in enumerate(NOUN_LAWS):
        above = set().union(pages, *layers[number + 1 :])
        assert set(modules(contract["forbidden_modules"])) == above, contract["name"]


def test_the_law_holds_every_wing() -> None:
    assert tuple(reversed(LAWS["league"]["layers"])) == WINGS


def test_the_page_lists_every_wing() -> None:
    listed = set(re.findall(r"^\| `league/(\w+)/`", PAGE, re.MULTILINE))
    assert listed == {*WINGS, "up", "demo"}, "the supervisor and the demo stand beside the wings"
