"""British and American spelling as one: "haemorrhage" and "hemorrhage" are the same word.

Each rule turns one way of spelling into the other, in a quote and its page alike, so that it need
not know words that are no such pair: "advise" becomes "advize" in both. No rule makes two words of
different meaning the same.
"""

from __future__ import annotations

import re
from functools import lru_cache

from medlens.deferred_regex import compile_later

_RULES = (
    # ae and oe of Greek words
    r"(?P<e>(?<=h)ae(?=m)|(?<=[a-z])ae(?=mi[ac])|\bae(?=tiolog|sthet)|(?<=an)ae(?=sth|mi)"
    r"|(?<=p)ae(?=d)|(?<=gyn)ae|(?<=\bf)ae(?=c)|(?<=\bc)ae(?=c|sa|si)|(?<=orthop)ae"
    r"|(?<=leuk)ae|\boe(?=d|so|st)|(?<=[a-z])oe(?=dem|soph|strog)|(?<=f)oe(?=t)|(?<=rrh)oe"
    r"|(?<=pn)oe|(?<=\bc)oe(?=l)|(?<=hom)oe(?=o)|(?<=\bam)oe(?=b)|(?<=ph)ae(?=o)|(?<=\bn)ae(?=v)"
    r"|(?<=def)ae(?=c)|\bae(?=tio)|(?<=\bl)ae(?=vo)|(?<=pal)ae(?=o)|(?<=syn)ae(?=sth))",
    # -our
    r"(?P<or>(?<=tum)our|(?<=col)our|(?<=behavi)our|(?<=lab)our|(?<=fav)our|(?<=od)our"
    r"|(?<=hum)our|(?<=vap)our|(?<=rum)our|(?<=neighb)our|(?<=harb)our|(?<=hon)our"
    r"|(?<=vig)our|(?<=flav)our|(?<=endeav)our|(?<=arm)our"
    r"|(?<=sav)our|(?<=parl)our|(?<=rig)our\b|(?<=ranc)our|(?<=val)our)",
    # -ise, -yse
    r"(?P<z>(?<=[a-z]{2}[iy])s(?=e\b|es\b|ed\b|er\b|ers\b|ing\b|able\b|ation|ability))",
    # -re
    r"(?P<er>(?<=cent)re(?=s?\b|d\b)|(?<=lit)re(?=s?\b)|(?<=met)re(?=s?\b)|(?<=fib)re(?=s?\b)"
    r"|(?<=calib)re\b|(?<=theat)re(?=s?\b)|(?<=tit)re(?=s?\b)|(?<=goit)re(?=s?\b)"
    r"|(?<=spect)re\b)",
    # a doubled l
    r"(?P<l>(?:(?<=travel)|(?<=counsel)|(?<=label)|(?<=model)|(?<=signal)|(?<=cancel)|(?<=level)"
    r"|(?<=channel)|(?<=tunnel)|(?<=fuel)|(?<=total)|(?<=equal)|(?<=panel)|(?<=dial)"
    r"|(?<=tranquil)|(?<=marvel)|(?<=shrivel)|(?<=unravel)|(?<=spiral)|(?<=pedal)|(?<=initial)"
    r"|(?<=jewel))l(?=[eio])|(?<=enrol)l|(?<=fulfil)l|(?<=instil)l"
    r"|(?<=distil)l|(?<=skil)l(?=ful))",
    # -ogue
    r"(?P<og>(?:(?<=catal)|(?<=anal)|(?<=epil)|(?<=prol)|(?<=dial))ogue(?=s?\b)"
    r"|(?<=catal)ogu(?=ed\b|ing\b|er))",
    # single words
    r"(?P<program>\bprogramme(?=s?\b))|(?P<gray>\bgrey)|(?P<aluminum>\baluminium)|(?P<f>(?<=sul)ph)"
    r"|(?P<aging>\bageing)|(?P<judgment>\bjudgement)|(?P<k>(?<=leu)c(?=o))"
    r"|(?P<maneuver>\bmanoeuvre)|(?P<license>\blicence)|(?P<defense>\bdefence)"
    r"|(?P<practice>\bpractise)|(?P<mold>\bmould)|(?P<draft>\bdraught)|(?P<skeptic>\bsceptic)",
)
_PATTERN = compile_later("|".join(_RULES), re.IGNORECASE)
_WORD = compile_later(r"[^\W\d_]{4,}")


def to_american_spelling_with_places(text: str) -> tuple[str, list[int]] | None:
    """A text in one spelling, and for each of its characters the place in ``text`` of the one that
    it stands for; None if no rule applies.
    """
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    for word in _WORD.finditer(text):
        for start, end, instead in _changes(word[0]):
            start, end = word.start() + start, word.start() + end  # noqa: PLW2901
            pieces += (text[at:start], instead)
            places += range(at, start)
            # What is shorter or longer than before ends where the spelling that it replaces ends.
            places += [min(start + n, end - 1) for n in range(len(instead) - 1)]
            # One letter for two stands for both: a word that begins with it begins where they do.
            whole_run = len(instead) == 1 and start == word.start()
            places += [start if whole_run else end - 1] if instead else []
            at = end
    if not pieces:
        return None
    pieces.append(text[at:])
    places += range(at, len(text))
    return "".join(pieces), places


@lru_cache(maxsize=65_536)
def _changes(word: str) -> tuple[tuple[int, int, str], ...]:
    """The parts of a word to replace, and what by; "l" drops a letter."""
    return tuple(
        (*rule.span(), "" if rule.lastgroup == "l" else rule.lastgroup or "")
        for rule in _PATTERN.finditer(word)
    )
