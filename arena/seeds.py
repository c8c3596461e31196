"""Seeds derived from seeds, far apart however near their origins are."""

from __future__ import annotations

from hashlib import blake2b


def derive(*parts: int | str) -> int:
    """A 63-bit seed that depends on every part and on their order."""
    text = "\0".join(map(str, parts)).encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big") >> 1
