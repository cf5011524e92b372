"""Wrong values of each kind. A kind that isn't listed here fails the tests."""

from collections.abc import Callable
from typing import Any

from league.environment import kinds

WORD = "sesam"
"""What no message may show when it stands in a secret."""

ADDRESSES = [
    "hello",
    "http://sesam@host",
    "//host",
    "postgresql://cups:sesam@host:sesam/cups",
    "redis://:sesam/x@host",
]
ORIGINS = [
    "cups.example.org",
    "//cups.example.org",
    "ftp://cups.example.org",
    "https://",
    "https://cups.example.org/page",
    "https://a@cups.example.org",
    "https://cups.example.org:none",
    "https://cups.example.org:0",
    "https://cups example.org",
    "https://[::",
]
LINKS = [
    "javascript:alert(1)",
    "JavaScript://host/%0aalert(1)",
    "data:text/html,x",
    "//example.org/imprint",
    "example.org/imprint",
    "https://",
    "https://example.org/a b",
    "https://example.org\n/x",
]
HOSTS = ["", "*", "https://cups.example.org", "cups.example.org:443", "a b", "-cups", "a/b", "[::"]

WRONG: dict[type[kinds.ValueKind[Any]], Callable[[Any], list[str]]] = {
    kinds.Flag: lambda kind: ["maybe", "2", "true ", "-1"],
    kinds.WholeNumber: lambda kind: [
        *(str(kind.least - 1), str(kind.most + 1), "-1", "abc", "1.5", "1e3", " 1", "²", "१"),
        "9" * 5000,
    ],
    kinds.ByteSize: lambda kind: ["-1", "0", "1", "abc", "16XB", "1.5MB", "9" * 5000, "99GB"],
    kinds.SingleLine: lambda kind: ["sesam\nsecond line", "sesam\x1b[31m", "\udcff"],
    kinds.LogLevel: lambda kind: ["LOUD", "10", "INFO,DEBUG"],
    kinds.RandomSecret: lambda kind: ["x", "sesam", "a" * 50, "sesam" * 6, "abab" * 20],
    kinds.PushKey: lambda kind: ["abc", "A" * 43, "_" * 43, "sesam" * 9, "AB" * 32],
    kinds.DatabaseAddress: lambda kind: [
        *(*ADDRESSES, "redis://sesam@host"),
        *("postgresql://host:99999/name", "postgresql://one:5432,two:0/name"),
    ],
    kinds.RedisAddress: lambda kind: [
        *(*ADDRESSES, "redis://", "redis:///0", "redis://host/name", "redis://host:sesam"),
        *("redis://host:99999", "unix://"),
        *("redis://host?timeout=3", "redis://host?db=x", "rediss://host?ssl_cert_reqs=x"),
    ],
    kinds.HostName: lambda kind: HOSTS[1:],
    kinds.ServedName: lambda kind: [*HOSTS[1:], ".", "[cups]", "*.example.org"],
    kinds.NetworkAddress: lambda kind: ["nonsense", "10.0.0.0/99", "10.0.0.1/8", "300.1.1.1"],
    kinds.WebOrigin: lambda kind: [*ORIGINS, "https://*.example.org"],
    kinds.TrustedOrigin: lambda kind: [*ORIGINS, "https://*", "https://a.*.org"],
    kinds.WebPage: lambda kind: [*LINKS, "mailto:cups@example.org"],
    kinds.ContactAddress: lambda kind: [*LINKS, "http://example.org", "mailto:", "mailto:cups"],
    kinds.ProjectAddress: lambda kind: [
        *LINKS,
        "https://example.org/1",
        "https://key@host/project",
    ],
    kinds.Sender: lambda kind: [
        "Cups Up",
        "Cups Up <>",
        "cups@",
        "Cups Up <cups>",
        "a@b\nBcc: c@d",
    ],
    kinds.Folder: lambda kind: ["/dev/null", "/dev/null/var", "manage.py"],
    kinds.FilePath: lambda kind: ["erased.txt", "/", "../erased.txt"],
    kinds.CommaSeparated: lambda kind: [
        *(wrong.replace(",", "") for wrong in wrong_values(kind.each)),
        *(",", " "),
    ],
}


def wrong_values(kind: kinds.ValueKind[Any]) -> list[str]:
    """Texts that the kind refuses."""
    return WRONG[type(kind)](kind)
