"""Literals: from their spelling in source to the text the IR prints."""

from __future__ import annotations

import re
from html.entities import name2codepoint
from math import isinf

ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-3]?[0-7]{1,2})|(\r\n|[\s\S]))", re.ASCII
)
SIMPLE = {"b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
LINE_ENDS = frozenset({"\n", "\r", "\r\n", "\u2028", "\u2029"})
SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
QUOTED = re.compile('["\\\\\x00-\x1f\ud800-\udfff]')
JSON_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
ENTITY = re.compile(r"&(?:#([0-9]+)|#[xX]([0-9a-fA-F]+)|([A-Za-z][A-Za-z0-9]*));")


def unescape(text: str) -> str:
    """Resolve the escapes of a string literal's body; lone surrogates stay, pairs become one character."""
    if "\\" not in text:
        return text
    return SURROGATES.sub(_join_pair, ESCAPE.sub(_one_escape, text))


def _one_escape(match: re.Match[str]) -> str:
    for group, base in ((1, 16), (2, 16), (3, 16), (4, 8)):
        digits = match[group]
        if digits is not None:
            return chr(min(int(digits, base), 0x10FFFF))
    character = match[5]
    if character in LINE_ENDS:
        return ""
    return SIMPLE.get(character, character)


def _join_pair(match: re.Match[str]) -> str:
    high, low = match[0]
    return chr(0x10000 + ((ord(high) - 0xD800) << 10) + (ord(low) - 0xDC00))


def string_text(value: str) -> str:
    """A string as the IR prints it: JSON, everything but quotes, backslashes, controls and surrogates as it is."""
    return f'"{QUOTED.sub(_json_escape, value)}"'


def _json_escape(match: re.Match[str]) -> str:
    return JSON_ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}"


def number_text(spelling: str) -> str:
    """A numeric literal as JavaScript prints the number; `null` if it overflows, bigints in decimal with their `n`."""
    text = spelling.replace("_", "").lower()
    if text.endswith("n") and not text.startswith("0x"):
        return f"{_integer(text[:-1])}n"
    if text.startswith("0x") and text.endswith("n"):
        return f"{int(text[2:-1], 16)}n"
    if text[:2] in ("0x", "0o", "0b") or (len(text) > 1 and text[0] == "0" and text.isdigit()):
        return float_text(_integer(text))
    return float_text(float(text))


def _integer(text: str) -> int:
    if text[:2] in ("0x", "0o", "0b"):
        return int(text, 0)
    if len(text) > 1 and text[0] == "0" and not set(text) & {"8", "9"}:
        return int(text, 8)
    return int(text)


def float_text(value: float) -> str:
    """`Number::toString` of ECMAScript (shortest digits that read back the same); `null` for infinity."""
    try:
        number = float(value)
    except OverflowError:
        return "null"
    if isinf(number):
        return "null"
    if number == int(number) and abs(number) < 1e16:
        return str(int(number))
    mantissa, _, exponent = f"{number!r}e".partition("e")
    power = int(exponent.rstrip("e") or 0)
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + power - (len(whole + fraction) - len((whole + fraction).lstrip("0")))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    sign = "+" if point > 0 else "-"
    head = digits[0] + (f".{digits[1:]}" if count > 1 else "")
    return f"{head}e{sign}{abs(point - 1)}"


def template_raw(text: str) -> str:
    """The raw text of a template part: line ends become line feeds."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def unescape_entities(text: str) -> str:
    """Replace the character references of JSX text and attribute strings."""
    if "&" not in text:
        return text
    return ENTITY.sub(_one_entity, text)


def _one_entity(match: re.Match[str]) -> str:
    if match[1] is not None:
        return chr(min(int(match[1]), 0x10FFFF))
    if match[2] is not None:
        return chr(min(int(match[2], 16), 0x10FFFF))
    if match[3] == "apos":
        return "'"
    code = name2codepoint.get(match[3])
    return match[0] if code is None else chr(code)


def trim_jsx_text(text: str) -> str | None:
    """The text a JSX child stands for, None if only blanks: lines trimmed, empty ones dropped, joined by a space."""
    lines = re.split(r"\r\n|\n|\r", text)
    last_kept = max((at for at, line in enumerate(lines) if line.strip(" \t")), default=0)
    parts: list[str] = []
    for at, line in enumerate(lines):
        kept = line.replace("\t", " ")
        if at > 0:
            kept = kept.lstrip(" ")
        if at < len(lines) - 1:
            kept = kept.rstrip(" ")
        if kept:
            parts.append(kept if at == last_kept else f"{kept} ")
    return "".join(parts) or None
