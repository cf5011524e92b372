"""All addresses of the service."""

from django.contrib import admin
from django.contrib.auth.decorators import login_required
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from league.clubs.web.account import AccountPage
from league.site.api.urls import api
from league.site.web.urls import pages

urlpatterns = [
    path("", include(pages)),
    path("api/", include(api)),
    path("accounts/email/", login_required(AccountPage.as_view()), name="account_email"),
    path("accounts/", include("allauth.urls")),
    path("i18n/setlang/", csrf_exempt(set_language), name="set_language"),  # a secret of forms would be on every page
    path("admin/", admin.site.urls),
]

handler400 = "league.frame.errors.bad_request"
handler403 = "league.frame.errors.permission_denied"
handler404 = "league.frame.errors.page_not_found"
handler429 = "league.frame.errors.too_many_requests"  # allauth's
handler500 = "league.frame.errors.server_error"
