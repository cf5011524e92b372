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


def is_setup_token(typed: str) -> bool:
    """Return True if the typed text is the setup token."""
    return constant_time_compare(typed.strip(), setup_token())


def setup_address(origin: str = "") -> str:
    """Return the full address of the page that creates the first account. Without an `origin`
    (scheme and host) it is at the first host of the settings."""
    if not origin:
        scheme = "https" if settings.HTTPS else "http"
        hosts = [name.lstrip(".") for name in settings.ALLOWED_HOSTS if name != "*"]
        origin = f"{scheme}://{hosts[0] if hosts else 'localhost'}"
    return f"{origin}{reverse('setup')}?token={setup_token()}"
