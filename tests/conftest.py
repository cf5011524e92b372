"""What every test has. The servers come from tests/servers.py."""

from hypothesis import settings

# A loaded machine is slow, not wrong.
settings.register_profile("cups-up", deadline=None)
settings.load_profile("cups-up")
