"""Addresses of statements and evidence."""

from django.urls import path

from league.disputes.statement.api import EvidenceFile, GameStatements
from league.disputes.statement.web import (
    evidence_file,
    evidence_remove_page,
    statement_remove_page,
    statements_page,
)
from league.records.game.urls import GAME, GAME_API

pages = [
    path(f"{GAME}/statements/", statements_page, name="game-statements"),
    path(
        "statements/<public_id:statement_id>/remove/",
        statement_remove_page,
        name="statement-remove",
    ),
    path("evidence/<public_id:evidence_id>/", evidence_file, name="evidence"),
    path("evidence/<public_id:evidence_id>/remove/", evidence_remove_page, name="evidence-remove"),
]

api = [
    path(
        f"{GAME_API}/statements/",
        GameStatements.as_view({"get": "list_statements", "post": "add_statement"}),
    ),
    path("v1/evidence/<public_id:evidence>/", EvidenceFile.as_view({"get": "get_evidence"})),
]
