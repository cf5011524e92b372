"""Reports of errors to Sentry, if an operator has set SENTRY_DSN and installed the extra `sentry`.

A report has the traceback and the route. It has no body, no values of variables, no cookies and no
query: a hidden die or a key could be in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sentry_sdk
from sentry_sdk.utils import BadDsn

from engine import __version__
from league.core.frame.outages import outage_behind
from league.core.frame.secrecy import without_keys
from league.environment.variable import BadSetting

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

SENT_OF_REQUEST = ("method", "url")


def error_reports_start(dsn: str, **options: Any) -> None:
    """Report errors of this process, and of its copies, from now on. Raise `BadSetting` if the DSN
    is none.

    Unless `send_default_pii` is set, which newer versions call deprecated, no personal data is
    sent.
    """
    try:
        sentry_sdk.init(
            dsn=dsn,
            release=__version__,
            include_local_variables=False,
            max_request_body_size="never",
            auto_session_tracking=False,
            before_send=report_cleaned,
            **options,
        )
    except BadDsn:
        raise BadSetting("SENTRY_DSN isn't the DSN of a project at Sentry.") from None


def report_cleaned(event: Event, hint: Hint) -> Event | None:
    """Return a report without secrets; None for an error that is due to an outage, of which there
    would be thousands."""
    error = (hint.get("exc_info") or (None, None))[1]
    if error is not None and outage_behind(error):
        return None
    request: dict[str, Any] = event.get("request", {})
    event["request"] = {name: request[name] for name in SENT_OF_REQUEST if name in request}
    cleaned: Event = without_keys(event)
    return cleaned
