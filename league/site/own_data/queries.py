"""All that is stored of an account and of the players that it is, for its owner to take along."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import BinaryField, ForeignKey, ForeignObjectRel, Model

from league.core.account.models import User
from league.core.player.models import Player

SECRET: Final = frozenset(
    [
        *(
            "auth",
            "code",
            "data",
            "digest",
            "endpoint",
            "key",
            "link_token",
            "names",
            "p256dh",
            "password",
            "salt",
        ),
        *("seal", "secret", "secret_digest", "session_key", "token"),
    ]
)
"""Columns that stay here: who reads them could act as the account, or open what was forgotten of
others."""
NAMES: Final = ("name", "username", "slug", "public_id")
"""What stands for a row that another one points to: the first of these columns that it has."""
OwnRows = list[dict[str, Any]]


def own_data(user: User) -> dict[str, Any]:
    """An account by its columns, all rows that point to it by their table, and the same of each
    player that it is."""
    players = Player.objects.filter(user=user).order_by("pk")
    return {
        "account": _columns(User, pk=user.pk)[0],
        "of_the_account": _pointing_to(user),
        "players": [
            {"player": _columns(Player, pk=player.pk)[0], "of_the_player": _pointing_to(player)}
            for player in players
        ],
    }


def _pointing_to(row: Model) -> dict[str, OwnRows]:
    """The rows that point to a row, by table and column: `league.membership.user`."""
    relations = [
        field
        for field in row._meta.get_fields(include_hidden=True)
        if isinstance(field, ForeignObjectRel) and isinstance(field.field, ForeignKey)
    ]
    found = {
        f"{relation.related_model._meta.label_lower}.{relation.field.name}": _columns(
            relation.related_model, **{relation.field.name: row.pk}
        )
        for relation in relations
    }
    return {name: rows for name, rows in sorted(found.items()) if rows}


def _columns(model: type[Model], **which: Any) -> OwnRows:
    """The rows of a table, without what is secret; what they point to is named."""
    columns = {}
    for field in model._meta.concrete_fields:
        if field.name in SECRET or isinstance(field, BinaryField):
            continue
        columns[field.name] = field.name
        if isinstance(field, ForeignKey):
            columns[field.name] = f"{field.name}{_name_of(field.related_model)}"
    rows = model._base_manager.filter(**which).order_by("pk").values_list(*columns.values())
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _name_of(model: Any) -> str:
    """How a query reads what stands for a row of a table; nothing where that is its number."""
    names = {field.name for field in model._meta.concrete_fields}
    return next((f"__{name}" for name in NAMES if name in names), "")
