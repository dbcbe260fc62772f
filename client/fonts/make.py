"""Makes the page's typeface, `Inter.woff2`, from the variable Inter (OFL, see `headway/fonts`).

    pip install fonttools brotli
    python client/fonts/make.py InterVariable.woff2

Only the letters of `unicode-range` in `typeface.css`, the weights it names, kerning and figures
of one width stay: 23 KB instead of 48. After a change of the range, run it and build the client.
"""

import re
import sys
from io import BytesIO
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

HERE = Path(__file__).parent
STYLE = (HERE.parent / "src/typeface.css").read_text("utf-8")
FEATURES = ["kern", "tnum"]


def letters() -> list[int]:
    """Returns the code points that the style sheet promises."""
    found = re.findall(r"U\+(\w+)(?:-(\w+))?", STYLE)
    return [code for a, b in found for code in range(int(a, 16), int(b or a, 16) + 1)]


def main(source: str) -> None:
    """Writes the typeface."""
    least, most = map(int, re.findall(r"font-weight: (\d+) (\d+)", STYLE)[0])
    font = TTFont(source)
    kept = {"wght": (least, most)} | {
        axis.axisTag: axis.defaultValue for axis in font["fvar"].axes if axis.axisTag != "wght"
    }
    narrowed = BytesIO()
    instancer.instantiateVariableFont(font, kept).save(narrowed)
    font = TTFont(narrowed)
    options = subset.Options(layout_features=FEATURES, glyph_names=False)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=letters())
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(HERE / "Inter.woff2")


main(sys.argv[1])
