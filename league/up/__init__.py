"""`manage.py up`: everything the service needs on one machine, started, watched and stopped
together."""
