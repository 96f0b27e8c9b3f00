"""Draws `docs/demo.svg`: `git assay demo` in a terminal, from a real run. `python docs/picture.py` writes it anew."""

from __future__ import annotations

import io
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console, RenderableType
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from gitops.demo import begun, told, undisturbed
from gitops.report.text import show

PICTURE = Path(__file__).with_name("demo.svg")
PLACE = "/tmp/assay-demo"
MOMENT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
WIDTH = 80
SHOWN = (0, 1, 2, 3, 5)
"""The title, the sound run, and three of the five: as much as one looks at in a README."""

THEME = TerminalTheme(
    (22, 27, 34),
    (230, 237, 243),
    [
        (72, 79, 88),
        (255, 123, 114),
        (86, 211, 100),
        (227, 179, 65),
        (121, 192, 255),
        (210, 168, 255),
        (86, 212, 221),
        (177, 186, 196),
    ],
)

# No font and nothing else from elsewhere: a README's pictures may load nothing, and every system has a monospaced font.
FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<title>git assay demo: a sound run lands, poisoned ones are refused</title>
<style>
.{unique_id}-matrix, .{unique_id}-title {{
font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
font-size: {char_height}px; line-height: {line_height}px; font-variant-ligatures: none; }}
.{unique_id}-title {{ font-size: 18px; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


def scenes() -> list[RenderableType]:
    """What the picture shows, from a run of the demonstration whose clock stands still."""
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder, undisturbed():
        context = begun(Path(folder).resolve(), lambda: MOMENT, anonymous=True)
        played = list(told(context, PLACE, wrong))
    if wrong:
        raise SystemExit(f"the demonstration went wrong: {', '.join(wrong)}")
    prompt = Text.assemble(("$ ", "dim"), "git assay demo")
    return [prompt, *(part for number in SHOWN for part in played[number])]


def draw(parts: list[RenderableType]) -> str:
    """The parts as SVG."""
    console = Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="standard", highlight=False
    )
    show(*parts, console=console)
    return console.export_svg(title="git assay demo", theme=THEME, code_format=FORMAT, unique_id="assay")


if __name__ == "__main__":
    PICTURE.write_text(draw(scenes()), "utf-8")
    print(f"{PICTURE.name}: {PICTURE.stat().st_size} bytes", file=sys.stderr)
