"""The keys of a record that prove it: `proof` of its dice, `digests` of its rounds, the `seal` of its line."""

from typing import Final

from engine.dice.chain import SIZE, Link, opened
from engine.dice.frame import SCHEME
from engine.dice.proof import Proof
from engine.record.shape import Json, bad, items, join, members, one_of

SEED: Final = range(SIZE + 1)
"""Bytes a seat's own seed may have."""
DIGITS: Final = frozenset("0123456789abcdef")


def read_digest(value: Json, path: str, size: range = range(SIZE, SIZE + 1)) -> bytes:
    """Bytes written as hexadecimal digits in lower case, as many as `size` allows; raises `Fault`."""
    if not isinstance(value, str) or len(value) % 2 or not DIGITS.issuperset(value):
        raise bad(path, "must be hexadecimal: two of 0 to 9 and a to f for each byte")
    if len(value) // 2 not in size:
        wanted = str(size[0]) if len(size) == 1 else f"{size[0]} to {size[-1]}"
        raise bad(path, f"must have {wanted} bytes, not {len(value) // 2}")
    return bytes.fromhex(value)


def read_digests(value: Json, path: str) -> tuple[bytes, ...]:
    """A list of digests; raises `Fault`."""
    return tuple([read_digest(entry, f"{path}[{i}]") for i, entry in enumerate(items(value, path))])


def read_proof(value: Json, seats: int, path: str) -> Proof:
    """The proof of a game with so many seats; raises `Fault`."""
    told = members(value, path, ("scheme", "commitment", "seeds"), ("links",))
    one_of(told["scheme"], join(path, "scheme"), {SCHEME: SCHEME})
    place = join(path, "seeds")
    seeds = items(told["seeds"], place, range(seats, seats + 1))
    return Proof(
        commitment=read_digest(told["commitment"], join(path, "commitment")),
        seeds=tuple([read_digest(entry, f"{place}[{i}]", SEED) for i, entry in enumerate(seeds)]),
        links=_links(told["links"], join(path, "links")) if "links" in told else None,
    )


def _links(value: Json, path: str) -> tuple[Link, ...]:
    return tuple([_link(entry, f"{path}[{i}]") for i, entry in enumerate(items(value, path))])


def _link(value: Json, path: str) -> Link:
    told = members(value, path, ("next",), ("key", "lock"))
    following = read_digest(told["next"], join(path, "next"))
    if ("key" in told) == ("lock" in told):
        raise bad(path, "must tell either its key or its lock")
    if "key" in told:
        return opened(following, read_digest(told["key"], join(path, "key")))
    return Link(following, read_digest(told["lock"], join(path, "lock")))


def commitment_json(proof: Proof) -> dict[str, Json]:
    """What is known before the first roll, as the canonical header has it."""
    return {
        "scheme": SCHEME,
        "commitment": proof.commitment.hex(),
        "seeds": [seed.hex() for seed in proof.seeds],
    }


def proof_json(proof: Proof) -> dict[str, Json]:
    """The whole proof, with the links where they are told."""
    told = commitment_json(proof)
    if proof.links is not None:
        told["links"] = [_link_json(link) for link in proof.links]
    return told


def _link_json(link: Link) -> dict[str, Json]:
    key: dict[str, Json] = {"lock": link.lock.hex()} if link.key is None else {"key": link.key.hex()}
    return {"next": link.next.hex()} | key
