"""Statements about a disputed game and their files, for programs."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied

from games.models import Game
from league.core.account.models import User
from league.core.frame.api.links import evidence_link, game_link
from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import (
    Body,
    FormattedField,
    LinkField,
    ModelSerializer,
    base64_bytes,
)
from league.core.log.services import Actor
from league.disputes.statement.domain.limits import FILES_OF_SPEAKER
from league.disputes.statement.models import LONGEST_WORD, Evidence, Statement
from league.disputes.statement.queries.statement import (
    evidence_for,
    game_for_statements,
    speaker_of,
    statements_of,
    statements_on,
)
from league.disputes.statement.services.evidence import SentFile
from league.disputes.statement.services.statement import statement_add
from league.disputes.statement.web import evidence_answer
from league.standings.ranking.api.view import SeenView, WriteView, changes, named_by_id

OWN: Final = (
    "This is for the players of the game; for seats without an account, or as a witness, for "
    "those who work there."
)
LONGEST_NAME: Final = 255
BYTES: Final = "application/octet-stream"


class EvidenceSerializer(ModelSerializer[Evidence]):
    """A file that came with a statement. It is removed after a while; its digest stays."""

    digest = FormattedField(
        lambda digest: bytes(digest).hex(),
        "digest",
        help_text="The SHA-256 of the kept file, in hexadecimal.",
    )
    url = LinkField(evidence_link, "public_id", help_text="The address of the file.")

    class Meta:
        model = Evidence
        fields = ["id", "kind", "size", "digest", "removed_at", "url"]
        help_texts = {
            "kind": "The media type, detected from the file itself.",
            "size": "The size of the kept file, in bytes.",
            "removed_at": "null: the file is still there.",
        }


class StatementSerializer(ModelSerializer[Statement]):
    """A statement about a disputed game."""

    game = LinkField(game_link, "game.public_id", help_text="The address of the game's revision.")
    files = EvidenceSerializer(many=True)

    class Meta:
        model = Statement
        fields = ["id", "game", "number", "seat", "role", "word", "made_at", "removed_at", "files"]
        help_texts = {
            "number": "Counted from 1 for each revision of the game.",
            "seat": "Counted clockwise from 0. null: a witness.",
            "role": "player: the seat itself; else the role of the account that made the "
            "statement.",
            "word": "Empty once it has been removed.",
            "removed_at": "When the text was removed. null: it is still there.",
        }


class SentFileBody(Body):
    """A file as a program sends it: a picture, a PDF, or a text."""

    name = serializers.CharField(
        max_length=LONGEST_NAME, help_text="A text file must be named .txt. The name isn't kept."
    )
    content = serializers.CharField(help_text="The file in base64.")

    def validate_content(self, text: str) -> bytes:
        """Return the bytes of the file."""
        return base64_bytes(text)


class StatementBody(Body):
    """A statement: its text, the seat it is for, and the files that support it."""

    word = serializers.CharField(max_length=LONGEST_WORD)
    seat = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=32_767,
        help_text="Counted clockwise from 0; your own seat if left out. null: as a witness.",
    )
    files = serializers.ListField(child=SentFileBody(), required=False, max_length=FILES_OF_SPEAKER)


class GameStatements(WriteView):
    """The statements about a game."""

    right = None
    noun = "game"
    club_path = "game.season_game.season.club"
    game = named_by_id("game", game_for_statements, "season_game.season.club")

    @reads("A game's statements", StatementSerializer(many=True), for_writers=True)
    def list_statements(self, game: Game) -> list[Statement]:
        """Return the statements about all revisions of a game, in order. The game's players and
        those who may rule on it see all of them; others who work there see only their own."""
        return statements_of(self.request.user, game)

    @changes("Make a statement about a disputed game", StatementBody, StatementSerializer)
    def add_statement(self, game: Game, body: dict[str, Any], actor: Actor) -> Statement:
        """Say what happened, for the seat of the key's account; or, as somebody who works there,
        for seats without an account or as a witness. The same words and files again change
        nothing."""
        account = self.request.user
        assert isinstance(account, User)
        speaker = speaker_of(account, game)
        seat = body.get("seat", speaker.own_seat)
        if not speaker.speaks_for(seat):
            raise PermissionDenied(OWN, "not_your_seat")
        files = [SentFile(**file) for file in body.get("files", ())]
        statement, _ = statement_add(
            game=game, seat=seat, word=body["word"], files=files, account=account
        )
        return statements_on(game).prefetch_related("files").get(pk=statement.pk)


class EvidenceFile(SeenView):
    """One file, for those who may read the statement it came with."""

    noun = "evidence"
    evidence = named_by_id("evidence", evidence_for, "statement.game.season_game.season.club")

    @reads("A file of a statement", OpenApiTypes.BINARY, media_type=BYTES)
    def get_evidence(self, evidence: Evidence) -> HttpResponse:
        """Return the bytes of the file, as long as nobody has removed it. Its statement says the
        `kind`."""
        answer = evidence_answer(evidence)
        answer["Content-Type"] = BYTES
        return answer
