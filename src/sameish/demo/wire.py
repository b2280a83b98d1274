"""What a server does to a body on its way out: content coding and transfer coding."""

from __future__ import annotations

import gzip

from sameish.models import HeaderPairs


def coded(body: bytes, *, compress: bool, chunk: bool) -> tuple[HeaderPairs, bytes, bytes]:
    """Return the headers that name the codings, the payload (content coding on) and the bytes as on the wire."""
    headers: HeaderPairs = ()
    if compress:
        body = gzip.compress(body, mtime=0)
        headers = (("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding"))
    if chunk:
        return (*headers, ("Transfer-Encoding", "chunked")), body, chunked(body)
    return (*headers, ("Content-Length", str(len(body)))), body, body


def chunked(body: bytes, size: int = 4096) -> bytes:
    """Return a body in chunks (RFC 9112, section 7.1)."""
    pieces = (body[start : start + size] for start in range(0, len(body), size))
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
