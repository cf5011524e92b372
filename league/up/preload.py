"""Importing everything that our own processes need once, before they are copied from the
supervisor."""

import gc
import os

import django


def preload(*, web: bool) -> None:
    """Import Django, the jobs, Celery's worker and scheduler; for web processes also the pages and
    the server."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    django.setup()
    import celery.apps.beat
    import celery.apps.worker
    import celery.concurrency.prefork  # noqa: F401

    from league.celery_app import app

    app.loader.import_default_modules()
    app.finalize(auto=True)
    if web:
        from django.urls import get_resolver

        import league.asgi
        import league.up.connection  # noqa: F401

        get_resolver()._populate()


def settle() -> None:
    """Exempt all loaded objects from garbage collection: memory that isn't written to stays shared
    with copies of this process."""
    gc.collect()
    gc.freeze()
