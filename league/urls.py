"""All addresses of the service."""

from django.contrib import admin
from django.urls import include, path

from league.api.urls import api
from league.web.urls import pages

urlpatterns = [
    path("", include(pages)),
    path("api/", include(api)),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]
