"""Addresses of files that browsers and robots look for."""

from django.contrib.sitemaps.views import index as sitemap_index
from django.contrib.sitemaps.views import sitemap
from django.urls import path
from django.views.decorators.http import require_safe

from league.site.well_known.web.sitemaps import SITEMAPS
from league.site.well_known.web.well_known import favicon, manifest, robots, security_txt

pages = [
    path("favicon.ico", favicon, name="favicon"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("robots.txt", robots, name="robots"),
    path(".well-known/security.txt", security_txt, name="security-txt"),
    path(
        "sitemap.xml",
        require_safe(sitemap_index),
        {"sitemaps": SITEMAPS, "sitemap_url_name": "sitemap-part"},
        name="sitemap",
    ),
    path(
        "sitemap-<section>.xml", require_safe(sitemap), {"sitemaps": SITEMAPS}, name="sitemap-part"
    ),
]
