"""In which language a stretch of text seems to be: by its script, and in Latin script by its function words."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from gitops.wiki.late import late
from gitops.wiki.terms import STOP_WORDS

_WORD = late(r"[^\W\d_]+")
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\u1100-\u11ff\uac00-\ud7af]")),
    ("zh", re.compile("[\u3400-\u9fff]")),
    ("cyrillic", re.compile("[\u0400-\u04ff]")),
    ("greek", re.compile("[\u0370-\u03ff]")),
    ("arabic", re.compile("[\u0600-\u06ff]")),
    ("latin", re.compile("[A-Za-z\u00c0-\u024f]")),
)
_FUNCTION_WORDS = {
    "en": "the of and to in is that it for was with as are be this by from have not they which but or at an were",
    "de": "der die das und ist nicht ein eine zu den mit von im auf für sich "
    "des dem auch wird sind bei als wie aus seit kein keine nach wurde war hat",
    "fr": "le la les des et est une un dans que qui pour pas sur du au avec par sont ce cette plus ne se il elle",
    "es": "el la los las de y en es que un una por con no para se del al lo como más su son está pero",
    "it": "il lo la gli le di e è un una che per con non si del della nel sono come più anche dei questo",
    "pt": "o a os as de e em um uma que não para com por do da no na se mais como são foi ao dos",
    "nl": "de het een en van is dat niet op te in zijn met voor aan er om die ook als bij naar worden",
}
_OTHER_WORDS = """
einer eines einem einen oder aber dass zum zur vom beim nicht noch nur sehr unter über zwischen durch gegen ohne sie
aux ces leur nous vous mais comme tout être fait été entre depuis selon fue fueron sobre entre también desde hasta este
esta sus muy ya cuando donde porque gli dal alla nel dello degli delle questa sul tra fra quando perché stato stata
pela pelo seu sua também já entre ainda quando wird sein haar deze dit maar dan wel nog kan over door heeft werd werden
och det att som på av för är till inte ett den var med från ikke og til fra ved også blev af det være har eller
jest nie się na przez oraz dla jak był była które ve bir bu için ile olarak daha çok ja on ei oli että se joka
a az és egy hogy nem volt je se na že byl které și este care din pentru sau vuonna và được của những
"""
"""Function words of these and of northern and eastern languages; what is an English word too tells nothing."""
_NOT_ENGLISH_WORDS = "die an man den war hat bei sind also am so per plus son on men dan over ton pour fait sur net"
_LATIN = late("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]")
_STRETCH, _MOSTLY = 500, 0.7
"""Of so many characters at the beginning, in the middle and at the end, so large a share of letters must be Latin."""
_BY_LANGUAGE = {name: frozenset(words.split()) for name, words in _FUNCTION_WORDS.items()}
_SURE = 2
"""How many more function words of one language than of any other tell it."""


def language(text: str, margin: int = _SURE) -> str:
    """`en`, `de` … or a script's name; '' where too little tells. Han without Kana or Hangul is `zh`.

    `margin` is how many more function words of one language than of any other there must be.
    """
    script = _script(text)
    if script != "latin":
        return script
    words = _WORD.findall(text.lower())
    counts = Counter({name: sum(word in known for word in words) for name, known in _BY_LANGUAGE.items()})
    (first, most), (_, next_most) = counts.most_common(2)
    return first if most - next_most >= margin else ""


def not_english(text: str) -> str:
    """Why a text can hardly be English: its script or its function words; '' where it may be.

    It is not where more of its function words are of other languages than English, be it but one against none.
    """
    middle = len(text) // 2
    looked_at = (
        text
        if len(text) <= 3 * _STRETCH
        else f"{text[:_STRETCH]}\n{text[middle : middle + _STRETCH]}\n{text[-_STRETCH:]}"
    )
    if not looked_at.isascii():
        letters = sum(map(str.isalpha, looked_at))
        if len(_LATIN.findall(looked_at)) < _MOSTLY * letters:
            return "written in another script than Latin"
    words = _WORD.findall(looked_at.lower())
    others, english = (sum(word in known for word in words) for known in (_others(), STOP_WORDS))
    return "not English" if others > english and (others > 1 or not english) else ""


@cache
def _others() -> frozenset[str]:
    known = frozenset(_OTHER_WORDS.split()).union(*(words for name, words in _BY_LANGUAGE.items() if name != "en"))
    ours = STOP_WORDS | _BY_LANGUAGE["en"] | frozenset(_NOT_ENGLISH_WORDS.split())
    return frozenset(word for word in known - ours if len(word) > 1)


def _script(text: str) -> str:
    """The script of most letters; Japanese and Korean are told by their own beside Han."""
    counts = {name: len(pattern.findall(text)) for name, pattern in _SCRIPTS}
    if not any(counts.values()):
        return ""
    asian = counts["ja"] + counts["ko"] + counts["zh"]
    rest = max(("cyrillic", "greek", "arabic", "latin"), key=lambda name: counts[name])
    if asian * 2 < counts[rest]:
        return rest
    own = max(("ja", "ko"), key=lambda name: counts[name])
    return own if counts[own] * 10 >= asian else "zh"
