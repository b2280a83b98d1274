"""What a server does to a body on its way out: content coding and transfer coding."""

from __future__ import annotations

import struct
import zlib

from sameish.models import HeaderPairs


def coded(body: bytes, *, compress: bool, chunk: bool) -> tuple[HeaderPairs, bytes, bytes]:
    """Return the headers that name the codings, the payload (content coding on) and the bytes as on the wire."""
    headers: HeaderPairs = ()
    if compress:
        body = gzipped(body)
        headers = (("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding"))
    if chunk:
        return (*headers, ("Transfer-Encoding", "chunked")), body, chunked(body)
    return (*headers, ("Content-Length", str(len(body)))), body, body


def gzipped(data: bytes) -> bytes:
    """Return data as one gzip member without time or system (RFC 1952): `gzip.compress` names another system since 3.13."""
    deflate = zlib.compressobj(6, wbits=-zlib.MAX_WBITS)
    deflated = deflate.compress(data) + deflate.flush()
    return b"\x1f\x8b\x08\x00\0\0\0\0\x00\xff" + deflated + struct.pack("<II", zlib.crc32(data), len(data) % 2**32)


def chunked(body: bytes, size: int = 4096) -> bytes:
    """Return a body in chunks (RFC 9112, section 7.1)."""
    pieces = (body[start : start + size] for start in range(0, len(body), size))
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
