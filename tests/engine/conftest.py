"""What the engine's tests have, also where they run alone: then pytest looks no further up than pytest.ini."""

from tests import conftest

__all__ = ["conftest"]
