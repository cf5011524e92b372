"""The key `proof` of a record, which proves its dice."""

from typing import Final

from engine.dice.chain import SIZE, Link, opened
from engine.dice.frame import SCHEMES
from engine.dice.proof import Proof
from engine.record.shape import Json, bad, each, hexadecimal, items, join, members, one_of

SEED: Final = range(SIZE + 1)
"""The possible numbers of bytes of a seat's own seed."""


def read_proof(value: Json, seats: int, path: str) -> Proof:
    """Return the proof of a game's dice. Raise `Refused`."""
    parts = members(value, path, ("scheme", "commitment", "seeds"), ("links",))
    scheme = one_of(parts["scheme"], join(path, "scheme"), {name: name for name in SCHEMES})
    path_of_seeds = join(path, "seeds")
    entries = items(parts["seeds"], path_of_seeds, range(seats, seats + 1))
    commitment = hexadecimal(parts["commitment"], join(path, "commitment"))
    seeds = [hexadecimal(entry, f"{path_of_seeds}[{i}]", SEED) for i, entry in enumerate(entries)]
    links = None
    if "links" in parts:
        links = each(parts["links"], join(path, "links"), _link)
    return Proof(commitment=commitment, seeds=tuple(seeds), links=links, scheme=scheme)


def _link(value: Json, path: str) -> Link:
    parts = members(value, path, ("next",), ("key", "lock"))
    following = hexadecimal(parts["next"], join(path, "next"))
    if ("key" in parts) == ("lock" in parts):
        raise bad(path, "must give either its key or its lock")
    if "key" in parts:
        return opened(following, hexadecimal(parts["key"], join(path, "key")))
    return Link(following, hexadecimal(parts["lock"], join(path, "lock")))


def commitment_json(proof: Proof) -> dict[str, Json]:
    """Return what is known before the first roll, in the format of the canonical header."""
    return {
        "scheme": proof.scheme,
        "commitment": proof.commitment.hex(),
        "seeds": [seed.hex() for seed in proof.seeds],
    }


def proof_json(proof: Proof) -> dict[str, Json]:
    """Return the whole proof, with its links if they are recorded."""
    keys = commitment_json(proof)
    if proof.links is not None:
        keys["links"] = [link_json(link) for link in proof.links]
    return keys


def link_json(link: Link) -> dict[str, Json]:
    """Return a revealed link in the format of a proof."""
    keys: dict[str, Json] = {"next": link.next_head.hex()}
    if link.key is None:
        keys["lock"] = link.lock.hex()
    else:
        keys["key"] = link.key.hex()
    return keys
