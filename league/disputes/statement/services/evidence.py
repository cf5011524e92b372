"""Files sent as evidence: finding out their kind, and making the stored form. The content decides
what a file is, not what the sender says.

Nothing that is stored can run. Of a picture only the pixels are kept. Of a PDF only the pages are
kept, and it is refused if it holds a script or another file. A text is served as plain text."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from league.disputes.statement.domain import pdf
from league.disputes.statement.domain.limits import FILE_BYTES, PICTURE_BYTES, TEXT_BYTES
from league.disputes.statement.models import Evidence
from league.records.photo.services.photo import picture_of

TEXT_ENDING: Final = ".txt"
"""A file is accepted as text only if its name says so: HTML that is named as a picture is
refused."""
PDF_SECONDS: Final = 20
"""A PDF that takes longer to read is refused."""
CONTROLS: Final = frozenset("\n\r\t\f\ufeff")
"""Control characters that a text may have."""
MB: Final = 1024 * 1024

MESSAGES: Final[dict[str, Message]] = {
    "empty_file": say("the file is empty"),
    "evidence_too_large": say(
        "the file is too large: the limit is {pdf} MB for a PDF, {picture} MB for a picture, "
        "{text} KB for a text",
        pdf=FILE_BYTES // MB,
        picture=PICTURE_BYTES // MB,
        text=TEXT_BYTES // 1024,
    ),
    "unknown_file": say(
        "the file must be a picture (JPEG, PNG, WebP), a PDF, or a text named .txt"
    ),
    "no_text": say("the file is named .txt but isn't plain text in UTF-8"),
    "pdf_runs": say(
        "the PDF contains a script, an interactive form or another file: print it to a new PDF "
        "without them"
    ),
    "pdf_locked": say("the PDF is locked with a password: save it without one"),
    "pdf_unreadable": say("the PDF can't be read: print it to a new PDF, or take a photo of it"),
}
PDF_REFUSALS: Final = {
    pdf.RUNS: "pdf_runs",
    pdf.LOCKED: "pdf_locked",
}
"""The codes of refusals by the exit status of the process that reads a PDF. All other errors mean
`pdf_unreadable`."""


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as somebody sends it. Its `name` only says whether it is meant as a text, and isn't
    stored."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file as it is stored."""

    kind: Evidence.MediaType
    content: bytes

    @property
    def digest(self) -> bytes:
        """Return the SHA-256 of the content."""
        return sha256(self.content).digest()


def kept_file(file: SentFile) -> KeptFile:
    """Return the stored form of a file.

    Raise `Refused` with one of the codes in `MESSAGES`, or `picture_too_large`.
    """
    if not file.content:
        raise _refusal("empty_file")
    if len(file.content) > PICTURE_BYTES:
        raise _refusal("evidence_too_large")
    if file.content.startswith(pdf.MAGIC):
        return KeptFile(Evidence.MediaType.PDF, _pdf_of(file.content))
    if file.name.casefold().endswith(TEXT_ENDING):
        return KeptFile(Evidence.MediaType.TEXT, _text_of(file.content))
    return KeptFile(Evidence.MediaType.PICTURE, _picture_of(file.content))


def _picture_of(content: bytes) -> bytes:
    """Return a picture as it is stored. Raise `Refused`: a file of no known kind comes here,
    too."""
    try:
        return picture_of(content)
    except Refused as refused:
        if refused.illegal.code == "no_picture":
            raise _refusal("unknown_file") from refused
        raise


def _text_of(content: bytes) -> bytes:
    if len(content) > TEXT_BYTES:
        raise _refusal("evidence_too_large")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise _refusal("no_text") from None
    if any(unicodedata.category(letter) == "Cc" and letter not in CONTROLS for letter in text):
        raise _refusal("no_text")
    return content


def _pdf_of(content: bytes) -> bytes:
    """Return the pages of a PDF as a new PDF. A separate process with little time and memory reads
    the file, so that a hostile one can't hurt the service."""
    if len(content) > FILE_BYTES:
        raise _refusal("evidence_too_large")
    try:
        process = subprocess.run(  # noqa: S603 — our own script, which gets only the file
            [sys.executable, "-I", str(Path(pdf.__file__))],
            input=content,
            capture_output=True,
            timeout=PDF_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _refusal("pdf_unreadable") from None
    if process.returncode != 0:
        raise _refusal(PDF_REFUSALS.get(process.returncode, "pdf_unreadable"))
    if len(process.stdout) > FILE_BYTES:
        raise _refusal("evidence_too_large")
    return process.stdout


def _refusal(code: str) -> Refused:
    return Refused(Illegal(code, MESSAGES[code]))
