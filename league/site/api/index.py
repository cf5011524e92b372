"""The way into the API, and what stands where nothing is."""

from __future__ import annotations

from typing import NoReturn

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from league.frame.api.links import ROOT
from league.frame.api.operation import reads
from league.frame.api.parameters import Parameters
from league.frame.api.serializers import Serializer
from league.frame.api.view import ApiView

ADDRESSES = {"clubs": f"{ROOT}/clubs/", "schema": "/api/schema/", "docs": "/api/docs/"}


class IndexSerializer(Serializer):
    """The addresses to go on from; they are paths on this host everywhere in the API."""

    clubs = serializers.CharField()
    schema = serializers.CharField()
    docs = serializers.CharField()


class Index(ApiView):
    """The way into the API."""

    permission_classes = [AllowAny]

    @extend_schema(tags=["start"])
    @reads("Where everything is", IndexSerializer, parameters=Parameters, problems={}, example=ADDRESSES)
    def index(self, _: None) -> dict[str, str]:
        """The addresses to start from."""
        return ADDRESSES


class Nothing(APIView):
    """Every other address under /api/: not found, in the form of all the other errors."""

    permission_classes = [AllowAny]

    def initial(self, request: Request, *args: object, **kwargs: object) -> NoReturn:
        """Raise `Http404` whatever the method is."""
        raise Http404
