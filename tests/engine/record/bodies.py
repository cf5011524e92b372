"""Stored rounds that somebody changed, for tests of what is refused."""

from hypothesis import strategies as st


def changed(data: st.DataObject, bodies: list[bytes]) -> list[bytes]:
    """The stored rounds with one fault: a byte or a round changed, dropped, doubled, or in another
    place."""
    bodies = list(bodies)
    number, other = (data.draw(st.integers(0, len(bodies) - 1)) for _ in range(2))
    body = bodies[number]
    at, byte = data.draw(st.integers(0, len(body) - 1)), data.draw(st.integers(0, 255))
    changes = {
        "byte changed": [body[:at] + bytes([byte]) + body[at + 1 :]],
        "bit turned": [body[:at] + bytes([body[at] ^ 1 << byte % 8]) + body[at + 1 :]],
        "byte dropped": [body[:at] + body[at + 1 :]],
        "byte added": [body[:at] + bytes([byte]) + body[at:]],
        "round dropped": [],
        "round doubled": [body, body],
        "another round": [bodies[other]],
    }
    bodies[number : number + 1] = changes[data.draw(st.sampled_from(sorted(changes)))]
    return bodies
