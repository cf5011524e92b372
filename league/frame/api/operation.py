"""Operations of the API that read: a method with its name, its words, its answer and its parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeAlias

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.frame.api.document import WORDS, ProblemWords, read_documented
from league.frame.api.parameters import Paged, Parameters, SeenBy
from league.frame.api.view import ApiView

Operation: TypeAlias = Callable[..., HttpResponseBase]


def reads(
    summary: str,
    answer: Any,
    *,
    parameters: type[Parameters] | None = None,
    problems: Sequence[int] = (404,),
    example: Any = None,
    media_type: str = "application/json",
    words: ProblemWords = WORDS,
) -> Callable[[Callable[[Any, Any], Any]], Operation]:
    """Make a method an operation that a GET asks for. It gets what the address names (`get_object`), and gives what the
    serializer `answer` sends: an object, rows to send in pages for a serializer of `many`, or a response of its own.

    In the schema the operation is called as the method, its description is the method's docstring, and `summary` is a
    name for people. The answer has an ETag of the view's `versions`.
    """
    is_list = isinstance(answer, serializers.ListSerializer)
    query = parameters or (Paged if is_list else SeenBy)

    def operation(method: Callable[[Any, Any], Any]) -> Operation:
        @wraps(method)
        def get(view: ApiView, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
            target = view.get_object()  # before the ETag: for what isn't there, nothing is unchanged

            def response() -> HttpResponseBase:
                content = method(view, target)
                if isinstance(content, HttpResponseBase):
                    return content
                if is_list:
                    return view.paged(content, type(answer.child))
                return Response(view.represent(answer, content))

            versions = view.versions()
            return response() if versions is None else view.unless_unchanged(versions, response)

        get.parameters = query  # type: ignore[attr-defined]
        return read_documented(
            method.__name__, summary, answer, problems=problems, parameters=query, example=example,
            media_type=media_type, words=words,
        )(get)  # fmt: skip

    return operation
