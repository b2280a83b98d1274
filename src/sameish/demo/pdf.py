"""The one document that is no HTML: the bus timetable, as a small PDF."""

from __future__ import annotations

_ROWS = (
    "Station 06:10 06:30 06:50",
    "Hospital 06:17 06:37 06:57",
    "Old Market 06:24 06:44 07:04",
    "Lower Meadow 06:31 06:51 07:11",
)


def timetable(version: int) -> bytes:
    """Return a version of the timetable, the same bytes each time."""
    lines = (f"Bus 7, timetable {version}", *(row.replace(":10", ":12") if version > 1 else row for row in _ROWS))
    shown = "\n".join(f"({line}) Tj 0 -18 Td" for line in lines)
    stream = f"BT /F1 12 Tf 72 760 Td\n{shown}\nET"
    return _document(
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )


def _document(*objects: str) -> bytes:
    """Return a PDF with its cross-reference table (ISO 32000-1, section 7.5)."""
    written = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(written))
        written += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    start = len(written)
    written += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n".encode()
    return bytes(written) + f"startxref\n{start}\n%%EOF\n".encode()
