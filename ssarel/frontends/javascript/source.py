"""Source bytes: decoding, offsets to line and column."""

from __future__ import annotations

import re
from bisect import bisect_right

BOM = b"\xef\xbb\xbf"
LINE_END = re.compile(rb"\r\n|\n|\r|\xe2\x80[\xa8\xa9]")
MULTIBYTE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")


class Source:
    """The text of one file.

    data: its bytes without a byte order mark; must be UTF-8.
    """

    __slots__ = ("_extra", "_line_starts", "_wide", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._line_starts = [0, *(match.end() for match in LINE_END.finditer(data))]
        self._wide: list[int] = []
        self._extra: list[int] = [0]
        if not data.isascii():
            extra = 0
            for match in MULTIBYTE.finditer(data):
                self._wide.append(match.start())
                extra += match.end() - match.start() - 1
                self._extra.append(extra)

    def position(self, offset: int) -> tuple[int, int]:
        """Line (from 1) and column (from 0, in code points) of a byte offset. Cost: two binary searches."""
        starts = self._line_starts
        line = bisect_right(starts, offset)
        start = starts[line - 1]
        if not self._wide:
            return line, offset - start
        extra = self._extra[bisect_right(self._wide, offset - 1)] - self._extra[bisect_right(self._wide, start - 1)]
        return line, offset - start - extra

    def text(self, start: int, end: int) -> str:
        """The characters between two byte offsets."""
        return self.data[start:end].decode("utf-8")


def without_bom(data: bytes) -> bytes:
    """`data` without a leading UTF-8 byte order mark."""
    return data[len(BOM) :] if data.startswith(BOM) else data
