"""Addresses of the service’s health."""

from django.urls import path

from league.site.health.web.service import service_page

pages = [
    path("service/", service_page, name="service"),
]
