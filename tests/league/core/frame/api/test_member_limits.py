"""A model's limits are those of every form and every serializer of its noun that has a field of
that name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.apps import apps
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Field, Model
from rest_framework import serializers

from league.core.frame.api.serializers import ModelSerializer, Serializer
from league.urls import api, pages

NARROWER = {
    ("SeriesForm", "name"),
    ("SeriesForm", "slug"),
    ("SeriesCreateSerializer", "name"),
    ("SeriesCreateSerializer", "slug"),
    ("BelieveOrderForm", "points"),
    ("DecisionBody", "points"),
    ("DecisionForm", "points"),
    ("DecisionForm", "round_number"),
    ("GameRulingBody", "points"),
    ("GameRulingBody", "rule"),
}
"""The name of a series gets numbers behind it, and its address days; nobody announces or loses more
points, no game has more rounds, and a pattern says how a rule is called."""
UNLIKE = {
    ("MoveBody", "round"),
    ("MoveBody", "number"),
    ("MovesBody", "version"),
    ("OutcomeBody", "number"),
    ("ResultForm", "number"),
    ("TappedForm", "number"),
    ("AccountForm", "password"),
    ("SignInForm", "password"),
    ("PasswordAgainForm", "password"),
    ("CloseForm", "name"),
    ("SealBody", "length"),
    ("SealForm", "length"),
    ("SheetEntryBody", "length"),
}
"""Members that share their name with a model's field and hold something else: where to look for a
table, the version that was seen, a game's number at its table, a password and not its hash, the
name of a season beside divisions, how much of a sheet was seen."""
Limits = dict[str, object]


def kinds(base: type[Any]) -> Iterator[type[Any]]:
    """All classes of the league that inherit one."""
    for kind in base.__subclasses__():
        if kind.__module__.startswith("league."):
            yield kind
        yield from kinds(kind)


def model_limits(field: Field[Any, Any]) -> Limits:
    """The limits that a model's field has."""
    limits: Limits = (
        {"max_length": field.max_length} if field.max_length and not field.choices else {}
    )
    for validator in field.validators:
        if isinstance(validator, MinValueValidator):
            limits["min_value"] = validator.limit_value
        if isinstance(validator, MaxValueValidator):
            limits["max_value"] = validator.limit_value
    return limits


def field_limits(field: Any, names: Limits) -> Limits:
    """The same limits as a field of a form or a serializer has them."""
    return {name: getattr(field, name, None) for name in names}


def fields_of_the_model(
    kind: type[Any], fields: dict[str, Any]
) -> Iterator[tuple[str, Limits, Limits]]:
    """The fields that have a model's name, each with the model's limits and with its own."""
    noun = ".".join(kind.__module__.split(".")[:3])
    owner = getattr(getattr(kind, "Meta", None), "model", None)
    models: list[type[Model]] = [owner] if owner else []
    if not owner:
        models = [
            model for model in apps.get_models() if model.__module__.startswith(f"{noun}.models")
        ]
    for name, field in fields.items():
        known = [column for model in models for column in model._meta.fields if column.name == name]
        alike = [
            column
            for column in known
            if isinstance(field, KINDS.get(column.get_internal_type(), ()))
        ]
        if (kind.__name__, name) in NARROWER | UNLIKE or not alike:
            continue
        limits = [model_limits(column) for column in alike]
        given = field_limits(field, limits[0])
        yield name, limits[0] if given not in limits else given, given


KINDS: dict[str, Any] = {
    "CharField": (forms.CharField, serializers.CharField),
    "TextField": (forms.CharField, serializers.CharField),
    "SlugField": (forms.SlugField, serializers.SlugField),
    "IntegerField": (forms.IntegerField, serializers.IntegerField),
    "PositiveIntegerField": (forms.IntegerField, serializers.IntegerField),
    "PositiveSmallIntegerField": (forms.IntegerField, serializers.IntegerField),
}
"""The fields that hold such a column as it is, not the row that it names."""
SERIALIZERS = sorted(set(kinds(Serializer)) - {ModelSerializer}, key=lambda kind: kind.__name__)
FORMS = sorted(set(kinds(forms.Form)), key=lambda kind: kind.__name__)


def test_all_are_looked_at() -> None:
    assert api
    assert pages
    assert len(SERIALIZERS) > 60
    assert len(FORMS) > 30
    of_forms = [name for kind in FORMS for name in fields_of_the_model(kind, kind.base_fields)]
    assert len(of_forms) > 50


def is_for_answers_alone(kind: type[Serializer]) -> bool:
    is_of_model = issubclass(kind, serializers.ModelSerializer)
    return kind.__name__.endswith("Serializer") and not is_of_model


def unlike_the_model(kind: type[Any], fields: dict[str, Any]) -> list[str]:
    """The fields of a form or a serializer that have other limits than the model."""
    return [
        f"{kind.__name__}.{name}: {given}, not {limits}"
        for name, limits, given in fields_of_the_model(kind, fields)
        if given != limits
    ]


def test_a_serializer_has_the_limits_of_its_model() -> None:
    unlike = []
    for kind in SERIALIZERS:
        if not is_for_answers_alone(kind):
            fields = {name: field for name, field in kind().fields.items() if not field.read_only}
            unlike += unlike_the_model(kind, fields)
    assert unlike == []


def test_a_form_has_the_limits_of_its_model() -> None:
    assert [fault for kind in FORMS for fault in unlike_the_model(kind, kind.base_fields)] == []
