"""A device's key follows from a secret outside the database: who reads the database makes neither
key nor code."""

from __future__ import annotations

import secrets
from typing import Any

import pytest
from django.conf import LazySettings

from engine.illegal import Refused
from games.models import Device, SheetEntry
from league.core.frame.letter_link import digest_of
from league.core.log.services import Actor
from league.models import Table
from league.sheets.device.domain.key import device_key
from league.sheets.device.services.code import code_take
from league.sheets.device.services.device import device_make
from tests.factories.codes import code_of, waiting
from tests.league.sheets.sheet.test_open_game import by_key, opened, whole_game, write

pytestmark = pytest.mark.django_db


def taken(table: Table, game: Any, key: str) -> int:
    """How many entries come in by a code that this key signs."""
    code = code_of(game["id"], waiting(whole_game(table)[:1]), key)
    return code_take(ground=table.stage_round.stage.event, text=code).added


def test_what_the_database_holds_of_a_key_signs_no_code(table: Table) -> None:
    device, key = device_make(subject=table, actor=Actor())
    game = opened(by_key(key), table)
    for forged in (device.key_digest, device.public_id, digest_of(device.key_digest)):
        with pytest.raises(Refused) as refused:
            taken(table, game, forged)
        assert refused.value.illegal.code == "forged_code"
    assert not SheetEntry.objects.exists()
    assert taken(table, game, key) == 1


def test_another_secret_gives_other_keys_and_a_former_one_still_holds(
    table: Table, settings: LazySettings
) -> None:
    device, key = device_make(subject=table, actor=Actor())
    game = opened(by_key(key), table)
    former = settings.SECRET_KEY
    settings.SECRET_KEY = "another secret, of fifty characters or thereabouts"
    assert device_key(device.public_id) != key
    with pytest.raises(Refused):
        taken(table, game, key)
    settings.SECRET_KEY_FALLBACKS = [former]
    assert taken(table, game, key) == 1


def test_a_key_from_before_keys_followed_from_a_secret_writes_until_it_ends(table: Table) -> None:
    device, _ = device_make(subject=table, actor=Actor())
    key = secrets.token_urlsafe(24)
    Device.objects.filter(pk=device.pk).update(key_digest=digest_of(key))
    game = opened(by_key(key), table)
    assert write(by_key(key), game, 0).status_code == 201


def test_each_device_has_a_key_of_its_own(table: Table) -> None:
    keys = {device_make(subject=table, actor=Actor())[1] for _ in range(3)}
    assert len(keys) == 3
