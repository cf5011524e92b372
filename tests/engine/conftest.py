"""What the engine's tests have, also where they run alone: then pytest looks no further up than
pytest.ini."""

from hypothesis import settings

# A loaded machine is slow, not wrong.
settings.register_profile("cups-up", deadline=None)
settings.load_profile("cups-up")
