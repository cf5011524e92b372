"""Reads a PDF that somebody sent, and writes its pages anew if nothing in it can run.

It runs as a process of its own, `python -I pdf.py <sent.pdf >kept.pdf`, with little time and
memory, since a hostile file can make any reader of PDFs run for ever. It ends with 0, or with one
of the codes below and without output.

What it finds is refused twice: in all objects that the file holds, also in compressed ones, and in
what it writes. What it writes are the pages alone. Earlier versions, objects that only a tolerant
reader finds, what comes before or behind the PDF, and who made it when stay behind."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any, Final

MAGIC: Final = b"%PDF-"
UNREADABLE: Final = 3
RUNS: Final = 4
LOCKED: Final = 5

SECONDS: Final = 10
MEMORY: Final = 1024 * 1024 * 1024
OBJECTS: Final = 50_000
PAGES: Final = 200

KEYS: Final = frozenset(
    ("/JS", "/JavaScript", "/EmbeddedFiles", "/EF", "/XFA", "/RichMediaContent", "/AF")
)
"""Keys of a dictionary that hold a script, another file, or a form that acts."""
ACTIONS: Final = frozenset(
    (
        *(
            "/JavaScript",
            "/Launch",
            "/SubmitForm",
            "/ImportData",
            "/GoToR",
            "/GoToE",
            "/Rendition",
            "/Movie",
            "/Sound",
        ),
        *("/RichMediaExecute", "/GoTo3DView", "/Trans"),
    )
)
"""Actions (`/S`) that do more than to show a place of the PDF or the address of a page in the
web."""
KINDS: Final = frozenset(
    (
        "/EmbeddedFile",
        "/FileAttachment",
        "/RichMedia",
        "/Screen",
        "/Movie",
        "/Sound",
        "/3D",
        "/Collection",
    )
)
"""Objects, by `/Type` or `/Subtype`, that hold or show another file."""
PLAIN: Final = re.compile(
    rb"/(JavaScript|Launch|SubmitForm|ImportData|EmbeddedFiles?|RichMedia|XFA)(?=[\s/<>\[\]()]|$)",
)
"""Names that betray the same in the plain bytes, also in objects that no table lists."""
ESCAPE: Final = re.compile(rb"#([0-9A-Fa-f]{2})")


def plain_bytes_run(content: bytes) -> bool:
    """Return True if the plain bytes of a PDF name something that runs, however its name is
    spelt."""
    spelt_out = ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), content)
    return PLAIN.search(spelt_out) is not None


def objects_run(objects: Iterable[Any]) -> bool:
    """Return True if one of these objects of a PDF, or what it holds itself, can run or holds
    another file."""
    return any(_runs(part) for each in objects for part in _dictionaries_in(each))


def _runs(part: dict[Any, Any]) -> bool:
    names = {str(key) for key in part}
    if names & KEYS:
        return True
    if "/S" in part and str(part["/S"]) in ACTIONS:
        return True
    return any(key in part and str(part[key]) in KINDS for key in ("/Type", "/Subtype"))


def _dictionaries_in(value: Any) -> Iterator[dict[Any, Any]]:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield each
            waiting += [
                each.raw_get(key) if hasattr(each, "raw_get") else each[key] for key in each
            ]
        elif isinstance(each, list):
            waiting += list.__iter__(each)


def written_anew(content: bytes) -> bytes:
    """Return a PDF with the pages of another one. Ends the process with a code where that isn't to
    be had."""
    from pypdf import PdfReader, PdfWriter

    reader = PdfReader(
        BytesIO(content), root_object_recovery_limit=100, xref_stream_maximum_entries=OBJECTS
    )
    if reader.is_encrypted:
        sys.exit(LOCKED)
    if plain_bytes_run(content) or objects_run(_all_objects(reader)):
        sys.exit(RUNS)
    if not 0 < len(reader.pages) <= PAGES:
        sys.exit(UNREADABLE)
    writer = PdfWriter()
    for page in reader.pages:
        writer.add_page(page)
    writer.metadata = None
    buffer = BytesIO()
    writer.write(buffer)
    kept = buffer.getvalue()
    if plain_bytes_run(kept) or objects_run(_all_objects(PdfReader(BytesIO(kept)))):
        sys.exit(RUNS)
    return kept


def _all_objects(reader: Any) -> Iterator[Any]:
    from pypdf.generic import IndirectObject

    yield reader.trailer
    listed = {
        (number, generation) for generation, numbers in reader.xref.items() for number in numbers
    }
    listed |= {(number, 0) for number in reader.xref_objStm}
    if len(listed) > OBJECTS:
        sys.exit(UNREADABLE)
    for number, generation in sorted(listed):
        yield reader.get_object(IndirectObject(number, generation, reader))


def main() -> None:
    """Read a PDF from standard input, and write it anew to standard output."""
    import resource  # Unix has it; nothing else of this module needs it

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    logging.disable()
    try:
        kept = written_anew(sys.stdin.buffer.read())
    except Exception:
        sys.exit(UNREADABLE)
    sys.stdout.buffer.write(kept)


if __name__ == "__main__":
    main()
