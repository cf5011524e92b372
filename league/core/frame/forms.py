"""Form fields with the limits of model fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.core.validators import EmailValidator, MaxValueValidator, MinValueValidator
from django.db.models import Field, Model
from django.utils.translation import gettext_lazy

NO_ADDRESS: Final = gettext_lazy(
    "This isn’t an email address. It should look like name@example.org."
)
MISSING: Final = gettext_lazy("Please fill this in.")
LIMITS = {MinValueValidator: "min_value", MaxValueValidator: "max_value"}


def model_field(model: type[Model], name: str, **changes: Any) -> forms.Field:
    """Return the form field for a model field, with the model's label and limits; `changes` are
    further arguments of the form field."""
    field = model._meta.get_field(name)
    assert isinstance(field, Field)
    limits: dict[str, Any] = {}
    for validator in field.validators:
        for kind, limit in LIMITS.items():
            if isinstance(validator, kind):
                limits[limit] = validator.limit_value
    form_field = field.formfield(**{**limits, **changes})
    assert form_field is not None
    return form_field


def offer(form: forms.Form, name: str, choices: Iterable[Any]) -> None:
    """Set the choices of a form's choice field."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices


def in_our_words(form: forms.BaseForm, **labels: str) -> None:
    """Set a form's labels (by field) and error messages to our own wording, and remove
    placeholders."""
    for name, field in form.fields.items():
        field.error_messages["required"] = MISSING
        field.widget.attrs.pop("placeholder", None)
        field.label = labels.get(name, field.label)
        if isinstance(field, forms.EmailField):
            other_validators = [
                validator
                for validator in field.validators
                if not isinstance(validator, EmailValidator)
            ]
            field.validators = [EmailValidator(NO_ADDRESS), *other_validators]
