"""What a file is decides its content, and nothing that is kept can run."""

from __future__ import annotations

import struct
import sys
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    PdfObject,
    TextStringObject,
)

from engine.illegal import Refused
from league.disputes.statement.domain import pdf
from league.disputes.statement.domain.limits import FILE_BYTES, PICTURE_BYTES, TEXT_BYTES
from league.disputes.statement.models import Evidence
from league.disputes.statement.services import evidence
from league.disputes.statement.services.evidence import KeptFile, SentFile, kept_file
from tests.factories.photos import picture
from tests.league.disputes.statement.conftest import pdf_of

HTML = b"<!doctype html><script>alert(document.cookie)</script>"


def kept(name: str, content: bytes) -> KeptFile:
    return kept_file(SentFile(name, content))


def code_of(name: str, content: bytes) -> str:
    """The code with which a file is refused."""
    with pytest.raises(Refused) as refused:
        kept(name, content)
    return refused.value.illegal.code


def png_of(side: int) -> bytes:
    """A small PNG that unpacks to so many pixels a side."""
    rows = zlib.compress(bytes(side * (1 + side // 8)), 9)
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    lines = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(lines)


class TestPicture:
    """A picture is what the picture library draws; of its file the pixels alone stay."""

    @pytest.mark.parametrize(
        "name", ["table.png", "table", "‮gnp.txe", "<script>alert(1)</script>", "a/../../b.html"]
    )
    def test_whatever_it_is_called_it_becomes_a_jpeg_of_ours(self, name: str) -> None:
        file = kept(name, picture("PNG"))
        assert file.kind == Evidence.MediaType.PICTURE
        with Image.open(BytesIO(file.content)) as drawn:
            assert (drawn.format, drawn.size) == ("JPEG", (60, 40))

    @pytest.mark.parametrize(
        "name", ["table.png", "table.jpg", "table.html", "table", "table.txt.png"]
    )
    def test_html_is_none_whatever_it_is_called(self, name: str) -> None:
        assert code_of(name, HTML) == "unknown_file"

    @pytest.mark.parametrize(
        "file", [b"\x89PNG\r\n\x1a\n" + HTML, b"\xff\xd8\xff" + HTML, b"GIF89a/*" + HTML]
    )
    def test_html_behind_the_mark_of_a_picture_is_refused(self, file: bytes) -> None:
        assert code_of("table.png", file) == "unknown_file"

    def test_a_picture_with_html_behind_it_loses_that(self) -> None:
        for file in (picture("PNG") + HTML, picture("JPEG", comment=HTML)):
            assert b"script" in file
            assert b"script" not in kept("table.png", file).content

    @pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
    def test_a_picture_of_10_000_by_10_000_pixels_is_not_drawn(self) -> None:
        bomb = png_of(10_000)
        assert len(bomb) < 20_000
        assert code_of("table.png", bomb) == "picture_too_large"

    def test_an_archive_is_none(self) -> None:
        assert code_of("photos.zip", b"PK\x03\x04" + bytes(64)) == "unknown_file"
        assert (
            code_of("table.svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
            == "unknown_file"
        )


class TestText:
    """A text is plain text, and is named so."""

    def test_it_is_kept_as_it_came(self) -> None:
        content = "Zwei Sterne ⚀ – „gezählt“\r\n\tund <b>mehr</b>\n".encode()
        file = kept("Notizen.TXT", content)
        assert (file.kind, file.content) == (Evidence.MediaType.TEXT, content)

    @pytest.mark.parametrize(
        "content",
        [
            "Größe".encode("latin-1"),
            b"a\x00b",
            b"\x1b[2J",
            b"PK\x03\x04" + bytes(9),
            "Zwei".encode("utf-16"),
        ],
    )
    def test_what_is_no_plain_text_is_refused(self, content: bytes) -> None:
        assert code_of("notes.txt", content) == "no_text"

    def test_html_named_as_a_text_is_a_text(self) -> None:
        assert kept("notes.txt", HTML).kind == Evidence.MediaType.TEXT


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("notes.txt", b"", "empty_file"),
        ("table.png", b"", "empty_file"),
        ("notes.txt", b"x" * (TEXT_BYTES + 1), "evidence_too_large"),
        ("sheet.pdf", b"%PDF-1.7" + bytes(FILE_BYTES), "evidence_too_large"),
        ("table.png", bytes(PICTURE_BYTES + 1), "evidence_too_large"),
    ],
)
def test_what_is_empty_or_too_large_is_refused(name: str, content: bytes, code: str) -> None:
    assert code_of(name, content) == code


def action(kind: str, **parts: PdfObject) -> DictionaryObject:
    """An action of a PDF."""
    named = {NameObject(f"/{name}"): part for name, part in parts.items()}
    return DictionaryObject({NameObject("/S"): NameObject(f"/{kind}"), **named})


SCRIPT = action("JavaScript", JS=TextStringObject("app.alert(1)"))


def opened_with(act: PdfObject) -> bytes:
    """A PDF that does something once it is opened."""

    def make(writer: PdfWriter) -> None:
        writer.root_object[NameObject("/OpenAction")] = act

    return pdf_of(make)


def on_page(key: str, value: PdfObject) -> bytes:
    """A PDF whose page has something."""

    def make(writer: PdfWriter) -> None:
        writer.pages[0][NameObject(key)] = value

    return pdf_of(make)


def with_link(act: DictionaryObject) -> bytes:
    """A PDF with a link that does something."""
    link = DictionaryObject({NameObject("/Subtype"): NameObject("/Link"), NameObject("/A"): act})
    return on_page("/Annots", ArrayObject([link]))


def with_note(kind: str) -> bytes:
    """A PDF with an annotation of a kind."""
    note = DictionaryObject({NameObject("/Subtype"): NameObject(f"/{kind}")})
    return on_page("/Annots", ArrayObject([note]))


def packed_in_object_stream(hidden: bytes) -> bytes:
    """A PDF whose catalogue, with what is hidden in it, stands in a compressed stream of
    objects."""
    catalogue = b"<< /Type /Catalog /Pages 2 0 R /OpenAction " + hidden + b" >>"
    head = b"1 0 "
    packed = zlib.compress(head + catalogue)
    objects = {
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
        4: b"<< /Type /ObjStm /N 1 /First %d /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream"
        % (len(head), len(packed), packed),
    }
    content = b"%PDF-1.5\n"
    places: dict[int, int] = {}
    for number, body in objects.items():
        places[number] = len(content)
        content += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(content)
    entries = [
        (0, 0, 65535),
        (2, 4, 0),
        *((1, places[number], 0) for number in objects),
        (1, start, 0),
    ]
    table = b"".join(struct.pack(">BIH", *entry) for entry in entries)
    head = b"<< /Type /XRef /Size 6 /W [1 4 2] /Root 1 0 R /Length %d >>" % len(table)
    content += b"5 0 obj\n%s\nstream\n%s\nendstream\nendobj\n" % (head, table)
    return content + b"startxref\n%d\n%%%%EOF\n" % start


def with_attachment(writer: PdfWriter) -> None:
    writer.add_attachment("page.html", HTML)


def with_form(writer: PdfWriter) -> None:
    writer.root_object[NameObject("/AcroForm")] = DictionaryObject(
        {NameObject("/XFA"): TextStringObject("<xdp/>")}
    )


class TestPdf:
    """A PDF is written anew, with its pages alone, and refused if something in it can run."""

    def test_its_pages_are_kept_and_nothing_else(self) -> None:
        def make(writer: PdfWriter) -> None:
            writer.add_metadata({"/Author": "Karla"})
            writer.add_blank_page(100, 100)

        sent = pdf_of(make)
        assert b"Karla" in sent
        file = kept("sheet.pdf", sent + b"\n" + HTML)
        assert file.kind == Evidence.MediaType.PDF
        assert b"Karla" not in file.content
        assert b"script" not in file.content
        assert len(PdfReader(BytesIO(file.content)).pages) == 2
        assert kept("sheet.png", sent).content == kept("sheet.pdf", sent).content, (
            "the same again is the same"
        )

    @pytest.mark.parametrize(
        "content",
        [
            opened_with(SCRIPT),
            opened_with(action("Launch", F=TextStringObject("calc.exe"))),
            opened_with(action("GoTo", Next=SCRIPT)),
            on_page("/AA", DictionaryObject({NameObject("/O"): SCRIPT})),
            with_link(SCRIPT),
            with_link(action("Launch", F=TextStringObject("calc.exe"))),
            with_link(action("SubmitForm", F=TextStringObject("https://example.org/"))),
            with_link(action("ImportData")),
            with_link(action("GoToR", F=TextStringObject("other.pdf"))),
            with_link(action("GoToE")),
            with_note("RichMedia"),
            with_note("FileAttachment"),
            pdf_of(with_attachment),
            pdf_of(with_form),
            packed_in_object_stream(b"<< /S /JavaScript /JS (app.alert\\(1\\)) >>"),
            packed_in_object_stream(b"<< /S /Java#53cript /JS (1) >>"),
            packed_in_object_stream(b"<< /#53 /Launch /F (calc.exe) >>"),
        ],
    )
    def test_a_script_an_action_or_another_file_in_it_is_refused(self, content: bytes) -> None:
        assert code_of("sheet.pdf", content) == "pdf_runs"

    def test_a_script_is_found_in_objects_that_no_table_lists_however_it_is_spelt(self) -> None:
        for name in (b"JavaScript", b"Java#53cript", b"#4aavaScript"):
            hidden = b"99 0 obj\n<< /S /" + name + b" /JS (app.alert\\(1\\)) >>\nendobj\n"
            assert code_of("sheet.pdf", pdf_of() + hidden) == "pdf_runs"

    def test_what_only_shows_a_place_or_a_page_of_the_web_is_harmless(self) -> None:
        shown = ArrayObject([NumberObject(0), NameObject("/Fit")])
        assert kept("sheet.pdf", opened_with(shown)).kind == Evidence.MediaType.PDF
        link = with_link(action("URI", URI=TextStringObject("https://example.org/")))
        assert kept("sheet.pdf", link).kind == Evidence.MediaType.PDF
        assert (
            kept("sheet.pdf", packed_in_object_stream(b"[3 0 R /Fit]")).kind
            == Evidence.MediaType.PDF
        )

    def test_one_with_a_password_is_refused(self) -> None:
        def lock(writer: PdfWriter) -> None:
            writer.encrypt("secret", algorithm="RC4-128")

        assert code_of("sheet.pdf", pdf_of(lock)) == "pdf_locked"

    @pytest.mark.parametrize(
        "content",
        [
            b"%PDF-",
            b"%PDF-1.7\n" + HTML,
            b"%PDF-1.7\n" + bytes(100_000),
            pdf_of()[:200],
            b"%PDF-1.7\n" + b"[" * 200_000,
            b"%PDF-1.7\n1 0 obj\n" + b"<<" * 100_000,
        ],
    )
    def test_what_can_not_be_read_is_refused(self, content: bytes) -> None:
        assert code_of("sheet.pdf", content) == "pdf_unreadable"

    def test_a_bomb_in_a_stream_of_objects_is_refused(self) -> None:
        bomb = b"<< /A (" + b"x" * 200_000_000 + b") >>"
        content = packed_in_object_stream(bomb)
        assert len(content) < FILE_BYTES
        assert code_of("sheet.pdf", content) == "pdf_unreadable"

    def test_a_page_that_unpacks_to_very_much_is_not_unpacked(self) -> None:
        stream = DecodedStreamObject()
        stream.set_data(b" " * 50_000_000)
        packed = on_page("/Contents", stream.flate_encode())
        assert len(kept("sheet.pdf", packed).content) < 100_000

    def test_one_that_takes_too_long_is_given_up(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        slow = tmp_path / "slow.py"
        slow.write_text("import time\ntime.sleep(60)\n")
        monkeypatch.setattr(evidence, "PDF_SECONDS", 0.2)
        monkeypatch.setattr(pdf, "__file__", str(slow))
        assert code_of("sheet.pdf", pdf_of()) == "pdf_unreadable"

    def test_the_process_that_reads_it_knows_nothing_of_the_service(self) -> None:
        imported = Path(pdf.__file__).read_text()
        assert "django" not in imported
        assert "league" not in imported
        assert sys.flags.isolated == 0, "only the process that reads a PDF is"
