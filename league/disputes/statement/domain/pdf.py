"""Read a PDF that somebody sent, and write its pages to a new PDF if nothing in it can run.

This runs as a process of its own, `python -I pdf.py <sent.pdf >kept.pdf`, with little time and
memory, since a hostile file can keep any reader of PDFs busy for ever. It exits with 0, or with one
of the codes below and without output.

Scripts and embedded files are looked for twice: in all objects of the sent file, also compressed
ones, and in the written file. Only the pages are written. Earlier versions, objects that only a
tolerant reader finds, bytes before or behind the PDF, and its metadata are left out."""

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
        "/JavaScript",
        "/Launch",
        "/SubmitForm",
        "/ImportData",
        "/GoToR",
        "/GoToE",
        "/Rendition",
        "/Movie",
        "/Sound",
        "/RichMediaExecute",
        "/GoTo3DView",
        "/Trans",
    )
)
"""Actions (`/S`) that do more than show a place in the PDF or open a web address."""
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
"""The same names in the plain bytes: they are found also in objects that no table lists."""
ESCAPE: Final = re.compile(rb"#([0-9A-Fa-f]{2})")


def plain_bytes_run(content: bytes) -> bool:
    """Return True if the plain bytes of a PDF name something that runs, also in an escaped
    spelling."""
    spelt_out = ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), content)
    return PLAIN.search(spelt_out) is not None


def objects_run(objects: Iterable[Any]) -> bool:
    """Return True if one of these objects of a PDF, or a dictionary inside one, can run or holds
    another file."""
    for value in objects:
        for dictionary in _dictionaries_in(value):
            if _runs(dictionary):
                return True
    return False


def _runs(dictionary: dict[Any, Any]) -> bool:
    """Return True if a dictionary of a PDF can run something, or holds another file."""
    names = {str(key) for key in dictionary}
    if names & KEYS:
        return True
    if "/S" in dictionary and str(dictionary["/S"]) in ACTIONS:
        return True
    type_keys = [key for key in ("/Type", "/Subtype") if key in dictionary]
    return any(str(dictionary[key]) in KINDS for key in type_keys)


def _dictionaries_in(value: Any) -> Iterator[dict[Any, Any]]:
    # References aren't followed: each leads to another object, which is looked at by itself.
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
            get = part.raw_get if hasattr(part, "raw_get") else part.__getitem__
            waiting += [get(key) for key in part]
        elif isinstance(part, list):
            waiting += list.__iter__(part)


def written_anew(content: bytes) -> bytes:
    """Return a new PDF with the pages of this one. If that isn't possible, exit the process with
    the code of the reason."""
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
    new_content = buffer.getvalue()
    if plain_bytes_run(new_content):
        sys.exit(RUNS)
    if objects_run(_all_objects(PdfReader(BytesIO(new_content)))):
        sys.exit(RUNS)
    return new_content


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
    """Read a PDF from standard input, and write the new one to standard output."""
    import resource  # only Unix has it, and only this function needs it

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    logging.disable()
    try:
        new_content = written_anew(sys.stdin.buffer.read())
    except Exception:
        sys.exit(UNREADABLE)
    sys.stdout.buffer.write(new_content)


if __name__ == "__main__":
    main()
