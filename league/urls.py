"""All addresses of the service."""

from django.contrib import admin
from django.urls import include, path

from league.web.urls import pages

urlpatterns = [
    path("", include(pages)),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]
