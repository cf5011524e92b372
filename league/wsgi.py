"""The WSGI entry point: everything but the live streams."""

import os
import sys

from django.core.wsgi import get_wsgi_application

from league.environment.variable import BadSetting

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

try:
    application = get_wsgi_application()
except BadSetting as error:
    sys.exit(str(error))
