"""What the documents name is there: paths, make targets, commands of manage.py, verbs of the
engine."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands

from engine.cli.main import VERBS
from league.up.dump import ERASURES, MANIFEST
from tests.architecture.checkout import ROOT

DOCUMENTS = [
    ROOT / name
    for name in (
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "docker/README.md",
        "engine/README.md",
        *(
            f"templates/docs/{page.name}"
            for name in ("architecture", "backup", "capacity", "operate")
            for page in (ROOT / "templates" / "docs").glob(f"{name}*.md")
        ),
    )
]
CODE = re.compile(r"^```\w*\n(.*?)^```$|`([^`\n]+)`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^):#]+)\)")
FILE = re.compile(r"\w[\w.-]*\.(md|py|toml|txt|ini|json|yml)")
TARGET = re.compile(r"\bmake(?: \w+=\S+)* ([a-z]+)\b")
COMMAND = re.compile(r"\bmanage\.py ([a-z_]+)")
VERB = re.compile(r"\bpython -m engine ([a-z]+)")
each_document = pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT))
)


def code(document: Path) -> str:
    """All that a document writes as code."""
    return "\n".join(fence or span for fence, span in CODE.findall(document.read_text()))


def paths(document: Path) -> Iterator[str]:
    """Every path that a document names as code or links to, but for addresses and options."""
    for word in re.split(r"[\s'\"(),;=\[\]]+|::", code(document)):
        if re.search(r"[<>{}$*|…:]", word) or word.startswith(("/", "-", "~")):
            continue
        if "/" in word or FILE.fullmatch(word):
            yield word
    yield from (link for link in LINK.findall(document.read_text()) if not link.startswith("/"))


def is_made(path: str) -> bool:
    """Whether a path is one that git leaves out, because a program or a person makes it, or is of a
    backup."""
    ignored = [line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines()]
    return path in (*ignored, MANIFEST, ERASURES) or any(
        part in ignored for part in Path(path).parts
    )


@each_document
def test_every_path_exists(document: Path) -> None:
    missing = {
        path
        for path in paths(document)
        if not (ROOT / path).exists()
        and not (document.parent / path).exists()
        and not is_made(path)
    }
    assert missing == set()


@each_document
def test_every_make_target_exists(document: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(TARGET.findall(code(document))) - targets == set()


@each_document
def test_every_command_of_manage_py_exists(document: Path) -> None:
    assert set(COMMAND.findall(code(document))) - set(get_commands()) == set()


@each_document
def test_every_verb_of_the_engine_exists(document: Path) -> None:
    assert set(VERB.findall(code(document))) - {verb.NAME for verb in VERBS} == set()


def test_every_make_target_is_listed_and_phony() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony
    assert set(phony[1].split()) == targets
    assert set(re.findall(r"^([a-z]+):.*  ## \w", makefile, re.MULTILINE)) == targets
