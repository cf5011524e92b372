"""Programs: marking an account as a program's, and acts that are sent with a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.db import transaction

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.canonical import canonical_json
from engine.sheet.entry import OnlineAct
from games.queries.online_game import whole_act
from games.services.online_game import Acted
from league.core.account.models import User
from league.core.key.models import ApiKey
from league.core.key.services.idempotency import KeyReused
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.services.game import table_act
from league.play.program.queries import sits_for_people

NAMES: UUID = UUID("6f7b1d3e-3c0f-4c53-9a0c-0d4f3b0f6a5e")
"""The namespace of the entry keys that are derived from an `Idempotency-Key`."""


@transaction.atomic
def account_mark_program(*, user: User) -> bool:
    """Mark an account as a program's, permanently. Return False if it was marked before.

    Raise `Refused` (`sits_for_people`) while the account sits at a table for people only that isn't
    over.
    """
    account = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if account.is_program:
        return False
    if sits_for_people(account):
        message = say("the account still sits at a table for people only")
        raise Refused(Illegal("sits_for_people", message))
    account.is_program = True
    account.save(update_fields=["is_program"])
    return True


def program_act(
    *,
    table: OnlineTable,
    seats: Sequence[OnlineSeat],
    seat: OnlineSeat,
    act: OnlineAct,
    value: Mapping[str, Any],
    length: int | None,
    api_key: ApiKey,
    key: str,
) -> Acted:
    """Let a program act at its seat, one of the table's `seats` as read since the game began.

    `value`: the fields of the act besides its seat. `key`: repeating a key changes nothing; empty
    if each request is a new act. The key is stored with the entry, so an acknowledged act is never
    repeated, whatever crashes in between. Raise `KeyReused` for a known key with another act, and
    whatever `table_act` raises.
    """
    entry_key = uuid5(NAMES, f"{api_key.public_id} {key}") if key else uuid4()
    acted = table_act(
        table=table, seat=seat, act=act, value=value, length=length, key=entry_key, seats=seats
    )
    if not acted.created:
        whole = canonical_json({"seat": seat.number, **value}).decode()
        if whole_act(acted.row, entry_key) != (seat.number, act, whole):
            raise KeyReused(key)
    return acted
