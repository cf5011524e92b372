"""An objection that opens a dispute, and files that people send."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import TypeAlias

import pytest
from pypdf import PdfWriter

from games.models import Game
from league.core.log.services import Actor
from league.disputes.objection.services import objection_raise
from league.models import Objection, User

MakePdf: TypeAlias = Callable[[PdfWriter], object]


def nothing_more(writer: PdfWriter) -> None:
    """Leave a PDF as it is."""


def pdf_of(make: MakePdf = nothing_more) -> bytes:
    """Return a PDF of one page, with what else one makes of it."""
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    make(writer)
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


@pytest.fixture
def objection(played: Game, sitters: list[User]) -> Objection:
    """An open objection of the seat 1."""
    return objection_raise(
        game=played, seat=1, word="The last die was a star.", actor=Actor(sitters[1].pk)
    )
