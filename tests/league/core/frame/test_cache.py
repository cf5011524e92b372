"""A cache that is away is an empty one."""

from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.core.cache.backends.redis import RedisCacheClient
from redis.exceptions import ConnectionError, TimeoutError


@pytest.mark.parametrize(
    "error", [ConnectionError("refused"), TimeoutError("silent"), OSError("no socket")]
)
def test_nothing_is_found_and_everything_can_be_added(error: Exception) -> None:
    with patch.object(RedisCacheClient, "get_client", side_effect=error):
        assert cache.add("key", 1, 10)
        cache.set("key", 1, 10)
        assert cache.get("key", "nothing") == "nothing"
        assert cache.incr("key", 3) == 3
        assert not cache.delete("key")


def test_else_it_is_a_cache() -> None:
    cache.delete("key")
    assert cache.add("key", 1, 10)
    assert not cache.add("key", 1, 10)
    assert cache.incr("key") == 2
    with pytest.raises(ValueError, match="not found"):
        cache.incr("no-such-key")
