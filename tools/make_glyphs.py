"""Write src/detent/draw/font/glyphs.txt from a TrueType file: `make_glyphs.py FONT.ttf`.

Needs fontTools. Each line: code point in hexadecimal, advance, SVG path; units of
1/1000 em, y down, baseline at 0. The characters cover Latin, Greek and the signs
that engineers write; anything else is drawn as an empty box.
"""

from __future__ import annotations

import sys
from pathlib import Path

EM = 1000
SIGNS = "–—‘’“”…•′″⁄ⁿ₀₁₂₃₄₅₆₇₈₉€№Ω℧←↑→↓↔∂∆∈∏∑−∓∙√∝∞∠∥∧∨∩∪∫≈≠≡≤≥≪≫⊥⋅□△○●◦☐"
RANGES = [(0x20, 0x7E), (0xA0, 0x17F), (0x386, 0x3CE), (0x2070, 0x208E)]


def main(source: str) -> None:
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.ttLib import TTFont

    font = TTFont(source)
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    scale = EM / font["head"].unitsPerEm
    codes = sorted({c for low, high in RANGES for c in range(low, high + 1)} | set(map(ord, SIGNS)))
    lines = []
    for code in codes:
        if code not in names:
            continue
        pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
        glyph = glyphs[names[code]]
        glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
        lines.append(f"{code:x} {round(glyph.width * scale)} {pen.getCommands()}".rstrip())
    target = Path(__file__).resolve().parents[1] / "src/detent/draw/font/glyphs.txt"
    target.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
