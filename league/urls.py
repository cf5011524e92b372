"""All addresses of the service."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from league.site.account.web.account_urls import account_pages
from league.site.api.api.urls import api
from league.site.home.web.urls import pages

admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", include(pages)),
    path("api/", include(api)),
    path("accounts/", include(account_pages)),
    path("i18n/setlang/", csrf_exempt(set_language), name="set_language"),  # a secret of forms would be on every page
    path("admin/", admin.site.urls),
]

handler400 = "league.core.frame.errors.bad_request"
handler403 = "league.core.frame.errors.permission_denied"
handler404 = "league.core.frame.errors.page_not_found"
handler429 = "league.core.frame.errors.too_many_requests"  # allauth's
handler500 = "league.core.frame.errors.server_error"
