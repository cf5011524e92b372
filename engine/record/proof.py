"""The keys of a record that prove it: `proof` of its dice, `digests` of its rounds, the `seal` of
its line."""

from typing import Final

from engine.dice.chain import SIZE, Link, opened
from engine.dice.frame import SCHEMES
from engine.dice.proof import Proof
from engine.record.shape import Json, bad, each, hexadecimal, items, join, members, one_of

SEED: Final = range(SIZE + 1)
"""Bytes a seat's own seed may have."""


def read_proof(value: Json, seats: int, path: str) -> Proof:
    """The proof of a game with so many seats; raises `Refused`."""
    parts = members(value, path, ("scheme", "commitment", "seeds"), ("links",))
    scheme = one_of(parts["scheme"], join(path, "scheme"), {name: name for name in SCHEMES})
    place = join(path, "seeds")
    seeds = items(parts["seeds"], place, range(seats, seats + 1))
    return Proof(
        commitment=hexadecimal(parts["commitment"], join(path, "commitment")),
        seeds=tuple([hexadecimal(entry, f"{place}[{i}]", SEED) for i, entry in enumerate(seeds)]),
        links=each(parts["links"], join(path, "links"), _link) if "links" in parts else None,
        scheme=scheme,
    )


def _link(value: Json, path: str) -> Link:
    parts = members(value, path, ("next",), ("key", "lock"))
    following = hexadecimal(parts["next"], join(path, "next"))
    if ("key" in parts) == ("lock" in parts):
        raise bad(path, "must tell either its key or its lock")
    if "key" in parts:
        return opened(following, hexadecimal(parts["key"], join(path, "key")))
    return Link(following, hexadecimal(parts["lock"], join(path, "lock")))


def commitment_json(proof: Proof) -> dict[str, Json]:
    """Return what is known before the first roll, as the canonical header has it."""
    return {
        "scheme": proof.scheme,
        "commitment": proof.commitment.hex(),
        "seeds": [seed.hex() for seed in proof.seeds],
    }


def proof_json(proof: Proof) -> dict[str, Json]:
    """The whole proof, with the links where they are recorded."""
    keys = commitment_json(proof)
    if proof.links is not None:
        keys["links"] = [link_json(link) for link in proof.links]
    return keys


def link_json(link: Link) -> dict[str, Json]:
    """Return a revealed link as the proof has it."""
    key: dict[str, Json] = (
        {"lock": link.lock.hex()} if link.key is None else {"key": link.key.hex()}
    )
    return {"next": link.next_head.hex()} | key
