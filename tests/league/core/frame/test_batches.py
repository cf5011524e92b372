"""Who asks for the same live part at once gets one answer, made after all of them have asked."""

import asyncio
from typing import Any

import pytest

from league.core.frame import batches
from league.core.frame.batches import Batches

LIVE = [(b"hx-target", b"live"), (b"accept-language", b"de")]


class Pages:
    """An application that takes its time and numbers its answers."""

    def __init__(self) -> None:
        self.asked = 0
        self.headers: list[tuple[bytes, bytes]] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        body = str(self.asked).encode()
        await asyncio.sleep(0.02)
        await send({"type": "http.response.start", "status": 200, "headers": self.headers})
        await send({"type": "http.response.body", "body": body})


async def ask(app: Batches, headers: list[tuple[bytes, bytes]], path: str = "/") -> bytes:
    """The body of one answer."""
    messages: list[Any] = []

    async def send(message: Any) -> None:
        messages.append(message)

    scope: Any = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": headers,
    }
    await app(scope, None, send)  # type: ignore[arg-type]
    return bytes(messages[-1]["body"])


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Batches:
    """Batches that gather for a hundredth of a second."""
    monkeypatch.setattr(batches, "GATHER_SECONDS", 0.01)
    return Batches(Pages())


def answers(app: Batches, *asked: list[tuple[bytes, bytes]]) -> list[bytes]:
    """The bodies that those get who ask at once."""

    async def together() -> list[bytes]:
        return await asyncio.gather(*[ask(app, headers) for headers in asked])

    return asyncio.run(together())


def test_who_asks_at_once_gets_one_answer(app: Batches) -> None:
    assert answers(app, *[LIVE] * 50) == [b"1"] * 50


def test_what_differs_is_asked_for_by_itself(app: Batches) -> None:
    english = [LIVE[0], (b"accept-language", b"en")]
    assert sorted(answers(app, LIVE, english, [*LIVE, (b"if-none-match", b'"x"')])) == [
        b"1",
        b"2",
        b"3",
    ]


@pytest.mark.parametrize("own", [(b"cookie", b"sessionid=x"), (b"authorization", b"Bearer x")])
def test_who_may_see_something_else_is_answered_alone(
    app: Batches, own: tuple[bytes, bytes]
) -> None:
    assert sorted(answers(app, [*LIVE, own], [*LIVE, own], LIVE, LIVE)) == [b"1", b"2", b"3", b"3"]


def test_whole_pages_wait_for_nobody(app: Batches) -> None:
    assert sorted(answers(app, LIVE[1:], LIVE[1:])) == [b"1", b"2"]


def test_who_comes_while_an_answer_is_made_gets_a_later_one(app: Batches) -> None:
    async def after_each_other() -> list[bytes]:
        first = asyncio.create_task(ask(app, LIVE))
        while not app.app.asked:
            await asyncio.sleep(0)
        late = [asyncio.create_task(ask(app, LIVE)) for _ in range(2)]
        return await asyncio.gather(first, *late)

    assert asyncio.run(after_each_other()) == [b"1", b"2", b"2"]
    assert not app.waiting


def test_an_answer_with_a_cookie_is_for_nobody_else(app: Batches) -> None:
    app.app.headers = [(b"Set-Cookie", b"csrftoken=x")]
    assert len(set(answers(app, LIVE, LIVE, LIVE))) == 3


def test_an_error_reaches_all_and_ends_the_batch(app: Batches) -> None:
    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise ConnectionResetError

    app.app = broken

    async def together() -> list[Any]:
        return list(await asyncio.gather(ask(app, LIVE), ask(app, LIVE), return_exceptions=True))

    assert [type(answer) for answer in asyncio.run(together())] == [ConnectionResetError] * 2
    assert not app.waiting
