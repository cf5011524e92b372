"""`manage.py up`: starts, watches and stops everything that the service needs on one machine."""
