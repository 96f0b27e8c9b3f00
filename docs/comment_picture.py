"""Draws `docs/images/pull-request.png`: the comment of a check as a code host shows it.

`python docs/comment_picture.py [RESULT]` writes it anew with cmark-gfm, chromium and Pillow, from what
`git assay ci check --result RESULT` wrote; without one from `pull-request.json` beside the picture, which
`docs/comment_scene.py` makes of the project's own wiki.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageChops

from gitops.ci.comment import render_comment
from gitops.ci.result import parse

PICTURE = Path(__file__).parent / "images" / "pull-request.png"
RESULT = PICTURE.with_suffix(".json")
WIDTH = 800
EXTENSIONS = ("table", "autolink", "strikethrough", "tagfilter", "tasklist", "footnotes")
ALERTS = {
    "CAUTION": ("Caution", "#d1242f"),
    "WARNING": ("Warning", "#9a6700"),
    "NOTE": ("Note", "#0969da"),
    "TIP": ("Tip", "#1a7f37"),
}
STYLE = """
body { margin: 0; padding: 16px; background: #fff; color: #1f2328; 
  font: 14px/1.5 "Noto Sans", "DejaVu Sans", sans-serif;  overflow-wrap: break-word; }
p, ul, blockquote, table, pre, details { margin: 0 0 14px; }
ul { padding-left: 2em; }
li + li { margin-top: .25em; }
blockquote { padding: 6px 14px; border-left: 4px solid var(--tone, #d0d7de); }
blockquote p { margin: 0; }
.alert { color: var(--tone); font-weight: 600; margin-bottom: 4px; }
code { font: 85%/1.45 "DejaVu Sans Mono", monospace; padding: .2em .4em; background: #eff1f3; border-radius: 6px; }
pre { padding: 14px; background: #f6f8fa; border-radius: 6px; overflow: auto; }
pre code { padding: 0; background: none; }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse; }
th, td { padding: 6px 10px; border: 1px solid #d0d7de; }
tr:nth-child(2n) td { background: #f6f8fa; }
summary { cursor: pointer; }
sub { font-size: 75%; }
a { color: #0969da; }
"""


def page(markdown: str, *, is_open: bool = False) -> str:
    """The comment as a page of HTML: what GitHub makes of it, as far as it can be had here."""
    arguments = [argument for each in EXTENSIONS for argument in ("-e", each)]
    done = subprocess.run(
        ["cmark-gfm", "--unsafe", *arguments], input=markdown.encode(), capture_output=True, check=True
    )
    body = done.stdout.decode()
    for name, (title, tone) in ALERTS.items():
        plain = f"<blockquote>\n<p>[!{name}]\n"
        body = body.replace(plain, f'<blockquote style="--tone: {tone}"><p class="alert">{title}</p>\n<p>')
    body = body.replace("<details>", "<details open>") if is_open else body
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>{STYLE}</style>'
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"


def draw(html: str, picture: Path, width: int = WIDTH, height: int = 2400) -> None:
    """The page as chromium shows it, as high as it is."""
    with tempfile.TemporaryDirectory() as folder:
        file, shot = Path(folder, "page.html"), Path(folder, "shot.png")
        file.write_text(html, "utf-8")
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--user-data-dir={folder}/profile",
        ]
        size = [f"--window-size={width},{height}", f"--screenshot={shot}"]
        subprocess.run(["chromium", *options, *size, file.as_uri()], capture_output=True, check=True, timeout=120)
        with Image.open(shot) as image:
            shown = image.convert("RGB")
            _, _, _, bottom = ImageChops.difference(shown, Image.new("RGB", shown.size, "white")).getbbox() or (0,) * 4
            shown.crop((0, 0, width, min(bottom + 16, height))).quantize(128, method=Image.Quantize.MAXCOVERAGE).save(
                picture, optimize=True
            )


if __name__ == "__main__":
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else RESULT
    draw(page(render_comment(parse(source.read_bytes(), source.name), run_url="https://ci.example/run")), PICTURE)
    print(f"{PICTURE.name}: {PICTURE.stat().st_size} bytes", file=sys.stderr)
