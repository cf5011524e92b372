"""The nouns of the league: which modules they have, and that no two depend on each other in a
circle.

Which layer knows which is held by the contracts in pyproject.toml.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import Final, NamedTuple

import grimp
import pytest

from league.wings import WINGS
from tests.architecture.checkout import ROOT

PAGES: Final = ("web", "desk", "api", "tasks", "tags", "live")
LAYERS: Final = (
    ("models", "actions", "format"),
    ("domain",),
    ("queries", "permissions"),
    ("services",),
    PAGES,
)
"""The modules of a noun by their layers, lower ones first."""
APART: Final = {"receivers", "ledger"}
"""Modules of a noun that no other layer of it needs."""
NO_NOUNS: Final = {"frame", "log"}
"""Folders of the core that hold what all nouns share."""

IN_CIRCLES: Final = {
    ("sheets", "queries"): {"confirmation", "sheet"},
    ("sheets", "services"): {"confirmation", "sheet"},
    ("stages", "services"): {"placing", "stage"},
    ("records", "web"): {"analysis", "game", "round"},
    ("standings", "web"): {"ranking", "standing"},
}
"""The nouns that depend on each other at a layer, by wing and the layer's main module, and can't do
without.

A sheet says whether it is confirmed, and what confirms it is the sheet. Places follow when a
finished stage changes, and a change of places raises the stage's version. Pages show parts of each
other. """


class Place(NamedTuple):
    """Where a module of a noun stands."""

    wing: str
    noun: str
    layer: int


def place_of(module: str) -> Place | None:
    """Return the place of a module; None if it belongs to no noun or stands apart."""
    _, *path = module.split(".")
    if len(path) < 3 or path[0] not in WINGS or path[1] in NO_NOUNS:
        return None
    wing, noun, name = path[:3]
    for number, names in enumerate(LAYERS):
        if name in names:
            return Place(wing, noun, number)
    return None


@cache
def imports() -> list[tuple[str, str]]:
    """Return who imports whom in the league, module by module."""
    graph = grimp.build_graph("league", cache_dir=None)
    return [
        (importer, imported)
        for importer in sorted(graph.modules)
        for imported in sorted(graph.find_modules_directly_imported_by(importer))
    ]


def dependencies(wing: str, layer: int) -> dict[str, set[str]]:
    """Return the nouns that each noun of a wing imports at a layer."""
    nouns: dict[str, set[str]] = {}
    for importer, imported in imports():
        here = place_of(importer)
        there = place_of(imported)
        if here is None or there is None:
            continue
        if (here.wing, here.layer) == (there.wing, there.layer) == (
            wing,
            layer,
        ) and here.noun != there.noun:
            nouns.setdefault(here.noun, set()).add(there.noun)
    return nouns


def without(nouns: dict[str, set[str]], circle: set[str]) -> dict[str, set[str]]:
    """Return the dependencies without those between the nouns of a circle."""
    return {noun: others - circle if noun in circle else others for noun, others in nouns.items()}


def noun_folders() -> Iterator[tuple[str, str]]:
    """Return each noun with its wing."""
    for wing in WINGS:
        for folder in sorted((ROOT / "league" / wing).iterdir()):
            if (folder / "__init__.py").is_file() and folder.name not in NO_NOUNS:
                yield wing, folder.name


def test_a_noun_has_modules_of_known_layers() -> None:
    known = {"__init__", "urls", *APART, *(name for layer in LAYERS for name in layer)}
    unknown = [
        path
        for wing, noun in noun_folders()
        for path in (ROOT / "league" / wing / noun).iterdir()
        if (path.suffix == ".py" or (path / "__init__.py").is_file()) and path.stem not in known
    ]
    assert unknown == []


@pytest.mark.parametrize("layer", range(len(LAYERS)), ids=[names[0] for names in LAYERS])
@pytest.mark.parametrize("wing", WINGS)
def test_no_two_nouns_of_a_layer_depend_on_each_other(wing: str, layer: int) -> None:
    nouns = dependencies(wing, layer)
    circle = IN_CIRCLES.get((wing, LAYERS[layer][0]), set())
    try:
        TopologicalSorter(without(nouns, circle)).prepare()
    except CycleError as error:
        pytest.fail(
            "Let a noun below tell these, or move what both need: "
            f"{' → '.join(error.args[1][::-1])}"
        )
    if circle:
        with pytest.raises(CycleError):
            TopologicalSorter(nouns).prepare()
