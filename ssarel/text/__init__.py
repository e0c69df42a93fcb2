"""The printed IR, both ways: `parse(format(function))` gives the function back.

Profile `default` is for people: places without effect, unary operators shown, every opcode printable. Profile `react`
is the text of React Compiler 1.0.0 byte for byte. Not in either text: positions in the source, `Var.decl` of a renamed
variable, whether a variable that no context instruction mentions is a cell, ids that no place mentions. React's text
also leaves out unary operators, `async` and `*`, the kind of a function, and whether an object property is a method.
"""

from ssarel.text.format import format, format_instr
from ssarel.text.notation import quote, unquote
from ssarel.text.parse import parse

__all__ = ["format", "format_instr", "parse", "quote", "unquote"]
