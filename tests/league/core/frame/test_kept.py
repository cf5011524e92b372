"""What is kept for a moment is made once, and again when anything that it hangs on has changed."""

from unittest.mock import patch

import pytest
from django.core.cache.backends.redis import RedisCacheClient
from django.test import RequestFactory
from django.utils import translation
from redis.exceptions import ConnectionError

from league.core.frame import kept as frame_kept
from league.core.frame.kept import kept, shared_key


class Maker:
    """Makes 1, then 2, and so on."""

    made = 0

    def __call__(self) -> int:
        self.made += 1
        return self.made


def test_it_is_made_once() -> None:
    make = Maker()
    assert [kept("games", (1, "a"), make) for _ in range(3)] == [1, 1, 1]


def test_another_version_name_or_release_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    make = Maker()
    found = [
        kept("games", (1, "a"), make),
        kept("games", (1, "b"), make),
        kept("events", (1, "a"), make),
    ]
    monkeypatch.setattr(frame_kept, "release_digest", lambda: "the next one")
    found.append(kept("games", (1, "a"), make))
    assert found == [1, 2, 3, 4]


def test_nothing_that_is_there_is_kept_too() -> None:
    makes = [[], ["late"]]
    assert [kept("none", (), lambda: makes.pop(0)) for _ in range(2)] == [[], []]


def test_it_is_made_each_time_while_the_cache_is_away() -> None:
    make = Maker()
    with patch.object(RedisCacheClient, "get_client", side_effect=ConnectionError("refused")):
        assert [kept("games", (), make) for _ in range(2)] == [1, 2]


def test_a_shared_part_has_another_key_for_other_versions_addresses_and_languages() -> None:
    """The host is part of the address, since a part can hold whole links."""
    request = RequestFactory().get("/clubs/", headers={"host": "localhost"})
    again = RequestFactory().get("/clubs/", headers={"host": "localhost", "cookie": "a=1"})
    assert shared_key(again, (1, "player")) == shared_key(request, (1, "player"))
    others = [
        shared_key(request, (2, "player")),
        shared_key(request, (1, "scorer")),
        shared_key(RequestFactory().get("/clubs/?page=2"), (1, "player")),
        shared_key(RequestFactory().get("/clubs/", headers={"host": "127.0.0.1"}), (1, "player")),
    ]
    with translation.override("de"):
        others.append(shared_key(request, (1, "player")))
    assert len({shared_key(request, (1, "player")), *others}) == 6
