"""All addresses of the service."""

from django.contrib import admin
from django.urls import include, path

from league.api.urls import api
from league.web.health import health
from league.web.urls import pages

urlpatterns = [
    path("", include(pages)),
    path("api/", include(api)),
    path("accounts/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("health/", health, name="health"),
    path("admin/", admin.site.urls),
]

handler400 = "league.web.errors.bad_request"
handler403 = "league.web.errors.permission_denied"
handler404 = "league.web.errors.page_not_found"
handler500 = "league.web.errors.server_error"
