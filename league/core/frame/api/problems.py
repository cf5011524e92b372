"""Errors as problem details (RFC 9457): every error of the API is one, with a stable `code`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, TypeVar

import structlog
from django.core.exceptions import (
    NON_FIELD_ERRORS,
    BadRequest,
    ObjectDoesNotExist,
    PermissionDenied,
    SuspiciousOperation,
    ValidationError,
)
from django.core.signals import got_request_exception
from django.http import Http404, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from rest_framework import exceptions
from rest_framework.response import Response

from engine.illegal import Refused
from games.domain.game import NotAsSealed
from league.core.frame.errors import AWAY_SECONDS, DATABASE_AWAY

log = structlog.get_logger(__name__)

MEDIA_TYPE = "application/problem+json"
ERRORS_PAGE = "/docs/errors"
NO_OFFSET: Final = "no_offset"
CODES: Final = ("reason_needed",)
"""Codes of services that stand in answers."""
R = TypeVar("R", bound=Any)


class Problem(exceptions.APIException):
    """An error with its own code. `errors` lists the single faults; further members stand beside
    `detail`."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: Sequence[dict[str, Any]] = (),
        **members: Any,
    ) -> None:
        super().__init__(detail, code)
        self.status_code = status
        self.code = code
        self.members = {"detail": detail} | ({"errors": list(errors)} if errors else {}) | members

    def as_json(self) -> dict[str, Any]:
        """The problem as it is sent."""
        return problem_json(self.status_code, self.code, **self.members)


def problem_json(status: int, code: str, **members: Any) -> dict[str, Any]:
    """The members of a problem; `type` is the address, on this host, of the manual's words about
    the code."""
    title = HTTPStatus(status).phrase
    return {
        "type": f"{ERRORS_PAGE}#{code}",
        "title": title,
        "status": int(status),
        "code": code,
    } | members


def bad_value(faults: list[dict[str, str]]) -> Problem:
    """A 400 for members of a body that aren't as they should be, each with its `pointer`."""
    return Problem(400, "bad_value", faults[0]["message"], errors=faults)


def no_offset(faults: list[dict[str, str]]) -> Problem | None:
    """A 422 for the first of the faults that is a time without its offset, as records have it; None
    without one."""
    first = next((fault for fault in faults if fault["code"] == NO_OFFSET), None)
    return None if first is None else Problem(422, NO_OFFSET, first["message"], errors=faults)


def value_fault(pointer: str, message: str, code: str = "invalid") -> dict[str, str]:
    """A fault of a member, by its JSON pointer (RFC 6901); the empty one is the whole body."""
    return {"pointer": pointer, "code": code, "message": message}


def named(rows: Iterable[R], ids: Sequence[str], pointer: str, message: str, code: str) -> list[R]:
    """The rows whose public ids a member of the body lists. Raises a problem 400 that names each
    that isn't there."""
    by_id = {row.public_id: row for row in rows}
    faults = [
        value_fault(f"{pointer}/{place}", message, code)
        for place, pk in enumerate(ids)
        if pk not in by_id
    ]
    if faults:
        raise bad_value(faults)
    return [by_id[public_id] for public_id in ids]


def refused_value(error: ValidationError, *, below: str = "") -> Problem:
    """The faults that a service found: by field where it says so, with those codes of it that
    programs are to know. `below` is the pointer of what it was given."""
    if not hasattr(error, "error_dict"):
        return bad_value([value_fault(below, message) for message in error.messages])
    faults = [
        value_fault(
            below if name == NON_FIELD_ERRORS else f"{below}/{name}",
            message,
            fault.code if fault.code in CODES else "invalid",
        )
        for name, field_faults in error.error_dict.items()
        for fault in field_faults
        for message in fault.messages
    ]
    return bad_value(faults)


def problem_response(body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    """A problem as an answer, which nobody keeps."""
    headers = {"Cache-Control": "no-store", **(headers or {})}
    return Response(body, status=body["status"], headers=headers, content_type=MEDIA_TYPE)


def problem_handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """Answer with a problem whatever a view raised. An error that nobody foresaw is logged and told
    to nobody else."""
    match error:
        case Problem():
            return problem_response(error.as_json())
        case Http404() | ObjectDoesNotExist():
            return _problem(
                404, "not_found", "There is nothing at this address, or it isn't for you to see."
            )
        case Refused():
            fault: dict[str, Any] = error.illegal.as_json()
            place = {
                name: value for name, value in fault.items() if name not in ("code", "message")
            }
            return _problem(422, error.illegal.code, error.illegal.message, errors=[fault], **place)
        case NotAsSealed():
            return _problem(409, NotAsSealed.CODE, NotAsSealed.MESSAGE)
        case PermissionDenied():
            return _problem(403, "permission_denied", "You may not do this.")
        case exceptions.ValidationError():
            members: Any = error.detail
            pairs = [(name, fault) for name, faults in members.items() for fault in faults]
            errors = [
                {"field": name, "code": fault.code, "message": str(fault)} for name, fault in pairs
            ]
            return _problem(
                400, "bad_parameter", "A parameter is not as it should be.", errors=errors
            )
        case exceptions.APIException():
            return _raised_by_framework(error)
        case BadRequest() | SuspiciousOperation() | MultiPartParserError() | UnreadablePostError():
            return _problem(400, "bad_request", "The request can't be read.")
    if isinstance(error, DATABASE_AWAY):
        log.warning("api.database_away", path=context["request"].path, exc_info=error)
        detail = (
            f"The database doesn't answer. Ask again in {AWAY_SECONDS} seconds; the same request "
            "twice is safe."
        )
        return _problem(503, "database_away", detail, headers={"Retry-After": str(AWAY_SECONDS)})
    got_request_exception.send(sender=type(context["view"]), request=context["request"])
    log.error("api.failed", path=context["request"].path, exc_info=error)
    return _problem(
        500,
        "server_error",
        "Something broke on our side. The answer's X-Request-Id names it in our log.",
    )


def _raised_by_framework(error: exceptions.APIException) -> Response:
    """An error of Django REST framework."""
    code = error.get_codes()
    response = _problem(
        error.status_code, code if isinstance(code, str) else "bad_request", str(error.detail)
    )
    if header := getattr(error, "auth_header", None):
        response["WWW-Authenticate"] = header
    return response


def _problem(
    status: int, code: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any
) -> Response:
    return problem_response(problem_json(status, code, detail=detail, **members), headers)
