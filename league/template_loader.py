"""Templates without their indentation, which is for those who write them: pages stay as small as they can be."""

import re

from django.template import Origin
from django.template.loaders import filesystem

INDENTATION = re.compile(r"(?<=\n)[ \t]+")


class Loader(filesystem.Loader):
    """Loads our own templates; lines keep their numbers. Text whose indentation shows has no place in a template."""

    def get_contents(self, origin: Origin) -> str:
        """The template of a file, each line beginning with its first sign. Raises TemplateDoesNotExist."""
        return INDENTATION.sub("", super().get_contents(origin))
