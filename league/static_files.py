"""Static files of a service: each has a name made from its contents, also where a script imports
another.

Otherwise the scorer would import other addresses than its service worker caches for times without
network, and browsers would load each of its scripts twice."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """The files that `manage.py collectstatic` collects."""

    support_js_module_import_aggregation = True
