"""Static files as a service serves them: each under a name that its content gives, also where a
script imports another.

Without that the scorer would import other addresses than those that its service worker keeps for
when there is no network, and a browser would load each of its scripts twice."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """The files that `manage.py collectstatic` gathers."""

    support_js_module_import_aggregation = True
