"""What is kept for a moment is made once, and again when anything that it hangs on has changed."""

from unittest.mock import patch

import pytest
from django.core.cache.backends.redis import RedisCacheClient
from redis.exceptions import ConnectionError

from league.core.frame import kept as frame_kept
from league.core.frame.kept import kept


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
