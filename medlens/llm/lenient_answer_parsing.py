"""Answers that a person reads at a glance and a strict parser does not: capitals, ``true`` for
"yes", a plain "Yes.", an object inside another, Python's quotes, a trailing comma, lines of
``field: value``.

Only what can mean one thing is read. Two values for one field, or a "yes" that goes on to say "no",
are left to the repair that asks the model once more.
"""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic import BaseModel, ValidationError

from medlens.deferred_regex import compile_later
from medlens.llm.words_allowed_around_verdict import Surrounded, first_words_that_may_spoil_verdict

_LONGEST = 20_000
_LONGEST_OPTION = 200
_WRAPPERS = (
    *("answer", "result", "output", "response", "verdict", "value", "json", "data"),
    *("final", "finalanswer", "finalverdict", "conclusion"),
)
_OF_A_DRAFT = compile_later(
    r"draft|think|thought|reason|scratch|tentative|prelim|initial|first|example|sample|hypothe"
    r"|alternativ|before|previous|option|if_",
    re.IGNORECASE,
)
_OF_A_SCHEMA = frozenset({"type", "enum", "const", "default", "description", "title", "examples"})
_SMART = str.maketrans("“”„‟«»‘’‚‛\u00a0\u202f", '""""""\'\'\'\'  ', "\u200b\u2060\ufeff")
_TEXT_OR_COMMENT = compile_later(
    r"(?P<text>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\\n])*')|//[^\n]*|/\*.*?\*/", re.DOTALL
)
_ENDS_A_TEXT = compile_later(r"\s*(?:[:}\]]|,\s*[\"}\]]|\Z)")
_COMMA_AT_END = compile_later(r",\s*(?=[}\]])")
_BARE_KEY = compile_later(r"(?P<before>[{,]\s*)(?P<key>[A-Za-z_][\w -]{0,40}?)\s*(?=:)")
_BARE_VALUE = compile_later(
    r"(?<=:)\s*(?P<value>[A-Za-z_][\w-]*(?: [\w'-]+){0,40})\s*(?=\}|,\s*[\w\"' -]{1,42}:)"
)
_LINE = compile_later(
    r"(?m)^[\s>*_#\"'`-]*(?P<key>[A-Za-z][\w -]{0,40}?)[\s*_\"'`]*(?:[:=]| [-–—](?= )|\bis\b)"
    r"[\s*_\"'`]*"
    r"(?P<value>[^\n]*?)[\s*_\"'`,;]*$"
)
_EMPTY_LINES = compile_later(r"\n[ \t\r]*(?:\n[ \t\r]*)+")
"""Models that are asked for JSON sometimes write nothing but these to their limit: ``_LINE`` would
be tried from each.
"""
_OPTION_ON_A_LINE = compile_later(
    r"\A(?P<option>[\s*_\"'`]*[^\W_](?:[\w -]{0,30}[^\W_])?)[*_\"'` ]*(?=\n\s*\S)"
)
_SENTENCE = compile_later(r"(?<=[.;])\s+(?=[A-Z][\w ]{0,40}\s*:)")
_TAG = compile_later(r"</?[A-Za-z][^<>]{0,40}>")
_FIELD_IN_TAGS = compile_later(
    r"<(?P<key>[A-Za-z_][\w-]{0,40})>\s*(?P<value>[^<>]{1,5000}?)\s*</(?P=key)>"
)
YES_IN_OTHER_LANGUAGES = (
    *(
        "ja",
        "sí",
        "si",
        "oui",
        "sim",
        "да",
        "tak",
        "evet",
        "是",
        "是的",
        "对",
        "はい",
        "네",
        "예",
        "نعم",
    ),
)
NO_IN_OTHER_LANGUAGES = (
    *("nein", "non", "não", "nao", "nee", "нет", "nie", "hayır", "否", "不是", "不", "いいえ"),
    *("아니요", "아니오", "لا"),
)
_TRUE = frozenset({"true", "yes", "y", "1", *YES_IN_OTHER_LANGUAGES})
_FALSE = frozenset({"false", "no", "n", "0", *NO_IN_OTHER_LANGUAGES})
_PAUSE = ".,;:!–—。，、；：！،؛-"
_QUALIFIED = compile_later(
    rf"(?P<option>[^\W_][^(\[{_PAUSE}]{{0,40}}?)\s*[(\[{_PAUSE}](?P<rest>.*)", re.DOTALL
)
_BY_THE_PAGE = compile_later(
    r"\s+by (?:the|this|that) (?:web ?)?(?:page|site|source|text|article|document)s?$",
    re.IGNORECASE,
)
_OPTION_OF_VERB = {
    "supports": "supported",
    "contradicts": "contradicted",
    "does not support": "not_supported",
}
_ONLY_NAMED_OTHERWISE = (
    r",? (?:(?:just|only|but|merely|simply|albeit) )?(?:(?:named|called|worded|spelled|spelt"
    r"|written"
    r"|phrased|expressed|described) (?:differently|in other words|in another way)"
    r"|(?:under|by|with|in) (?:a )?(?:different|another|other|two) (?:names?|words?|terms?))"
)
"""Behind "the same": the names differ, not what they name."""
_ONE_SENTENCE = compile_later(r"[^.!?。！？\n]{1,200}[.!。！]?")


class Lenient(NamedTuple):
    """A value, how it was read, in words for the person who checks the run, and the words that
    stood around what was read.
    """

    value: BaseModel
    rule: str
    around: tuple[str, ...] = ()


class _Found(NamedTuple):
    """Fields as a reply gives them, and the words around them."""

    fields: Mapping[str, Any]
    around: tuple[str, ...] = ()


def read_value_leniently(
    text: str, objects: list[dict[str, Any]], shape: type[BaseModel]
) -> Lenient | None:
    """The value of type ``shape`` that ``text`` means; ``objects`` are the JSON objects in it, in
    order. None if there is none, or more than one meaning.
    """
    text = text[-_LONGEST:]
    for read in (_of_objects, _of_loose_json, _of_lines, _of_plain_words, _of_a_claim):
        candidates = [
            (made, one.around)
            for one in read(text, objects, shape)
            if (made := _made(one.fields, shape))
        ]
        values = {made.model_dump_json() for made, _ in candidates}
        if len(values) == 1:
            return Lenient(candidates[-1][0], _RULES[read.__name__], candidates[-1][1])
        if values:
            return None
    return None


_RULES = {
    "_of_objects": "an object whose form was put right",
    "_of_loose_json": "an object that is not quite JSON",
    "_of_lines": "lines of field and value",
    "_of_plain_words": "plain words",
    "_of_a_claim": "a sentence that says so",
}


def _of_objects(
    text: str, objects: list[dict[str, Any]], shape: type[BaseModel]
) -> Iterator[_Found]:
    yield from map(_Found, objects[-1:])


def _of_loose_json(
    text: str, objects: list[dict[str, Any]], shape: type[BaseModel]
) -> Iterator[_Found]:
    begin, end = text.find("{"), text.rfind("}")
    if objects or begin < 0 or end < begin:
        return
    piece = text[begin : end + 1].translate(_SMART)
    comments = [one.group() for one in _TEXT_OR_COMMENT.finditer(piece) if one["text"] is None]
    piece = _TEXT_OR_COMMENT.sub(lambda found: found["text"] or "", piece)
    piece = _COMMA_AT_END.sub("", piece)
    quoted = _BARE_KEY.sub(r'\g<before>"\g<key>"', piece)
    quoted = _BARE_VALUE.sub(r' "\g<value>"', quoted)
    unescaped = piece.replace('\\"', '"')
    for attempt in (piece, quoted, _with_inner_quotes_escaped(piece), unescaped):
        for parse in (_json_object, _python_literal):
            try:
                value = parse(attempt)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            if isinstance(value, dict):
                yield _Found(value, (text[:begin], *comments, text[end + 1 :]))
                return


def _json_object(text: str) -> Any:
    return json.loads(text, strict=False, object_pairs_hook=_of_one_value)


def _of_one_value(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if any(made[name] != value for name, value in pairs):
        raise ValueError("a field stands in it twice, with different values")
    return made


def _python_literal(text: str) -> Any:
    tree = ast.parse(text.strip(), mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            keys = [ast.dump(key) for key in node.keys if key is not None]
            _of_one_value(list(zip(keys, map(ast.dump, node.values), strict=True)))
    return ast.literal_eval(tree)


def _with_inner_quotes_escaped(piece: str) -> str:
    """JSON in which a quotation mark that does not end its text is escaped: "says "gout" here"."""
    written: list[str] = []
    inside = False
    for at, character in enumerate(piece):
        if character == '"' and piece[at - 1 : at] != "\\":
            if inside and not _ENDS_A_TEXT.match(piece, at + 1):
                written.append("\\")
            else:
                inside = not inside
        written.append(character)
    return "".join(written)


def _of_lines(text: str, objects: list[dict[str, Any]], shape: type[BaseModel]) -> Iterator[_Found]:
    if objects:
        return
    fields = {_plain(name): name for name in shape.model_fields}
    choice = name_of_only_choice_field(shape)
    found: dict[str, str] = {}
    around: list[str] = []
    tagged = list(_FIELD_IN_TAGS.finditer(text))
    plain = text if tagged else _SENTENCE.sub("\n", _TAG.sub("", _EMPTY_LINES.sub("\n", text)))
    at = 0
    for line in tagged or _LINE.finditer(plain):
        name = fields.get(_plain(line["key"]))
        if name is None and _plain(line["key"]) in ("answer", "verdict", "finalanswer"):
            name = choice
        if name is None:
            continue
        around.append(plain[at : line.start()])
        at, value = line.end(), line["value"]
        if name == choice and (begun := _split_after_option(value, shape)):
            value, rest = begun
            around.append(rest)
        if name in found and found[name] != value:
            return
        found[name] = value
    if choice and choice in found:
        yield _Found(found, (*around, plain[at:]))


def _split_after_option(value: str, shape: type[BaseModel]) -> tuple[str, str] | None:
    """The option with which a text begins, and what follows it: "no", "(a symptom only)"."""
    choice = name_of_only_choice_field(shape)
    begun = _QUALIFIED.fullmatch(value.strip(" *_\"'`"))
    if begun is None or choice is None or not begun["rest"]:
        return None
    known = option_named_by_words(begun["option"], shape)
    return (known, begun["rest"]) if known is not None else None


def _of_plain_words(
    text: str, objects: list[dict[str, Any]], shape: type[BaseModel]
) -> Iterator[_Found]:
    """An answer in words to a shape with one choice among texts: "Yes.", "No, they differ"."""
    choice = name_of_only_choice_field(shape)
    if objects or choice is None:
        return
    options = options_of_field_type(shape.model_fields[choice].annotation)
    if {"yes", "no"} <= set(options):
        options = (*options, *YES_IN_OTHER_LANGUAGES, *NO_IN_OTHER_LANGUAGES)
    either = "|".join(
        re.escape(one).replace("_", "[ _-]")
        for one in sorted((*options, *_with_un(options)), key=len, reverse=True)
    )
    lines = _OPTION_ON_A_LINE.sub(r"\1. ", _TAG.sub("", text).translate(_SMART), count=1)
    plain = " ".join(lines.split())
    said = option_named_by_words(plain, shape) if len(plain) <= _LONGEST_OPTION else None
    if said is not None:
        yield _Found({choice: said, **dict.fromkeys(_texts(shape), "")})
        return
    whole = re.match(
        rf"[\s*_\"'`(#]*(?:(?:the |my )?(?:final )?(?:answer|verdict|result|{_spaced(choice)})"
        rf"\s*(?:is\s*:?|:|=)[\s*_\"'`(]*|I(?:'d| would) say:? |I (?:think|believe):? )?"
        rf"(?P<option>{either})[\s*_\"'`)]*"
        rf"(?P<rest>$|[{_PAUSE}]\s*.*$|\s+because\b.*$)",
        plain,
        re.IGNORECASE,
    )
    if whole is None:
        return
    rest = whole["rest"].strip(f"{_PAUSE} ")
    begun = f"{whole['option'].casefold()}_"
    if any(
        re.search(rf"\b{_spaced(one)}\b", rest, re.IGNORECASE)
        for one in options
        if one.startswith(begun)
    ):
        # "No. No diagnosis was named": which of the two is meant?
        return
    # Words of the model's own are no quote of a page.
    texts = {name: "" if name == "quote" else rest for name in _texts(shape)}
    yield _Found({choice: whole["option"], **texts}, (rest,))


def _of_a_claim(
    text: str, objects: list[dict[str, Any]], shape: type[BaseModel]
) -> Iterator[_Found]:
    """An answer that is one sentence, in the words of the field or of an option: "They are not the
    same disease.", "The statement is not supported by the page."
    """
    choice = name_of_only_choice_field(shape)
    plain = " ".join(_TAG.sub("", text).translate(_SMART).strip(" *_`\"'").split())
    if objects or choice is None or not _ONE_SENTENCE.fullmatch(plain):
        return
    options = sorted(
        options_of_field_type(shape.model_fields[choice].annotation), key=len, reverse=True
    )
    if {"yes", "no"} <= set(options):
        claim = re.fullmatch(
            r"(?:(?:they|these|the two|both|the)(?: two)?(?: diagnos[ei]s| diseases| texts| terms)?"
            r"(?: (?:clearly|really|indeed))? (?:are|name|mean|describe|refer to))?"
            r"(?P<turned> ?(?:absolutely |definitely |certainly )?not|n't)?(?: (?:exactly|really))?"
            rf"(?: ?to)?(?: ?the)? ?{_same_kind(choice)}s?(?P<named>{_ONLY_NAMED_OTHERWISE})?[.!]?",
            plain,
            re.IGNORECASE,
        )
        if claim and claim["named"] and claim["turned"]:
            claim = None
        said = claim and ("no" if claim["turned"] else "yes")
        if re.fullmatch(
            r"(?:absolutely|definitely|certainly|clearly) not[.!]?|nope[.!]?|not the same[.!]?"
            r"|(?:(?:they|these|the two) are )?(?:two )?different(?: diseases| conditions)?[.!]?",
            *(plain, re.IGNORECASE),
        ):
            said = "no"
        if re.fullmatch(r"yep[.!]?|(?:they are )?(?:identical|synonyms)[.!]?", plain, re.I):
            said = "yes"
    else:
        either = "|".join((*map(_spaced, options), *_with_un(options)))
        claim = re.fullmatch(
            rf"(?:the|this) (?:statement|claim|fact) is (?P<option>{either})"
            r"(?: by (?:the|this|that) (?:web ?)?(?:pages?|sources?|texts?))?[.!]?",
            plain,
            re.IGNORECASE,
        )
        said = claim and _with_un(options).get(claim["option"].casefold(), claim["option"])
        verb = re.fullmatch(
            r"(?:the|this) (?:web ?)?(?:page|source|text) (?P<verb>supports|contradicts|does not"
            r" support) (?:the|this) (?:statement|claim)[.!]?",
            *(plain, re.IGNORECASE),
        )
        if verb and not said:
            said = _OPTION_OF_VERB[verb["verb"].casefold()]
    if said:
        yield _Found({choice: said, **dict.fromkeys(_texts(shape), "")})


def _with_un(options: Iterable[str]) -> dict[str, str]:
    """What else people call options with "not": "unsupported" for ``not_supported``."""
    return {f"un{one.removeprefix('not_')}": one for one in options if one.startswith("not_")}


def _same_kind(choice: str) -> str:
    """A field's name in words, with what else people call a disease in "same disease"."""
    others = "(?:disease|condition|illness|disorder|diagnosis|entity|syndrome|thing)"
    return re.sub(r"disease$", others, _spaced(choice))


def _made(given: Mapping[str, Any], shape: type[BaseModel]) -> BaseModel | None:
    """The value that a mapping means once names and values are put in the shape's own form."""
    for one in _unwrapped(given):
        named = _named(one, shape)
        if named is None:
            continue
        try:
            return shape.model_validate(named)
        except ValidationError:
            continue
    return None


def _unwrapped(given: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The mapping itself, then what it holds under a name such as "answer"."""
    yield given
    for key, value in given.items():
        alone = len(given) == 1 and not is_key_for_unfinished_answer(str(key))
        if _plain(str(key)) in (*_WRAPPERS, "properties") or alone:
            if isinstance(value, Mapping):
                yield value
            elif isinstance(value, list) and len(value) == 1 and isinstance(value[0], Mapping):
                yield value[0]
            elif isinstance(value, str) and value.lstrip().startswith("{"):
                # An object written as the text of another.
                try:
                    inner = _json_object(value)
                except (ValueError, RecursionError):
                    continue
                if isinstance(inner, dict):
                    yield inner


def _named(given: Mapping[str, Any], shape: type[BaseModel]) -> dict[str, Any] | None:
    """The fields by their own names, without others; None if one is given twice, differently."""
    fields = {_plain(name): name for name in shape.model_fields}
    named: dict[str, Any] = {}
    for key, value in given.items():
        name = fields.get(_plain(str(key)))
        if name is None:
            continue
        formed = _formed(value, shape.model_fields[name].annotation)
        if name in named and named[name] != formed:
            return None
        named[name] = formed
    choice = name_of_only_choice_field(shape)
    if choice is not None and choice not in named:
        # {"answer": "yes"}: the only choice there is, under another name.
        others = [value for key, value in given.items() if _plain(str(key)) in _WRAPPERS]
        if len(others) == 1 and isinstance(others[0], str | bool):
            named[choice] = _formed(others[0], shape.model_fields[choice].annotation)
        # {"same": "no"}: the field, cut short.
        short = [value for key, value in given.items() if _is_short_for(str(key), choice)]
        if len(short) == 1 and choice not in named:
            named[choice] = _formed(short[0], shape.model_fields[choice].annotation)
    if choice is not None and choice in named:
        for name in _texts(shape):
            named.setdefault(name, "")
    return named


def _formed(value: Any, annotation: Any) -> Any:
    """A value in the form that a field wants, if it means one; else as it is."""
    if isinstance(value, Mapping) and len(value) == 1 and not _OF_A_SCHEMA & value.keys():
        value = next(iter(value.values()))
    if isinstance(value, str) and "?" in value and options_of_field_type(annotation):
        return value
    if isinstance(value, list) and len(value) == 1 and annotation is not list:
        value = value[0] if options_of_field_type(annotation) else value
    options = options_of_field_type(annotation)
    if options:
        plain = _plain(_BY_THE_PAGE.sub("", str(value).strip(" .!*_\"'`")))
        known = _with_un(options) | {_plain(one): one for one in options}
        if plain in known:
            return known[plain]
        if {"yes", "no"} <= known.keys() and plain in _TRUE | _FALSE:
            return known["yes" if plain in _TRUE else "no"]
        return _without_qualification(str(value), known) or value
    if annotation is bool and not isinstance(value, bool):
        plain = _plain(str(value).strip(" .!"))
        return True if plain in _TRUE else False if plain in _FALSE else value
    if annotation is int and isinstance(value, str):
        number = re.fullmatch(r"\s*(\d{1,6})(?:\s*(?:/|out of|of)\s*\d{1,6})?\s*\.?\s*", value)
        return int(number[1]) if number else value
    if annotation is str and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return "" if annotation is str and value is None else value


def _without_qualification(value: str, known: Mapping[str, str]) -> str:
    """The option of "no (a symptom only)" or "partly: a weaker claim"; empty if what follows may
    say something else.
    """
    begun = _QUALIFIED.fullmatch(value.strip(" *_\"'`"))
    option = known.get(_plain(begun["option"])) if begun else None
    if begun is None or option is None:
        return ""
    spoiled = first_words_that_may_spoil_verdict([begun["rest"]], Surrounded(option))
    return "" if spoiled else option


def option_named_by_words(words: str, shape: type[BaseModel]) -> str | None:
    """The option of the shape's choice that words name, exactly: "Not supported", "Nein". None if
    they name none, or there is no such choice.
    """
    choice = name_of_only_choice_field(shape)
    if choice is None or "?" in words:
        return None
    options = options_of_field_type(shape.model_fields[choice].annotation)
    plain = _plain(_BY_THE_PAGE.sub("", words.strip(" .!*_\"'`")))
    known = _with_un(options) | {_plain(one): one for one in options}
    if plain in known:
        return known[plain]
    if {"yes", "no"} <= known.keys() and plain in _TRUE | _FALSE:
        return known["yes" if plain in _TRUE else "no"]
    try:
        made = shape.model_validate({choice: words, **dict.fromkeys(_texts(shape), "")})
    except ValidationError:
        return None
    return str(getattr(made, choice))


def _is_short_for(name: str, choice: str) -> bool:
    plain, whole = _plain(name), _plain(choice)
    cut = len(plain) >= 4 and whole.startswith(plain)
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.strip())
    if re.fullmatch(_same_kind(choice), words, re.IGNORECASE):
        return True
    return cut or plain in (f"is{whole}", f"are{whole}", f"isthe{whole}", f"arethe{whole}")


def is_key_for_unfinished_answer(key: str) -> bool:
    """Whether what stands under this name in an object is not yet, or no longer, the answer."""
    return bool(_OF_A_DRAFT.search(key))


def options_of_field_type(annotation: Any) -> tuple[str, ...]:
    """The texts among which a field chooses; empty if it is no such choice."""
    if get_origin(annotation) is not Literal:
        return ()
    given = get_args(annotation)
    return given if all(isinstance(one, str) for one in given) else ()


def name_of_only_choice_field(shape: type[BaseModel]) -> str | None:
    """The field that the answer turns on: the only choice beside plain texts; None if there is
    more to answer.
    """
    choices = [
        name
        for name, field in shape.model_fields.items()
        if options_of_field_type(field.annotation)
    ]
    rest = set(shape.model_fields) - set(choices) - set(_texts(shape))
    return choices[0] if len(choices) == 1 and not rest else None


def _texts(shape: type[BaseModel]) -> tuple[str, ...]:
    return tuple(name for name, field in shape.model_fields.items() if field.annotation is str)


def _plain(name: str) -> str:
    """A name for comparison: "sameDisease", "Same disease" and "same_disease" are one."""
    bare = unicodedata.normalize("NFKD", name.casefold())
    kept = "".join(one for one in bare if one.isalnum())
    return unicodedata.normalize("NFC", kept)


def _spaced(name: str) -> str:
    return re.escape(name).replace("_", "[ _-]")
