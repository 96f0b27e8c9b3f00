from __future__ import annotations

import pytest

from gitops.agents.synthesis.entry import with_entry


@pytest.mark.parametrize(
    ("index", "wanted"),
    [
        pytest.param("", "# Index\n\n## Synthesis\n\n- [S](s.md)\n", id="no index"),
        pytest.param(
            "# Index\n\n- [A](a.md)", "# Index\n\n- [A](a.md)\n\n## Synthesis\n\n- [S](s.md)\n", id="no section"
        ),
        pytest.param(
            "# Index\n\n## Synthesis\n\n- [R](r.md)\n\n## Tags\n",
            "# Index\n\n## Synthesis\n\n- [S](s.md)\n- [R](r.md)\n\n## Tags\n",
            id="newest first",
        ),
        pytest.param(
            "# Index\n\n### Syntheses\nWords.\n", "# Index\n\n### Syntheses\n\n- [S](s.md)\n\nWords.\n", id="words"
        ),
        pytest.param(
            "# Index\r\n\r\n- [A](a.md)\r\n",
            "# Index\r\n\r\n- [A](a.md)\r\n\r\n## Synthesis\r\n\r\n- [S](s.md)\r\n",
            id="crlf",
        ),
        pytest.param("# Synthesis of x\n", "# Synthesis of x\n\n## Synthesis\n\n- [S](s.md)\n", id="another heading"),
    ],
)
def test_the_entry(index: str, wanted: str) -> None:
    assert with_entry(index, "[S](s.md)") == wanted
