"""Whether the service is set up, and the token that only its operator can read."""

from django.conf import settings
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from league.core.account.models import User


def is_set_up() -> bool:
    """Return True if any account exists."""
    return User.objects.exists()


def setup_token() -> str:
    """Return the token that the service prints on its console, for the page of the first account.

    It is derived from the service's secret: all processes print the same one, and nothing is
    stored."""
    return salted_hmac("league.setup", "first account", algorithm="sha256").hexdigest()[:32]


def is_setup_token(word: str) -> bool:
    """Return True if this is the token."""
    return constant_time_compare(word.strip(), setup_token())


def setup_address(origin: str = "") -> str:
    """Return the whole address of the page of the first account; without an `origin`, the one in
    the settings."""
    scheme = "https" if settings.HTTPS else "http"
    hosts = [name.lstrip(".") for name in settings.ALLOWED_HOSTS if name != "*"]
    host = hosts[0] if hosts else "localhost"
    return f"{origin or f'{scheme}://{host}'}{reverse('setup')}?token={setup_token()}"
