"""Which columns of a table each hold one model's answers, and what gives a model away by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from medlens.deferred_regex import compile_later
from medlens.studies.own.headings_of_persons_and_machines import (
    MachinesVersion,
    find_machines_version,
    writers_of_one_kind_by_heading,
)
from medlens.studies.own.texts_saying_machine_wrote import is_name_of_person, is_word_for_person
from medlens.studies.own.words_as_readers_see_them import INVISIBLE_SIGNS, text_as_readers_see_it

_IN_OTHER_LETTERS = (
    *("شات جي بي تي", "تشات جي بي تي", "جيميني", "جيميناي", "جيمناي", "جمناي", "ديب سيك"),
    *("چت جی پی تی", "چت‌جی‌پی‌تی", "جمینای", "جمنای", "دیپ سیک"),
    *("チャットgpt", "チャットジーピーティー", "ジェミニ", "ディープシーク"),
    *("чатгпт", "чат гпт", "чат gpt", "чатджипити", "чат джипити", "джемини", "дипсик", "гигачат"),
    *("яндексgpt", "яндекс gpt", "챗gpt", "챗지피티", "제미나이", "딥시크"),
    *("चैटजीपीटी", "चैट जीपीटी", "जेमिनी", "智谱清言"),
    *("צ'אט gpt", "צ'אטgpt", "ג'מיני", "צ׳אט gpt", "צ׳אטgpt", "ג׳מיני", "דיפסיק"),
)
"""Names of well-known models as other alphabets write them, in lower case."""
_MODEL = "|".join(_IN_OTHER_LETTERS) + (
    r"|(?:chat)?gpt(?:[- ]?(?:oss|\d)[\w.]*(?:[- ](?:turbo|mini|nano))?)?"
    r"|o[134][- ]?(?:mini|preview)"
    r"|llama(?:[- ]?\d[\w.]*)?|claude(?:[- ]?(?:\d[\w.]*|opus|sonnet|haiku))*"
    r"|gemini(?:[- ]?(?:\d[\w.]*|pro|flash|ultra))*|gemma[- ]?\d?|med-?(?:palm|gemma)[- ]?\d?"
    r"|palm-2|mi[sx]tral(?:[- ]?(?:\d[\w.]*|large|medium|small))*|qwen(?:[- ]?\d[\w.]*)?"
    r"|deep[- ]?seek(?:[- ]?[rv]\d[\w.]*)?|grok(?:[- ]?\d)?|copilot|meditron|biomistral"
    r"|openbiollm|(?!share)[a-z]{2,9}gpt(?:[- ]?\d[\w.]*)?|vicuna(?:[- ]?\d[\w.]*)?|wizardlm"
    r"|chatglm(?:[- ]?\d\w*)?"
    r"|ernie[- ]bot|baichuan\d?|internlm\d?|doubao|hunyuan|gigachat|pmc[- ]?llama|medalpaca"
    r"|google bard|openai|anthropic|deepmind|mistral ai|perplexity ai|open ?evidence|bing chat"
    r"|glass (?:ai|health)|dyna ?ai|clinicalkey ai|uptodate expert ai|amboss gpt|medwise ai"
    r"|meta ai|kimi[- ]?k\d[\w.]*|phi[- ]?[34](?:\.5)?(?:[- ](?:mini|medium|small))?"
    r"|command[- ]r\+?|aleph alpha"
    r"|文心一言|通义千问|豆包|讯飞星火|混元"
).replace("[- ]", r"[-_\u2010-\u2015\u2212\u00a0 ]")
# Chinese and Japanese words follow a name without a space.
_BEFORE, _BEHIND = r"(?<![0-9A-Za-zÀ-ɏЀ-ӿ])", r"(?![0-9A-Za-zÀ-ɏЀ-ӿ])"
_MAKERS = (
    r"(?:google(?: ai| deepmind)?|meta(?: ai)?|microsoft|alibaba(?: cloud)?|baidu|tencent|bytedance"
    r"|nvidia|cohere|deepseek|mistral|xai|zhipu|moonshot|yandex|sber)"
)
_OF_MAKER = (
    r"(?:google(?: ai| deepmind)?|deepmind"
    r"|(?-i:Meta(?: AI)?|Microsoft|Alibaba(?: Cloud)?|Baidu|Tencent|Nvidia|NVIDIA|Cohere|DeepSeek"
    r"|Mistral|xAI|Zhipu|Moonshot|Yandex))"
)
"""Makers whose names are words too, where these are written like names."""
_MACHINE = (
    r"(?:(?-i:AI|KI|IA)[ -]\w+|(?:language |sprach|sprog|spr[åa]k|taal)?(?:llm|models?|modell"
    r"|modello|modelo|mod[eè]le)"
    r"(?: (?:linguistico|de lenguaje|de linguagem|de langage|j[ęe]zykowy))?"
    r"|chatbot|(?:virtual |digital |virtuell\w* )?(?:assistant|assistente?|asistente)"
    r"(?: (?:virtuale?|virtuel|digitale?))?)"
)
_MADE = (
    r"(?:(?:created|trained|built|made|developed)(?= me\b)|(?<=hat mich )\w*(?:entwickelt|trainiert"
    r"|erstellt|erschaffen)|(?<=[ '’]a )(?:d[ée]velopp|cr[ée]{2}|entra[iî]n)\w*"
    r"|(?<=(?:me|ha) )(?:entren|desarroll|cre[óoa]|addestr|svilupp|trein|criou)\w*"
    r"|(?<=(?:ij|me) )(?:getraind|ontwikkeld|gemaakt)"
    r"|(?<=har )(?:utvecklat|tr[äe]nat|udviklet) m[ie]g)"
)
_MAKERS_IN_OTHER_LETTERS = (
    *("深度求索", "百度", "阿里巴巴", "阿里云", "腾讯", "字节跳动", "谷歌", "智谱", "月之暗面"),
    *("グーグル", "구글", "네이버", "яндекс", "сбер", "جوجل", "غوغل", "गूगल", "גוגל"),
)
_FROM_MAKER = rf"(?:{_MAKERS}|{'|'.join(_MAKERS_IN_OTHER_LETTERS)})"
_MAKER_WITH_ENDING = (
    r"(?:(?-i:Met[ęąyě]|Metou|Alibab[ęąyo]u?|Nvidi[ęąio]u?)"
    rf"|(?:{_OF_MAKER}|{'|'.join(_MAKERS_IN_OTHER_LETTERS)})(?:['’]?(?:a|u|i|em|om|n|in|а|у|ом))?)"
)
"""Makers as languages with cases write them: "przez Metę", "Googlen kehittämä", "Яндексом"."""
_AND_ALSO = r"(?:(?:,| (?:and|und|y|et|ed?|en|en|og|och|i|oraz|a|dan|và|и|ja)) \w+){0,2}"
_A_COMPANY = (
    r"(?:(?:dem|der|den|die|the|la|el|l['’] ?|o|a|las?|het|de|een|una?|un|en) ?)?"
    r"(?:(?:unternehmen|firma|konzern|company|team(?: at| of| von| de)?|soci[ée]t[ée]"
    r"|entreprise|empresa|compañ[íi]a|companhia|bedrijf|azienda|societ[àa]|firmę|firmy|spółkę"
    r"|koncern|společností|firmou|spoločnosťou|компанией|компании|компанія"
    r"|компанією|compania|společnosti|perusahaan|công ty|företaget|firmaet|selskabet"
    r"|selskapet) )?"
)
_DONE = (
    (
        r"(?:weiter)?entwickelt|(?:vor)?trainiert|erstellt|erschaffen|geschaffen|programmiert|gebaut",
        r"von|durch|vom|bei",
    ),
    (r"(?:desarrollad|cread|entrenad|construid|diseñad|programad)[oa]s?", r"por"),
    (r"(?:desenvolvid|criad|treinad|constru[íi]d|projetad|programad)[oa]s?", r"por|pel[oa]"),
    (
        r"(?:d[ée]velopp|cr[ée]|entra[iî]n|programm)[ée]e?s?|con[çc]ue?s?|mise? au point",
        r"par",
    ),
    (r"(?:sviluppat|creat|addestrat|realizzat|progettat)[oaie]", r"da(?:l(?:la|l['’])?)?"),
    (r"ontwikkelde?|getrainde?|gemaakt|gebouwd|gecre[ëe]erd", r"door"),
    (r"(?:opracowan|stworzon|wytrenowan|wyszkolon|zbudowan|rozwijan|utworzon)\w+", r"przez"),
    (r"(?:dezvoltat|creat|antrenat)[ăe]?", r"de(?: c[ăa]tre)?"),
    (
        r"utvecklad|utveckla[dt]s?|udviklet|utviklet|tr[äæe]n[ae]t?d?|oppl[æa]rt|skapad|skapt|skabt"
        r"|laget|lavet|byggd?t?",
        r"a[vf]",
    ),
    (r"developed|created|trained|built|made|designed|released|provided|powered", r"by"),
    (r"dikembangkan|dilatih|dibuat|diciptakan|dibangun", r"oleh"),
    (r"phát triển|đào tạo|huấn luyện|tạo ra", r"bởi"),
    (r"(?:αναπτ[ύυ]|εκπαιδε[ύυ]|δημιουργ|κατασκευ)\w+", r"από(?: τ[ηο]ν?)?"),
    (r"(?:פותח|אומן|אומנה|נוצר|פותחה|נוצרה|שפותח\w*|שאומן|שנוצר\w*)", 'על[ -]ידי|ע["״]י|בידי'),
    (r"(?:تطوير|تدريب|إنشاء)\w*|مطوّ?ر\w*|مدرّ?ب\w*", r"بواسطة|من قبل|من(?: شركة)?|لدى"),
)
"""What was done to a model, and the word for "by", in each language that the app knows."""
_DONE_BY = "|".join(
    [
        *(
            rf"(?:{done}){_AND_ALSO} (?:{by}) {_A_COMPANY}{_MAKER_WITH_ENDING}"
            for done, by in _DONE
        ),
        # The maker before what was done, or without a word for "by".
        rf"(?:vyvinut|vytvořen|natrénován|vycvičen|vytvoren|vytrénovan)\w*{_AND_ALSO}"
        rf" {_A_COMPANY}{_MAKER_WITH_ENDING}",
        rf"(?:разработан|обучен|создан|розроблен|створен|навчен)\w*{_AND_ALSO} {_A_COMPANY}"
        rf"{_MAKER_WITH_ENDING}",
        rf"{_MAKER_WITH_ENDING} (?:kehittäm|koulutt|luom|által (?:\w+ )?(?:fejleszt|készít|betan"
        r"|kiképz|tanít|létrehoz))\w*",
        rf"(?:توسط|به[ -]?وسیله) {_A_COMPANY}(?:شرکت )?{_FROM_MAKER}"
        r"(?: (?:توسعه|آموزش|ساخته|ایجاد)\w*)?",
        rf"(?:طوّ?رته|درّ?بته|أنشأته|صنعته) (?:شركة )?{_FROM_MAKER}",
        rf"{_FROM_MAKER} (?:द्वारा|ने) (?:विकसित|प्रशिक्षित|निर्मित|बनाय|बनाई)\w*",
        rf"được {_A_COMPANY}{_FROM_MAKER} (?:phát triển|đào tạo|huấn luyện|tạo ra)",
        rf"(?:พัฒนา|ฝึกฝน|ฝึก|สร้าง)\w*โดย ?{_FROM_MAKER}",
        rf"{_FROM_MAKER}(?:社)? ?(?:が|によって|により)"
        r"(?:開発|訓練|トレーニング|学習|作成|構築|提供)",
        rf"{_FROM_MAKER}(?:에서|이|가|에 의해)? ?(?:에서 )?(?:개발|훈련|학습|만든|제작)",
        # "aus dem Hause Google", "de chez Mistral".
        rf"(?:aus|from|van|de|della|del|da|av|fra|från)(?: d(?:em|er)| the| het| la| casa)?"
        rf" (?:haus(?:e)?|house(?: of)?|huis(?:e)?|chez|casa|huset|schmiede)(?: von| van| de| di)?"
        rf" {_OF_MAKER}",
    ]
)
"""Where a model says who made it, without "I" or "me"."""
_MADE_BY = (
    rf"{_FROM_MAKER}(?:公司|社)?(?:的|の|が|によって|训练|訓練|开发|開発|研发|推出|의|이|가|에서)"
    r"[^\n。，、,.]{0,8}(?:模型|モデル|AI|人工智能|助手|开发|開発|训练|訓練|研发|모델|인공지능|개발|학습)"
    rf"|由{_FROM_MAKER}(?:公司)?(?:开发|訓練|训练|研发|推出|創建|创建)"
    rf"|{_FROM_MAKER}(?:['’]?[nıiuü]+n)? (?:tarafından \w+|modeli|yapay zek[âa]\w*)"
    rf"|модел\w+ (?:от |компании |из )?{_FROM_MAKER}|نموذج \w* ?من {_FROM_MAKER}"
    rf"|model\w{{0,3}} (?:firmy|spole[čc]nosti|c[ée]g) {_FROM_MAKER}"
    rf"|(?:(?:developed|created|made|trained|built|designed) by"
    rf"|(?:desarrollado|creado|entrenado) por|(?:d[ée]velopp[ée]|cr[ée][ée]|entra[iî]n[ée]) par"
    rf"|(?:sviluppato|creato|addestrato) da"
    rf"|ontwikkeld door|разработанн\w+) {_MAKERS}"
    rf"|von {_MAKERS} (?:entwickelt|trainiert|erstellt)(?:e[nmrs]?)?"
    rf"|(?:utve(?:cklad|klet)|udviklet|tr[äæe]n[ae]t?d?|skapad|skapt|skabt|laget|lavet)"
    rf" a[vf] {_MAKERS}"
    rf"|(?:getraind|gemaakt|gebouwd) door {_MAKERS}"
    rf"|(?:opracowan|stworzon|wytrenowan)\w+ przez {_MAKERS}"
    rf"|(?:developed|trained|created|built|made)(?: and \w+)? by(?: \w+){{0,3}} (?:at |of )?"
    rf"{_OF_MAKER}"
    rf"|{_OF_MAKER}(?: hat mich| m['’]a| me(?: ha)?| mi ha| heeft (?:mij|me)| har)?"
    rf" {_MADE}(?: me\b)?"
    rf"|(?:creators?|developers?|makers?|entwickler|hersteller|cr[ée]ateurs?|creador(?:es)?"
    rf"|sviluppatori?|criador(?:es)?) (?:is|are|ist|sind|est|es|[ée]|sono|s[ãa]o) {_OF_MAKER}"
    rf"|{_MACHINE} (?:by|from|of|di|da|de|du|do|von|van|af|av|fr[åa]n|fra|par|por|door|od)"
    rf" {_OF_MAKER}"
    rf"|{_OF_MAKER}(?:['’]?s)?[- ](?:large )?(?:AI|KI|IA|{_MACHINE})"
    rf"|{_DONE_BY}"
)
"""Where a model says who made it."""
NAMED_MODEL = compile_later(rf"(?i){_BEFORE}(?:{_MODEL}|{_MADE_BY}){_BEHIND}")
"""The name of a well-known model, or of who made it."""
PARTS_OF_NAMES = (
    *_IN_OTHER_LETTERS,
    *("gpt", "o1", "o3", "o4", "llama", "claude", "gemini", "gemma", "palm", "mistral"),
    *("mixtral", "qwen", "seek", "grok", "copilot", "meditron", "openbiollm"),
    *("vicuna", "wizardlm", "chatglm", "ernie", "baichuan", "internlm", "doubao", "hunyuan"),
    *(
        "glass ",
        "dynaai",
        "dyna ai",
        "clinicalkey",
        "uptodate",
        "amboss",
        "medwise",
        "open evidence",
    ),
    *("perplexity ai", "openevidence", "bing chat", "kimi", "phi", "command", "aleph alpha"),
    *_MAKERS_IN_OTHER_LETTERS,
    *("gigachat", "alpaca", "google", "openai", "anthropic", "deepmind", "xai", "meta"),
    *("microsoft", "alibaba", "baidu", "tencent", "bytedance", "nvidia", "cohere", "zhipu"),
    *(
        "metę",
        "metą",
        "mety",
        "metě",
        "alibab",
        "nvidi",
        "moonshot",
        "yandex",
        "sber",
        "文心一言",
        "通义千问",
        "豆包",
        "讯飞星火",
        "混元",
    ),
)
"""In lower case: each name of ``NAMED_MODEL`` has one of these, which are faster to look for."""


_DASHES = r"\-\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
_AS_HTML = r"&(?:nbsp|shy|[nm]dash|hyphen|#\d{2,5}|#x[0-9a-f]{2,4});"
_BETWEEN = compile_later(rf"(?:[\s_*\\{_DASHES}{INVISIBLE_SIGNS}]|{_AS_HTML})+")
"""What stands between the parts of a name, among it what a word processor makes of a hyphen, what
is not seen, and the signs of Markdown."""
_JOINT = rf"(?:(?:[^\S\r\n]|[_*\\{_DASHES}{INVISIBLE_SIGNS}]|{_AS_HTML}){{0,5}}|[{_DASHES}]\r?\n)"
_NEW_PART = compile_later(r"(?<=[^\W\d_]{3})(?=\d)|(?<=[^\W\d_]{2}[a-zß-ÿ])(?=[A-ZÀ-Þ])")
"""Where a name in one word may be written in two: "GPT4" and "GPT-4", "ChatGPT" and "Chat-GPT"."""


def split_model_name(name: str) -> list[str]:
    """The parts of a model's name between which people write a space, a hyphen or nothing."""
    words = [part for part in _BETWEEN.split(name.strip()) if part]
    return [part for word in words for part in _NEW_PART.split(word)] or [name]


def regex_for_model_name_variants(name: str) -> str:
    """A pattern for a model's name as people write it, alone or beside other words: with a space,
    a hyphen or dash, an underscore, signs of Markdown, or nothing between its parts. To be used
    without regard to case, on what ``narrow_full_width_signs`` and ``text_as_readers_see_it`` give.
    """
    parts = split_model_name(text_as_readers_see_it(name))
    return rf"{_BEFORE}(?:{_JOINT.join(map(re.escape, parts))}){_BEHIND}"


_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}


def narrow_full_width_signs(text: str) -> str:
    """The text with the wide Latin letters and digits of Chinese and Japanese typing as usual ones,
    each in its place.
    """
    return text if text.isascii() else text.translate(_NARROW)


def normalise_model_name(name: str) -> str:
    """A model's name without what people write differently: case, spaces, hyphens and dashes, signs
    that are not seen, letters that only look like others.
    """
    return _BETWEEN.sub("", text_as_readers_see_it(name)).casefold()


_ANSWER = compile_later(
    r"(?i)^(answers?|antwort(en)?|antworttexte?|r[eé]ponses?|respuestas?|responses?|repl(y|ies)|outputs?"
    r"|respostas?|rispost[ae]|antwoord(en)?|svar|vastaus|odpov[eě][dď]|odpowied[zź]|resumo|riassunto|samenvatting"
    r"|उत्तर|जवाब|ال?جواب|(?:ال)?رد|پاسخ|คำตอบ|תשוב[הת]|התשובה|מענה|απ[άα]ντηση|jawaban|cevap|cevab[ıi]|yan[ıi]t[ıi]?|ответы?|відповідь|回答|答案|答复|回复|输出|応答|답변|응답|الإجابة|إجابة"
    r"|解答|回覆|答覆|出力|대답|출력|要約|摘要|总结|總結|요약"
    r"|conversations?|dialogues?|dialoge?|gespr[äa]ch|transcript"
    r"|salidas?|sorties?|sa[íi]das?|uitvoer"
    r"|comments?|kommentare?|ausgabe|completions?|generations?|generated|summary|zusammenfassung|r[eé]sum[eé]|resumen)$"
)
_NOT_OF_A_MODEL = compile_later(
    r"(?i)r[eé]f[eé]r[eê]n|preferr|riferim|(?<![^\W_])refs?(?![^\W_])|musterl|gold|truth|correct|korrekt|richtig|expected|explan|erkl[äa]r"
    r"|rationale|begr[üu]nd|justif|comment|kommentar|question|frage|prompt|pregunta|feedback"
    r"|bewertung|rating|score|label|pergunta|domanda|\bvraag|riferim|corret|giust|\bjuist"
    r"|pytanie|prawid[lł]ow|poprawn|wzorcow|r[äa]tt\b|riktig|rigtig|fr[åa]ga|sp[øo]rsm|spr[áa]vn"
    r"|सही|प्रश्न|נכונה|σωστ|benar|پرسش|שאלה|ερ[ώω]τηση|pertanyaan|padr[ãa]o|ideal|مرجع|سؤال|do[gğ]ru|soru|правильн|эталон|вопрос|标准|正确|参考|问题|正解|質問|정답|질문|صحيح|سؤال"
    r"|toelichting|spiegazione|explica|coment|commento|opmerking"
    r"|facit|fasit|gull?d?standard|modellsvar|oikea|malli(vastaus|ratkaisu)|vzorov|helyes|corect"
    r"|attes[ao]|esatt[ao]|soluzion|solu[cç][aã]o|solu[cç][oõ]es|r[ée]ponses?[ _]types?"
    r"|modelantwoord|gouden|m[öo]nstersvar|leitlinienempf|guideline (answer|recommendation)"
    r"|模範|正答|解説|解析|解释|模范|النموذجية|نموذجي|الشرح|모범|해설|to[cč]an|klucz|wz[oó]r|standart|bed[oö]mning|vurdering|ocena|hodnocen|[eé]rt[eé]kel|yorum"
    r"|forklaring|begrunnelse|begrundelse|perustelu"
)
_PROMPT = compile_later(r"(?s)(?<=\])\s.*")
"""What stands behind a model in brackets: the prompt that it was given."""
_OF_PREFERENCES = (
    ("chosen", "rejected"),
    ("preferred", "rejected"),
    ("accepted", "rejected"),
    ("preferred", "dispreferred"),
    ("winner", "loser"),
)
_PREFERENCE = compile_later(
    r"(?i)(^|_|\b)(chosen|rejected|margin|preferred|preference|winner|better|score|rating)($|_|\b)"
)


def models_by_answer_column(names: Sequence[str]) -> dict[str, str]:
    """The headings of columns that each hold one model's answers, with the name of the model, of
    the headings of long columns; empty if there are fewer than two.
    """
    folded = {name.strip().casefold(): name for name in names}
    for pair in _OF_PREFERENCES:
        if set(pair) <= set(folded):
            return {folded[name]: name for name in pair}
    usable = [name for name in names if not _NOT_OF_A_MODEL.search(_PROMPT.sub("", name))]
    models = {name: _without_answer(name) for name in usable}
    worded = {name: model for name, model in models.items() if model and model != name.strip()}
    if any(map(is_name_of_writer, worded.values())):
        # "Summary EHR" beside "Summary AI" is no answer of somebody called so.
        worded = {name: of for name, of in worded.items() if not _NO_INITIALS.fullmatch(of)}
    worded = {} if _are_parts_of_one_answer([*worded]) else worded
    worded |= writers_by_column(names) if not worded else {}
    known = {name: model for name, model in models.items() if _names_model_in_heading(name)}
    known |= _beside_models(names, usable, known)
    if known and len(of := {name.partition(".")[0] for name in known}) == 1:
        # Parts of one nested cell, each by its model's name.
        beginning = f"{min(of)}."
        # A name with spaces is known, or has the same part as one that is: "answers.Our LLM.text".
        ends = {name.rpartition(".")[2] for name in known if name.count(".") > 1}
        parts = [
            name
            for name in usable
            if name.startswith(beginning)
            and (
                " " not in name
                or name in known
                or name.rpartition(".")[2] in ends
                or (_ANSWER.match(min(of)) and _may_be_a_models_name(name, usable, beginning))
            )
        ]
        # One name that is known says enough of what is called "completions" or "answers".
        parts = parts if len(known) > 1 or _ANSWER.match(min(of)) else []
        known = {name: _without_answer(name) for name in parts} or known
    if len(known) > 1:
        # "case_summary" beside "gpt4o_text" is no answer of a model called "case".
        worded = {
            name: model
            for name, model in worded.items()
            if name in known
            or not all(
                _SHARED_BY_MODELS.search(word) or _A_CASE.fullmatch(word) for word in model.split()
            )
        }
    # A bare "GPT-4o" stands beside "Answer Llama" in the same table.
    together = worded | known if len({**worded, **known}) > 1 else {}
    together |= _by_people_beside(usable, together)
    answers = {name: model for name, model in together.items() if not THOUGHTS.search(name)}
    together = answers if len(answers) > 1 else together
    return dict(zip(together, make_arm_names(list(together.values())), strict=True))


_PART_OF_AN_ANSWER = compile_later(
    r"(?i)(text|content|message|raw|parsed|value|answer|log_?probs?|probs?|tokens?|choice|label"
    r"|letter|index|score|confidence|usage|reasoning|thinking|explanation|rationale|citations?"
    r"|sources?|finish_?reason|stop_?reason|refusal|role|type|id|name|model|latency|cost)"
)
"""What the parts of one answer are called in nested cells."""


def _are_parts_of_one_answer(names: Sequence[str]) -> bool:
    """Whether these are parts of one nested cell ("output.text", "output.logprobs")."""
    parents = {name.rpartition(".")[0] for name in names}
    parts = [name.rpartition(".")[2] for name in names]
    return len(parents) == 1 and "" not in parents and any(map(_PART_OF_AN_ANSWER.fullmatch, parts))


_MOST_WORDS_OF_A_NAME = 3


def _may_be_a_models_name(name: str, names: Sequence[str], beginning: str) -> bool:
    """Whether a part of a cell of answers with a name of a few words can be a model's answer, and
    not one more thing of a model that is there.
    """
    part = name.removeprefix(beginning)
    others = [other.removeprefix(beginning) for other in names if other != name]
    longer = any(other and part.startswith(f"{other} ") for other in others)
    return len(part.split()) <= _MOST_WORDS_OF_A_NAME and not longer


THOUGHTS = compile_later(
    r"(?i)(?<![^\W_])(thinking|thoughts?|reasoning|scratchpad|traces?|chain[ _-]of[ _-]thought"
    r"|gedanken(gang)?|[üu]berlegung(en)?|razonamiento|raisonnement)(?![^\W_])"
)
"""Headings of what a model wrote before its answer."""


def _by_people_beside(usable: Sequence[str], together: Mapping[str, str]) -> dict[str, str]:
    """The columns headed like those of the models, with a word for a person in place of a model:
    "clinician note" beside "generated note (GPT-4)".
    """
    shared = {word.casefold() for name in together for word in re.findall(r"[^\W\d_]+", name)}
    found: dict[str, str] = {}
    for name in usable:
        words = re.findall(r"[^\W\d_]+", name)
        people = [word for word in words if _WRITER.fullmatch(word)]
        rest = {word.casefold() for word in words if word not in people}
        if name not in together and people and rest and rest <= shared:
            found[name] = _without_answer(name)
    return found


_WRITER = compile_later(
    r"(?:the |an? )?(?:(?:huis|kinder)?arts|dokter|umano|mens|esperto|deskundige|specialist"
    r"|human|mensch|menschlich|humain|humano|people|arzt|ärztin|aerztin|ärzte|doctor"
    r"|physician|clinician|kliniker(?:in)?|m[ée]decin|m[ée]dic[oa]|expert(?:e|in|o|a)?|nurse"
    r"|pflege(?:kraft)?|resident|registrar|trainee|intern|consultant|attending|gp|radiologist|dermatologist|cardiologist"
    r"|neurologist|oncologist|surgeon|psychiatrist|pharmacist|internist(?:in)?|chirurg(?:in)?"
    r"|(?:ober|assistenz|fach|haus|chef|not)(?:arzt|[äa]rzt(?:in|innen|e)?)"
    r"|apotheker(?:in)?|hebamme|radiolog(?:e|in)|patholog(?:e|in|ist)|ai|ki"
    r"|ia|llm|chat ?bot|bot|machine|maschine|m[áa]quina"
    r"|computer|model|modell|modelo|mod[èe]le|algorithm(?:us)?|algoritmo|baseline|rag|fine ?tuned"
    r"|(?:with|without|mit|ohne|con|sin|avec|sans|no) (?:ai|ki|ia|rag|llm|retrieval)"
    r"|(?:ai|ki|human|doctor|physician|llm) ?(?:generated|written|made|erstellt|generiert))",
    re.IGNORECASE,
)
"""Words for who or what wrote a text, which would tell reviewers as much as a model's name."""
_MOST_WORDS_OF_WRITER = 3
"""As in "the fine tuned". A heading may be a whole vignette: trying all its words with all others
would take as long as the square of their number."""


def is_word_for_writer(words: str) -> bool:
    """Whether words are a common noun for who or what wrote a text, such as "doctor"."""
    return bool(_WRITER.fullmatch(words.strip()))


def writers_by_column(names: Sequence[str]) -> dict[str, str]:
    """The headings that differ only in words for who or what wrote the text ("Letter (human)",
    "Letter (AI)"), with these words; empty if there are fewer than two of a kind.
    """
    kinds: dict[str, dict[str, str]] = {}
    for name in names:
        if _NOT_OF_A_MODEL.search(name):
            continue
        words = re.findall(r"[^\W_]+", name)
        for first in range(len(words)):
            for last in range(min(first + _MOST_WORDS_OF_WRITER, len(words)), first, -1):
                if _WRITER.fullmatch(" ".join(words[first:last])):
                    rest = " ".join(words[:first] + words[last:]).casefold()
                    writer = " ".join(words[first:last])
                    kinds.setdefault(rest, {}).setdefault(name, writer)
                    break
    kinds |= _kinds_without_numbers(kinds)
    for kind, written in kinds.items():
        if kind and any(map(_A_MACHINE.fullmatch, written.values())):
            # "Epikrise KI" stands beside "Epikrise MK".
            written.update(_initials_beside(kind, [name for name in names if name not in written]))
    if any(map(_A_MACHINE.fullmatch, kinds.get("", {}))):
        # Beside "IA" whoever else is a heading wrote such texts too.
        kinds[""] |= {name: name for name in names if _is_only_a_person(name)}
    several = [
        found
        for found in kinds.values()
        if len(found) > 1 and len({writer.casefold() for writer in found.values()}) == len(found)
    ]
    return max(several, key=len, default={})


def persons_and_machines_by_column(names: Sequence[str]) -> dict[str, str]:
    """The headings that say of one kind of text that a machine wrote it and that a person did, in
    one word or several ("Arztantwort" and "KI-Antwort"), with the words for who did; empty if
    there are not both.
    """
    return writers_of_one_kind_by_heading(_short_and_of_a_writer(names), NAMED_MODEL)


_LONGEST_WITH_A_WRITER = 100


def _short_and_of_a_writer(names: Sequence[str]) -> list[str]:
    """Those of the headings that can say who wrote a text; no whole question or vignette can."""
    return [
        name
        for name in names
        if len(name) <= _LONGEST_WITH_A_WRITER and not _NOT_OF_A_MODEL.search(name)
    ]


def find_machines_version_of_a_text(names: Sequence[str]) -> MachinesVersion | None:
    """The two headings of one kind of text of which one is a machine's ("KI-Befund") and the other
    nobody's that is known ("Befund", "Entlassbefund"); None if there are no such two, or more.
    """
    found = find_machines_version(_short_and_of_a_writer(names), NAMED_MODEL)
    beside = found.beside.split() if found else []
    if found and (
        # An "Arztbrief" is a kind of document.
        (is_name_of_writer(found.beside) and not is_word_for_person(found.beside))
        or may_be_initials(found.beside)
        or any(len(word) == 1 or word.isdigit() for word in beside)
        or any(map(_VERSION_OF_A_TEXT.fullmatch, (found.beside, *beside)))
    ):
        return None
    return found


def _kinds_without_numbers(
    kinds: Mapping[str, Mapping[str, str]],
) -> dict[str, dict[str, str]]:
    """What was written by whom, as in ``kinds``, of kinds that are numbered and have one writer for
    each number: "text" of "Text 1 doctor" and "Text 2 AI".
    """
    found: dict[str, dict[str, str]] = {}
    several = set()
    for kind, written in kinds.items():
        bare = " ".join(word for word in kind.split() if not word.isdigit())
        if bare != kind and bare and bare not in kinds:
            found.setdefault(bare, {}).update(written)
            several |= {bare} if len(written) > 1 else set()
    return {kind: written for kind, written in found.items() if kind not in several}


_NO_INITIALS = compile_later(
    r"CT[AG]?|MR[AIT]?|US|OPS?|OR|E[KCEMNO]G|NLG|PET|XR|CXR|T[TEO]E|UKG|ECT|LP"
    r"|E[DR]|I[CT][USP]|IMC|OP[DA]|IPD|KH|RTW|NEF|HNO|ENT|GYN|PSY|RAD|URO|MFA|MDT"
    r"|EHR|EMR|EPR|PHR|EPA|[HKLR]IS|PVS|HPI|PMH|PSH|ROS|SOP|TNM|ICD|DRG|ATC|CPT|DSM|ICF"
    r"|IV|PO|LAB|BGA|ABG|CBC|FBC|LFT|CRP|BMI|BP|HR|RR|ASA|GCS|MMS|ID|NR|[DHPRST]X"
    r"|WHO|NIH|FDA|EMA|ESC|AHA|ACC|CDC|RKI|DGK"
    r"|PDF|URL|CSV|TXT|XML|OCR|ASR|RAW|OLD|NEW|ALT|NEU|PRE|DE|EN|FR|ES|IT|PT|NL"
)
"""Capitals beside a kind of text that are no person's: what was done, where, how it is classed, in
which record or language it is, and who sets a guideline."""


_INITIALS = compile_later(r"[A-ZÄÖÜÉ]{2,3}")


def _initials_beside(kind: str, names: Sequence[str]) -> dict[str, str]:
    """The headings of this ``kind`` of text that have somebody's initials besides ("Epikrise MK"),
    with these.
    """
    found = {}
    for name in names:
        words = re.findall(r"[^\W_]+", name)
        own = [word for word in words if _INITIALS.fullmatch(word)]
        rest = [word for word in words if word not in own]
        bare = [word for word in rest if not word.isdigit()]
        alike = kind in (" ".join(rest).casefold(), " ".join(bare).casefold())
        if len(own) == 1 and alike and not _NO_INITIALS.fullmatch(own[0]):
            found[name] = own[0]
    return found


def may_be_initials(own: str) -> bool:
    """Whether words are two or three capitals alone, and neither a word for a writer nor a
    well-known model.
    """
    return bool(_INITIALS.fullmatch(own)) and not is_name_of_writer(own)


def initials_by_column(names: Sequence[str]) -> dict[str, str]:
    """Those of headings compared with each other that say whose text it is by somebody's initials
    alone ("Epikrise MK" beside "Epikrise KI"), with these: capitals may mean something else.
    """
    return {
        name: writer for name, writer in writers_by_column(names).items() if may_be_initials(writer)
    }


def _is_only_a_person(heading: str) -> bool:
    """Whether a heading is a word for a person ("Interne", "Chef de clinique"), perhaps with one
    that says of what kind ("Family doctor").
    """
    words = heading.replace("_", " ").split()
    ends = {words[0], words[-1]} if words else set()
    return is_word_for_person(" ".join(words)) or (
        len(words) == len(ends)
        and is_name_of_person(heading)
        and any(map(is_word_for_person, ends))
        and not _SHARED_BY_MODELS.search(heading)
        and not _NOT_OF_A_MODEL.search(heading)
    )


_BY_AN_AUTHOR = compile_later(
    r"(?i)(.*[^\W_])[\s_]+(?:(?:written|made|drafted|generated|verfasst|escrit[ao]|redactad[ao]"
    r"|r[ée]dig[ée]e?)[\s_]+)?(?:by|von|par|por|door|af|av|przez)[\s_]+(\w.*)"
)
_BESIDE_A_KIND = compile_later(
    r"(.*[^\W_])\s*(?:\(([^()]+)\)|\[([^\[\]]+)\]|[-–—:/|]\s*([^\W_][^-–—:/|]*))\s*"
)


def authors_by_column(names: Sequence[str]) -> dict[str, str]:
    """The headings that say the same of several authors ("Letter by registrar", "Letter by AI"),
    with these; also in brackets or behind a colon or a dash where one of them is a word for a
    writer or a well-known model. Empty if there are fewer than two.
    """
    kinds: dict[str, dict[str, str]] = {}
    for name in names:
        if _NOT_OF_A_MODEL.search(name):
            continue
        if by := _BY_AN_AUTHOR.fullmatch(name.strip()):
            kinds.setdefault(f"{_rest(by[1], '')} by", {})[name] = by[2].strip()
        elif beside := _BESIDE_A_KIND.fullmatch(name.strip()):
            author = next(part for part in beside.groups()[1:] if part).strip()
            kinds.setdefault(_rest(beside[1], ""), {})[name] = author
    several = [
        found
        for kind, found in kinds.items()
        if len({normalise_model_name(one) for one in found.values()}) == len(found) > 1
        and (kind.endswith(" by") or any(map(is_name_of_writer, found.values())))
    ]
    return max(several, key=len, default={})


_BESIDE_A_NAME = compile_later(
    r"(?i)^(?:results?|outputs?|answers?|responses?|antworten|ergebnisse)"
    r"(?: (?:of|by|from|von|der))?[ :]+"
    r"|[ :_-]+(?:results?|outputs?|answers?|responses?|antworten|ergebnisse)$"
)


_WAY_OF_ANSWERING = compile_later(
    r"(?i)[\s_]+(?:with(?:out)?|mit|ohne|con|sin|avec|sans|com|sem|senza|met|zonder|\+|plus|after|nach"
    r"|using)(?![^\W_])"
)


def list_answer_columns_differing_in_setting(names: Sequence[str]) -> list[str]:
    """The headings of answers that differ in what a model was given or what came after it ("Output
    with reviewer", "Output without context"); empty if there are fewer than two.
    """
    kinds: dict[str, list[str]] = {}
    for name in names:
        way = _WAY_OF_ANSWERING.search(name)
        if way and _ANSWER.match(name[: way.start()].strip()):
            kinds.setdefault(name[: way.start()].strip().casefold(), []).append(name)
    return max((found for found in kinds.values() if len(found) > 1), key=len, default=[])


_WAY_OF_PROMPTING = compile_later(
    r"(?i)(?:(?:zero|one|few|many|\d+)[ _-]?shots?|(?:zero|few)[ _-]?shot[ _-]?cot"
    r"|chain[ _-]of[ _-]thoughts?|tree[ _-]of[ _-]thoughts?|cot|self[ _-]consistency|rag"
    r"|(?:role|plain|basic|simple|standard|expert|structured)[ _-](?:prompt(?:ing)?|play))"
    r"(?:[ _-]prompt(?:ing)?)?"
)


def list_columns_by_way_of_prompting(names: Sequence[str]) -> list[str]:
    """The headings that name a way to prompt a model ("Zero-shot", "Chain-of-thought"), each of
    which holds the answers to it; empty if there are fewer than two.
    """
    found = [name for name in names if _WAY_OF_PROMPTING.fullmatch(name.strip())]
    return found if len(found) > 1 else []


def is_name_of_writer(text: str) -> bool:
    """Whether a cell is a word for who or what wrote a text, or a well-known model's name."""
    text = _BESIDE_A_NAME.sub("", text.strip())
    words = " ".join(re.findall(r"[^\W_]+", text))
    if _WRITER.fullmatch(words) or _ONLY_IN_HEADINGS.fullmatch(text.strip()):
        return True
    return is_name_of_model(text)


def is_name_of_model(text: str) -> bool:
    """Whether a cell is a well-known model's name, and little else."""
    # "openai/gpt-4o-mini" is one, "GPT 45 U/l, GOT 30" is not.
    bare = re.sub(r"^[\w.-]+/", "", text.strip())
    if NAMED_MODEL.fullmatch(bare):
        return True
    return bool(NAMED_MODEL.match(bare) and re.fullmatch(r"\S+(?: [\w.-]+){0,2}", bare))


_ONLY_IN_HEADINGS = compile_later(
    r"(?:google )?bard|(?:microsoft )?bing(?: (?:chat|ai))?|perplexity(?: (?:ai|pro|sonar))?"
    r"|phi[- ]?\d[\w.-]*|command[- ]?r(?:\+|[- ]plus)?|vicuna[\w.-]*|alpaca[\w.-]*"
    r"|falcon[\w.-]*|ernie(?: bot)?|glm[\w.-]*|yi[- ]\d[\w.-]*|kimi|le ?chat"
    r"|nova(?: (?:pro|lite|micro))?|open ?evidence|doxgpt|doximity ?gpt|aloe"
    r"|med42[\w.-]*|google|pi|you ?chat|doctor ?gpt|baichuan[\w.-]*|internlm[\w.-]*|lucie"
    r"|bio ?gpt|clinical ?camel|pmc[- ]?llama|apertus[\w.-]*|teuken[\w.-]*|olmo[\w.-]*"
    r"|granite[\w.-]*|o[134](?:[- ](?:mini|pro|preview|high))?|wizardlm[\w.-]*|zephyr[\w.-]*"
    r"|chatglm[\w.-]*|huatuo[\w.-]*|chatdoctor|medalpaca[\w.-]*|asclepius[\w.-]*|nemotron[\w.-]*"
    r"|starling[\w.-]*|tulu[\w.-]*|(?:text-)?davinci[\w.-]*|watson|isabel|symptoma|dxgpt|amie"
    r"|(?:flan[- ]?)?t5[\w.-]*|(?:bio)?bart(?:-[\w.-]+)?|pegasus[\w.-]*|primera|longformer"
    r"|(?:bio|clinical|pub ?med|med|sci)?[- ]?bert(?:-[\w.-]+)?|bloomz?(?:-[\w.-]+)?|mpt-[\w.-]+"
    r"|pythia[\w.-]*|dolly[\w.-]*|koala|stablelm[\w.-]*|dbrx|jamba[\w.-]*|nous[\w.-]*|hermes[\w.-]*"
    r"|glass ?(?:ai|health)|clinical ?gpt[\w.-]*|med[- ]?llama[\w.-]*"
    r"|كلود|لاما|جروك|كوبايلوت|ميسترال|クロード|ラマ|コパイロット|グロック|ミストラル"
    r"|клод|лама|копилот|мистраль|грок|гемини|클로드|라마|코파일럿|그록|미스트랄|क्लॉड|קלוד",
    re.IGNORECASE,
)
"""Names of models that are also other words: read as such where they are a whole heading."""


_VERSION = compile_later(
    r"(?i)(?:[-_ .](?:\d+x?\d*b|[rv]?\d[\d.]*[a-z]?|it|instruct|chat|turbo|mini|nano|preview|pro"
    r"|base|large|small|medium|opus|sonnet|haiku|flash|ultra|plus|exp|latest|high))+(?![^\W_])"
)
"""What stands behind a model's name and belongs to it."""
_CORE = compile_later(r"(?i)[a-z]+[-_ ]?[\d.]*[a-z]?(?![^\W_])")
_BESIDE_ANSWERS = compile_later(
    r"(?i)\b(words?|w[öo]rter|chars|characters|zeichen|length|l[äa]nge|seconds?|sekunden|time|zeit"
    r"|tokens?|costs?|kosten|latency|confidence|sicherheit|refs?|references?|quellen|sources?|date"
    r"|datum|version|model|modell|link|url|notes?|n|rank|rang|temperature|comments?|explanation"
    r"|reasoning|rationale|probability|prob|logprob|certainty)\b"
)
_SAID_BESIDE = compile_later(
    r"(?i)(?<![^\W_])(?:sources?|quellen?|quellenangaben?|references?|referenzen|refs?|r[ée]f[ée]rences?"
    r"|referencias?|riferimenti|refer[êe]ncias?|fuentes?|font[ie]|fontes?|bronn?en|k[äa]llor|kilder"
    r"|[źz]r[óo]d[łl]a|zdroje|kaynak(?:lar)?|citations?|citas?|citazioni|cita[çc][õo]es|zitate|belege?"
    r"|literatur|bibliograph\w*|evidence|evidenz|links?|urls?|explanations?|erkl[äa]rung(?:en)?"
    r"|begr[üu]ndung(?:en)?|rationales?|reasoning|reasons?|justifications?|comments?|kommentare?"
    r"|notes?|notizen|confidence|sicherheit|tokens?|prompts?|context|kontext|passages?|chunks?"
    r"|retrieved|disclaimers?|warnings?|hinweise?|follow[ _-]?up|refus(?:ed|als?)"
    r"|flag(?:ged|s)?|errors?|truncated|finished|scores?|length|words)(?![^\W_])"
    r"|источник\w*|джерел\w*|المصادر|المراجع|مصادر|مراجع|出典|参考文献|根拠|来源|依据|출처|근거|מקורות|स्रोत|πηγ[έε]ς"
)
"""What a model gave beside an answer, as headings say it."""


def list_headings_beside_model_answers(names: Sequence[str]) -> list[str]:
    """Those of these headings of models' answers that are of something which the same models gave
    beside them: "GPT-4o sources" and "Gemini sources" beside "GPT-4o answer" and "Gemini answer".
    What differs in how a model was asked ("GPT-4o CoT") is an answer of its own.
    """
    by_writer: dict[str, dict[str, str]] = {}
    for name in names:
        rest, writer = next(_writers_in(name), ("", ""))
        by_writer.setdefault(normalise_model_name(writer), {})[rest] = name
    found = []
    for of in by_writer.values():
        headed = [rest for rest in of if any(map(_ANSWER.match, rest.split()))]
        for rest, name in of.items():
            beside = _SAID_BESIDE.search(rest) and not _ANSWER.match(rest)
            plain = len(headed) == 1 and rest and rest not in headed
            way = any(map(_VERSION_OF_A_TEXT.fullmatch, (rest, *rest.split())))
            way = way or bool(_WAY_OF_ANSWERING.search(f" {rest}"))
            if len(of) > 1 and rest and (beside or (plain and not way)):
                found.append(name)
    answered = [of for of in by_writer.values() if any(name not in found for name in of.values())]
    return found if len(answered) == len(by_writer) > 1 else []


_DECISION = compile_later(
    r"(?i)(?:^|[^a-z])(diagnos\w*|ddx|dx|pred(?:iction|icted|s)?|vorhersage|impression|triage\w*|icd"
    r"|codes?|stag(?:e|ing)|stadium|class(?:ification)?|klassifikation|decisions?|entscheidung"
    r"|urgency|dringlichkeit|recommendations?|empfehlung|top ?\d|esi|answers?|antwort|choice|wahl"
    r"|decisi[óo]n|pr[ée]diction|diagn[óo]stico|dosis|dose|treatment|therapie|therapy|management)"
    r"(?:[^a-z]|$)"
)
"""What a model says in a word or a number."""


def _writers_in(heading: str) -> Iterator[tuple[str, str]]:
    """What is left of a heading without who wrote the column's texts, and who that is, for each
    part of it that can be that: "Top-1 (o1)" is of o1.
    """
    for named in NAMED_MODEL.finditer(heading):
        end = named.end()
        if "_" in named[0] and (core := _CORE.match(heading, named.start())):
            # Of "llama3_70b_pred" the last word is not the name's.
            end = core.end()
        if version := _VERSION.match(heading, end):
            end = version.end()
        beside = _rest(heading[: named.start()], heading[end:]).split()
        # "Letter AI (GPT-4)" stands beside "Letter resident".
        rest = " ".join(word for word in beside if word not in _A_MODEL_S)
        yield rest or " ".join(beside), heading[named.start() : end]
        return
    parts = [*re.finditer(r"[^\s_:()\[\]/|]*[^\W_][^\s_:()\[\]/|]*", heading)]
    for first in range(len(parts)):
        for last in range(min(first + 3, len(parts)) - 1, first - 1, -1):
            begin, end = parts[first].start(), parts[last].end()
            words = " ".join(re.findall(r"[^\W_]+", heading[begin:end]))
            numbered = bool(_NUMBERED_MODEL.fullmatch(words))
            names_writer = numbered or _WRITER.fullmatch(words)
            if _ONLY_IN_HEADINGS.fullmatch(heading[begin:end]) or names_writer:
                written = words if numbered else heading[begin:end].strip(" -–—·|")
                yield _rest(heading[:begin], heading[end:]), written
                break


_A_MODEL_S = frozenset({"ai", "ki", "ia", "llm", "bot", "chatbot"})
"""Words beside a model's name that say no more than that it is one."""


def _words_shared_by_answers(answers: Sequence[str]) -> frozenset[str]:
    """The words, in lower case, that the headings of several answers share besides the models'
    names: "letter" of "Letter GPT-4o" and "Letter Gemini"; those at their beginning, if any.
    """
    known = [name for name in answers if NAMED_MODEL.search(name)]
    words = [
        re.findall(r"[^\W_]+", NAMED_MODEL.sub(" ", name).casefold()) for name in known or answers
    ]
    begin = takewhile(lambda same: len({*same}) == 1, zip(*words, strict=False))
    shared = {same[0] for same in begin}
    shared = shared or (set(words[0]).intersection(*words[1:]) if words else set())
    return frozenset(word for word in shared if word.isalpha() and word not in _LINKING)


def versions_by_heading_beside_answers(
    names: Sequence[str], answers: Sequence[str]
) -> dict[str, str]:
    """The other headings that have all the words that those of the ``answers`` share, with what
    each has besides: "foundation doctor" of "Letter foundation doctor" beside "Letter GPT-4o" and
    "Letter Gemini", and "" of "Letter". Empty if the answers share no word.
    """
    shared = _words_shared_by_answers(answers)
    found: dict[str, str] = {}
    for name in names:
        words = re.findall(r"[^\W_]+", name)
        if shared and name not in answers and shared <= {word.casefold() for word in words}:
            own = [word for word in words if word.casefold() not in shared]
            found[name] = " ".join(word for word in own if word.casefold() not in _LINKING)
    return found


_MOST_WORDS_OF_A_WRITER = 4
_NO_WRITER = compile_later(
    r"(?i)original|source|input|raw|before|after|old|new|current|previous|final|draft|first|second"
    r"|short|long|full|part|version|copy|vorher|nachher|alt|neu|quelle|entwurf|kurz|lang|aktuell"
    r"|bisherig|endg[üu]ltig|anterior|actual|previo|borrador|corto|largo|ancienn?e?|nouve(?:au|lle)"
    r"|brouillon|court|longue?|attuale|bozza|breve|lungo|oud|nieuw|huidig|concept|kort"
    r"|type|kind|art|date|datum|fecha|language|sprache|title|titel|topic|audience|words|length"
)
"""Words beside a kind of text that say something else of it than who wrote it."""


def may_be_a_further_writer(heading: str, answers: Sequence[str], own: str) -> bool:
    """Whether what a heading has besides the words of the ``answers`` can be who wrote its texts:
    a few words that stand where the models' names stand, in a kind of text and no decision, which
    could be what is right.
    """
    words = own.split()
    shared = _words_shared_by_answers(answers)
    parts = _writers_beside_shared_words([*answers, heading])
    return (
        0 < len(words) <= _MOST_WORDS_OF_A_WRITER
        and bool(parts)
        and not is_decision_heading(" ".join(shared))
        and not _NOT_OF_A_MODEL.search(heading)
        and not _BESIDE_ANSWERS.search(own)
        and not any(map(_NO_WRITER.fullmatch, words))
        and not _NO_INITIALS.fullmatch(own)
        and not any(map(_OF_A_CASE.match, words))
        and bool(re.search(r"[^\W\d_]{2}", own))
    )


_IN_BRACKETS = compile_later(r"^[(\[]([^()\[\]]*)[)\]]$")


def _writers_beside_shared_words(headings: Sequence[str]) -> dict[str, str]:
    """The headings that begin or end with the same words, with what each has besides, if one of
    these parts is a well-known model: "foundation doctor" and "GPT-4o".
    """
    words = [[*re.finditer(r"[^\W_]+", heading)] for heading in headings]
    if len(headings) < 2 or not all(words):
        return {}
    for step in (1, -1):
        count = 0
        while all(len(one) > count + 1 for one in words) and (
            len({one[::step][count][0].casefold() for one in words}) == 1
        ):
            count += 1
        if not count:
            continue
        parts = [
            heading[one[count - 1].end() :] if step == 1 else heading[: one[-count].start()]
            for heading, one in zip(headings, words, strict=True)
        ]
        bare = [_IN_BRACKETS.sub(r"\1", part.strip(" \t-–—·|:_/")) for part in parts]
        apart = len({normalise_model_name(part) for part in bare}) == len(bare)
        if apart and all(bare) and any(map(_begins_with_known_model, bare)):
            return dict(zip(headings, bare, strict=True))
    return {}


def _begins_with_known_model(part: str) -> bool:
    return bool(NAMED_MODEL.match(part) or _ONLY_IN_HEADINGS.fullmatch(part))


def _rest(before: str, after: str) -> str:
    words = re.findall(r"[^\W_]+", f"{before} {after}".casefold())
    return " ".join(word for word in words if word not in _LINKING)


def list_headings_with_writer_by_column(
    names: Sequence[str], *, numbers: bool = False
) -> list[tuple[str, dict[str, str]]]:
    """The headings that say the same of several writers, of whom one at least is a well-known model
    or all are models by number ("Diagnosis GPT-4", "Diagnosis resident"; "Model 1 diagnosis"): what
    they say, and of whom each. In columns of ``numbers`` a probability is an answer.
    """
    kinds: dict[str, dict[str, str]] = {}
    for name in names:
        if _NOT_OF_A_MODEL.search(name):
            continue
        for rest, writer in _writers_in(name):
            kinds.setdefault(rest, {}).setdefault(name, writer)
    return [
        (rest, found)
        for rest, found in kinds.items()
        if rest
        and not _BESIDE_ANSWERS.search(
            _A_PROBABILITY.sub("", rest) if numbers else _RANK_OF_A_GUESS.sub("", rest)
        )
        and len({normalise_model_name(writer) for writer in found.values()}) == len(found) > 1
        and (
            any(map(_is_well_known, found.values())) or all(map(is_numbered_model, found.values()))
        )
    ]


_PART_OF_AN_OPINION = compile_later(
    r"(?i)rank|top|choice|guess|differential\w*|ddx|plan|work-?up|next steps?|prognos\w*|tests?"
)


def list_headings_of_each_part_of_answers(names: Sequence[str]) -> list[list[str]]:
    """The headings of the parts into which several writers' answers are split, part by part in the
    order of the table: ["gpt4_dx1", "llama3_dx1"], ["gpt4_dx2", "llama3_dx2"]; or first the plans,
    then the diagnoses. Empty where each has one, or where the same was asked several times.
    """
    parts: dict[frozenset[str], list[list[str]]] = {}
    for rest, found in list_headings_with_writer_by_column(names):
        words = [word for word in re.findall(r"[^\W\d_]+", rest) if word not in _LINKING]
        if words and all(is_decision_heading(w) or _PART_OF_AN_OPINION.fullmatch(w) for w in words):
            writers = frozenset(map(normalise_model_name, found.values()))
            parts.setdefault(writers, []).append([name for name in names if name in found])
    best = max(parts.values(), key=len, default=[])
    return best if len(best) > 1 else []


_RANK_OF_A_GUESS = compile_later(r"(?i)\brank(?=[ _-]?\d)")
_A_PROBABILITY = compile_later(r"(?i)\bprob(?:ability)?\b")
_FIGURE_OF_A_MODEL = compile_later(
    r"(?i)accura|precision|recall|sensitiv|specific|\b(f1|auc|auroc|bleu|rouge|kappa|em)\b|bert"
    r"|correct|errors?\b|fehler|points?\b|punkt|likert|qualit|halluc|similar|agree|readab|flesch"
    r"|completen|safety|helpful|price|preis|usd|eur|rate\b|wer\b|vote|win|pass"
    r"|discern|\b(gqs|eqip|jama|fkgl|smog|pemat|elo|mos)\b|mean\b|median|average|mittelwert|anzahl"
)
"""Numbers that say how good an answer was, or that were counted, rather than what it is."""


def writers_by_number_column(names: Sequence[str]) -> dict[str, str]:
    """The headings of columns of numbers that say the same of several writers, of whom one at least
    is a well-known model ("Risk % (GPT-4o)", "Risk % (cardiologist)"), with the writers: what each
    estimates, and no measure of an answer. The most of one kind; empty if there are none.
    """
    kinds = [
        found
        for rest, found in list_headings_with_writer_by_column(names, numbers=True)
        if not _FIGURE_OF_A_MODEL.search(rest)
    ]
    return max(kinds, key=len, default={}) if len(kinds) == 1 else {}


IMAGE_GENERATOR = compile_later(
    r"(?i)(?<![^\W_])(dall[-_· ]?e[-_ ]?[23]?|sd[-_ ]?xl|sd[-_ ]?[123](?:[._]\d)?"
    r"|stable[-_ ]?diffusion(?:[-_ ]?(?:xl|\d(?:[._]\d)?))?"
    r"|mid[-_ ]?journey(?:[-_ ]?v?\d(?:[._]\d)?)?"
    r"|firefly|ideogram"
    r"|flux(?:[-_ .]?1)?(?:[-_ ](?:dev|pro|schnell))?|imagen(?:[-_ ]?[234])?|leonardo[-_ ]?ai"
    r"|gpt[-_ ]?image(?:[-_ ]?1)?|recraft|kandinsky|roent[-_ ]?gen|nano[-_ ]?banana)(?![^\W_])"
)
"""Programs that draw, as they are called where nothing but files is meant."""
_NO_MODEL_S = compile_later(
    r"(?i)real|original|photo(graph)?|genuine|echt|synthetic|generated|ground ?truth"
)


_MADE_BY_A_PROGRAM = compile_later(
    r"(?i)overlays?|masks?|segs?|segmentations?|segmentierung(?:en)?|segmentaci[óo]n|pred(?:iction)?s?"
    r"|predicted|outputs?|results?|heat ?maps?|saliency|attention|cam|grad ?cam|contours?|konturen?"
    r"|generated|synth(?:etic|esi[sz]ed)?|recon(?:struction|structed)?|denoised|inpainted|enhanced"
    r"|super ?res(?:olution)?|detections?|boxes|annotated|render(?:ed|ing)?|ausgabe|salida|sortie"
)
"""Words in headings of images that programs made from a case's."""
_A_NETWORK = compile_later(
    r"(?i)(?:\w*(?:(?<!inter)(?<!mag)net|gan|former|cnn|vae|diffusion|yolo|dino|clip)"
    r"|(?:\w{2,}[-_]?)?(?:sam|vit))(?:[ -]?v?\d\w*)?"
)
"""What networks for images are called."""
_VIEW = compile_later(
    r"(?i)ap|pa|lat(?:eral(?:e)?)?|left|right|links|rechts|front(?:al)?|back|rear|top|bottom|side"
    r"|ax(?:ial)?|cor(?:onal)?|sag(?:ittal)?|oblique|t[12]w?|flair|dwi|adc|swi|mra?|ct|pet|us|xr"
    r"|xray|mri|pre|post|before|after|vorher|nachher|baseline|follow ?up|early|late|arterial|venous"
    r"|portal|delayed|native?|contrast|kontrast|plain|close ?up|overview|detail|zoom(?:ed)?"
    r"|thumb(?:nail)?|dermos[ck]op\w*|clinical|macro|micro|h ?e|ihc|pas|\w*stain|day|night|od|os|ou"
    r"|[rl](?:cc|mlo)|cc|mlo|x?\d+x?|first|second|third|i{1,3}|iv|original|raw|source|input"
    r"|(?:ground ?)?truth|true|gt|ref(?:erence)?|gold|manual|pred(?:icted)?|label|image|bild|photo"
    r"|foto|pdf|file|report|page|seite|scan|slide"
)
"""Words for a view, a time or a kind of image: of one case there may be several."""


def _parts_of_file_headings(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """What headings share, at their beginning or end, and what each has besides it that is no view
    and no time of a case.
    """
    kinds: dict[str, dict[str, str]] = {}
    for name in names:
        words = re.findall(r"[^\W_]+", name)
        for at in range(1, len(words)):
            first, last = words[:at], words[at:]
            kinds.setdefault(" ".join(first).casefold(), {})[name] = " ".join(last)
            kinds.setdefault(f" {' '.join(last)}".casefold(), {})[name] = " ".join(first)
    apart = {
        shared.strip(): {name: part for name, part in found.items() if not _VIEW.fullmatch(part)}
        for shared, found in sorted(kinds.items(), key=lambda kind: -len(kind[0]))
    }
    return {
        shared: found
        for shared, found in apart.items()
        if len({part.casefold() for part in found.values()}) == len(found) > 1
    }


def _file_columns_of_programs(names: Sequence[str]) -> dict[str, str]:
    """The headings of columns of files that differ in one part, where what they share is what
    programs make ("overlay_nnUNet", "overlay_MedSAM"), or the parts are called as networks are.
    """
    for shared, found in _parts_of_file_headings(names).items():
        parts = [*found.values()]
        made = all(map(_MADE_BY_A_PROGRAM.fullmatch, shared.split()[-1:] or [""]))
        if made or all(map(_A_NETWORK.fullmatch, parts)):
            return {name: found[name] for name in names if name in found}
    return {}


def list_file_headings_differing_in_one_part(names: Sequence[str]) -> list[str]:
    """The headings of columns of files that differ in one part that is no view, time or kind of
    image: who made each, perhaps.
    """
    found = next(iter(_parts_of_file_headings(names).values()), {})
    return [name for name in names if name in found]


def makers_by_file_column(names: Sequence[str], *, plain: bool = False) -> dict[str, str]:
    """The headings of columns of images or PDFs that say the same of several programs that made
    them ("image_dalle3", "image_sdxl"), with these; empty if none of them is known, as the views of
    one case have headings of their own too. ``plain``: the makers as they are written.
    """
    kinds: dict[str, dict[str, str]] = {}
    for name in names:
        for drawn in IMAGE_GENERATOR.finditer(name):
            rest = _rest(name[: drawn.start()], name[drawn.end() :])
            kinds.setdefault(rest, {})[name] = drawn[0].strip("-_ ")
        if not IMAGE_GENERATOR.search(name):
            for rest, writer in _writers_in(name):
                kinds.setdefault(rest, {}).setdefault(name, writer)
    known = {
        rest: found
        for rest, found in kinds.items()
        if any(IMAGE_GENERATOR.search(name) or NAMED_MODEL.search(name) for name in found)
    }
    if not known:
        found = _file_columns_of_programs(names)
        arms = [*found.values()]
        return dict(zip(found, arms if plain else make_arm_names(arms, plain=True), strict=True))
    rest, found = max(known.items(), key=lambda kind: len(kind[1]))
    shared = set(rest.split())
    for name in names:
        # A file beside those of programs is of another one, or of a person.
        words = re.findall(r"[^\W_]+", name)
        own = [word for word in words if word.casefold() not in shared]
        others = shared <= {word.casefold() for word in words} and 0 < len(own) <= 2
        if name not in found and others and (shared or _NO_MODEL_S.fullmatch(" ".join(own))):
            found[name] = " ".join(own)
    alike = len({normalise_model_name(writer) for writer in found.values()}) < len(found)
    if len(found) < 2 or alike:
        return {}
    order = [name for name in names if name in found]
    arms = [found[name] for name in order]
    return dict(zip(order, arms if plain else make_arm_names(arms, plain=True), strict=True))


def _is_well_known(writer: str) -> bool:
    return bool(NAMED_MODEL.search(writer) or _ONLY_IN_HEADINGS.fullmatch(writer))


def is_decision_heading(heading: str) -> bool:
    """Whether a heading says that a column holds decisions: words or numbers that can be judged."""
    return bool(_DECISION.search(heading.replace("_", " ")))


def letters_by_decision_column(names: Sequence[str]) -> dict[str, str]:
    """The headings of decisions that differ in a letter from A on ("dx_A", "dx_B"), which stands
    for who made them; empty if there are none. Answers by letter may be options to choose from.
    """
    kinds: dict[str, dict[str, str]] = {}
    for name in names:
        found = re.fullmatch(r"(?i)(.*[^\W_])[\s_.-]+\(?([a-h])\)?", name.strip())
        if (
            found
            and is_decision_heading(found[1])
            and not re.search(r"(?i)answer|antwort|cho|wahl", found[1])
        ):
            kinds.setdefault(found[1].casefold(), {})[name] = found[2].upper()
    for found_names in kinds.values():
        letters = "".join(sorted(found_names.values()))
        if len(letters) > 1 and "ABCDEFGH".startswith(letters):
            return found_names
    return {}


_VERSION_OF_A_TEXT = compile_later(
    r"(?i)(?:(?:v|ver|version|versi[óo]n|draft|entwurf|borrador|brouillon|bozza|rascunho|szkic|koncept|variante?|candidate|kandidat|run|attempt"
    r"|versuch|arm|condition|bedingung|temp(?:erature|eratur)?) ?(?:\d{1,2}|[a-hx-z]|[ivx]{1,3})"
    r"|alpha|beta|gamma|delta|base|baseline|vanilla|sft|dpo|ppo|rlhf|instruct|pre ?trained"
    r"|fine ?tuned|(?:zero|one|few|\d) ?shot|(?:no )?(?:cot|rag)|control|intervention)"
)
"""What tells versions of one text apart that are compared, without a word for an answer."""


def versions_by_column(names: Sequence[str]) -> dict[str, str]:
    """The headings that differ only in which version of a text they hold ("v1_text", "v2_text"),
    with the version; empty if there are fewer than two.
    """
    kinds: dict[str, dict[str, str]] = {}
    for name in names:
        words = re.findall(r"[^\W_]+", name)
        for first, last in ((0, 1), (0, 2), (-1, len(words)), (-2, len(words))):
            version = words[first:last]
            rest = words[:first] if last == len(words) else words[last:]
            if version and _VERSION_OF_A_TEXT.fullmatch(" ".join(version)):
                kinds.setdefault(" ".join(rest).casefold(), {})[name] = " ".join(version)
    several = [found for found in kinds.values() if len(found) > 1]
    return max(several, key=len, default={})


_SIGN = compile_later(
    r"(?i)\d{1,2}|[a-hxyzａ-ｈ甲乙丙丁①-⑨]|before|after|old|new|left|right|first|second|original|edited|revised"
    r"|initial|final|pre|post|vorher|nachher|alt|neu|links|rechts"
)
_OF_A_CASE = compile_later(
    r"(?i)^(q|item|s|p|user|turn|human|patient\w*|message|sentence|premise|question\w*|frage\w*"
    r"|pregunta|prompt|context|kontext|passage|document|source|quelle|paragraph|evidence|abstract"
    r"|option|choice|criteri\w*|kriteri\w*|symptom\w*|finding|befund|image|bild|title|article"
    r"|statement|aussage|reference|citation|author|chunk|case|vignette|fall|part|section|teil"
    r"|diagnos\w*|medication|drug)s?$"
    r"|^(質問|问题|問題|질문|症例|病例|증례|選択肢|选项|選項|선택지|段落|문단|患者|환자)$"
)


_A_MACHINE = compile_later(
    r"(?i)(?<![^\W_])(ai|ki|ia|llm|chat ?bot|bot|machine|maschine|m[áa]quina|generated|generiert"
    r"|auto|automatic|synthetic|(?:language )?model|modell|modelo|mod[eè]le|algorithm\w*)(?![^\W_])"
)
_A_PERSON = compile_later(
    r"(?i)(?<![^\W_])(human|mensch\w*|humain|humano|physician|clinician|doctor|nurse|expert\w*"
    r"|resident|registrar|trainee|consultant|(?:ober)?arzt|[äa]rzt(?:in|innen|e|lich\w*)|m[ée]decin|m[ée]dic[oa]|manual\w*"
    r"|manuell\w*|specialist|radiologist)(?![^\W_])"
)


def is_machine_text_heading(name: str) -> bool:
    """Whether a heading says that a machine wrote what is in the column ("ai_text")."""
    return bool(_A_MACHINE.search(name))


def list_machine_and_person_headings_of_a_text(names: Sequence[str]) -> list[str]:
    """The headings that say of one text that a machine wrote it, and of another that a person did
    ("AI draft", "Final note (edited by physician)"); empty if there are not both.
    """
    machine = [name for name in names if _A_MACHINE.search(name) and not _A_PERSON.search(name)]
    people = [name for name in names if _A_PERSON.search(name) and not _A_MACHINE.search(name)]
    return [name for name in names if name in (*machine, *people)] if machine and people else []


def list_terse_answers_headed_like(long: Sequence[str], short: Sequence[str]) -> list[str]:
    """Those of the headings of ``short`` texts that say "answer" as one of the ``long`` ones does,
    with nothing but another letter or number, or who wrote it: beside "Answer X" an "Answer Y" of
    few words is an answer too, and so is one of the doctor beside one of Gemini.
    """

    def said(heading: str) -> tuple[str, str]:
        words = [word.casefold() for word in re.findall(r"[^\W_]+", heading)]
        own = _without_answer(heading).strip()
        rest = {word.casefold() for word in re.findall(r"[^\W_]+", own)}
        return " ".join(word for word in words if word not in rest), own

    known = {of for of, own in map(said, long) if of and own}
    found = []
    for heading in short:
        of, own = said(heading)
        alone = _SIGN.fullmatch(own) or is_name_of_writer(own) or is_word_for_person(own)
        if of in known and alone and not _NOT_OF_A_MODEL.search(heading):
            found.append(heading)
    return found


def list_columns_headed_alike(names: Sequence[str]) -> list[str]:
    """The headings that differ only in a number, a letter or a word such as "before" and "after",
    and say nothing of a case that has several such parts; they may be versions to compare.
    """
    kinds: dict[str, dict[str, str]] = {}
    for name in names:
        apart = re.sub(r"(?<=[^\W\d_])(?=\d)", " ", heading_with_space_before_sign(name))
        words = re.findall(r"[^\W_]+", apart)
        for at in {0, len(words) - 1} if words else ():
            rest = words[:at] + words[at + 1 :]
            if _SIGN.fullmatch(words[at]) and not any(map(_OF_A_CASE.match, rest)):
                kinds.setdefault(" ".join(rest).casefold(), {})[name] = words[at].casefold()
    several = [found for found in kinds.values() if len(set(found.values())) > 1]
    return [*max(several, key=len, default={})]


def list_columns_headed_like_a_machines(names: Sequence[str]) -> list[str]:
    """The headings of which one has a word for a machine ("Letter AI") and others the same words
    with something else in its place ("Letter Miller"): these may be what somebody else wrote.
    """
    words = {name: re.findall(r"[^\W_]+", name) for name in names}
    for of in words.values():
        besides = [word.casefold() for word in of if not _A_MACHINE.fullmatch(word)]
        rest = [word for word in besides if not word.isdigit()]
        if not (rest and len(besides) < len(of)) or any(map(_OF_A_CASE.match, rest)):
            continue
        found = [
            name
            for name, own in words.items()
            if {*rest} <= {word.casefold() for word in own} and len(own) <= len(rest) + 2
        ]
        if len(found) > 1:
            return found
    return []


def is_numbered_model(heading: str) -> bool:
    """Whether a heading is a model without its name: "Modell 1", "LLM B"."""
    return bool(_NUMBERED_MODEL.fullmatch(" ".join(re.findall(r"[^\W_]+", heading))))


def _names_model_in_heading(heading: str) -> bool:
    bare = _without_answer(heading)
    return bool(NAMED_MODEL.search(heading) or _ONLY_IN_HEADINGS.fullmatch(bare.strip(" -–—·|")))


_A_CASE = compile_later(
    r"(?i)casos?|cas|casus|cases?|cl[íi]nic[oa]s?|paciente|paziente|pati[ëe]nt|przypad\w*|случа\w*|vaka"
)
_SHARED_BY_MODELS = compile_later(
    r"(?i)note|text|vignette|case|fall|anfrage|query|input|context|kontext|scenario|szenario|befund"
    r"|history|anamnese|abstract|article|document|source|quelle|title|titel|problem|aufgabe|task"
    r"|diagnos|patient|report|bericht|instruction|transcript|summary|zusammenfassung|finding"
)


_A_QUESTION = compile_later(
    r"(?i)(?<![^\W_])(?:questions?|prompts?|quer(?:y|ies)|preguntas?|perguntas?|domand[ae]"
    r"|vra(?:ag|gen)|fr[åa]ga|sp[øo]rsm[åa]l|pytanie|ot[áa]zka|soru|k[ée]rd[ée]s|kysymys)(?![^\W_])"
    r"|frage(?![^\W_])|问题|問題|質問|질문|вопрос|питання|سؤال|שאלה|پرسش|प्रश्न|ερώτηση|คำถาม"
)


def is_question_heading(heading: str) -> bool:
    """Whether a heading is of the question that was asked."""
    return bool(_A_QUESTION.search(heading))


_PART_OF_A_REPORT = compile_later(
    r"(?i)advi[cs]e|rat(?:schlag|geber)|hinweis|hint|tip+s?|\bpros?\b|\bcons?\b|risk|risiko|benefit"
    r"|nutzen|vorgehen|procedure|follow|verlauf|prognos|educat|lifestyle|[aä]tiolog|etiolog|patho"
    r"|anatom|clinic|klini|labo?r?\b|imaging|bildgebung|radiolog|english|german|deutsch|engl|french"
    r"|spanish|translat|[üu]bersetz|traduc|vertaling|simpl|einfach|lay|laien|plain|side effect"
    r"|nebenwirk|indicat|indikat|dosage|dosier|object|ziel|aims?|method|result|ergebnis|conclus"
    r"|schluss|discuss|intro|interven|outcome|comparator|populat|chief|social|family|allerg|vital"
    r"|exam|untersuch|examen|antecedent|storia|vorgeschichte|medik|medic|plan|assess|beurteil|hpi"
    r"|description|beschreib|detail|info|inhalt|content|message|statement|claim|argument|evidence"
    r"|criteri|kriteri|rule|regel|guideline|leitlin|learning|key|point|topic|thema|section|teil"
    r"|subject|betreff|header|body|intro|reply|email|e-mail|letter|brief|paragraph|absatz|sentence"
)
"""Words in headings of texts that are parts of one report rather than answers of several."""


def are_headings_without_meaning(headings: Sequence[str]) -> bool:
    """Whether each of these headings is a word or two that say nothing of a text, and can be what
    somebody called who wrote it ("Aurora", "Zephyr 2").
    """
    for heading in headings:
        words = re.findall(r"[^\W_]+", heading)
        known = (_SHARED_BY_MODELS, _PART_OF_A_REPORT, _DECISION, _NOT_OF_A_MODEL)
        signs = (_SIGN, _NO_WRITER, _ANSWER, _VERSION_OF_A_TEXT)
        if (
            not 0 < len(words) <= _MOST_WORDS_OF_A_NAME
            or not re.search(r"[^\W\d_]{2}", heading)
            or any(one.search(heading) for one in known)
            or any(one.fullmatch(word) for one in signs for word in words)
            or any(map(_OF_A_CASE.match, words))
        ):
            return False
    return bool(headings)


def _beside_models(
    names: Sequence[str], usable: Sequence[str], known: Mapping[str, str]
) -> dict[str, str]:
    """The columns right beside those of well-known models whose headings are one or two words that
    mean nothing else: models that are not well known.
    """
    if not any(map(is_only_a_model_name, known)):
        return {}
    # Beside "svar_gpt4o" and "svar_medpalm" what is headed otherwise is something else.
    worded = all(_without_answer(name) != name.strip() for name in known)
    found: dict[str, str] = {}
    order = list(names)
    for step in (1, -1):
        for name in known:
            at = order.index(name) + step
            while 0 <= at < len(order):
                other = order[at]
                words = re.findall(r"[^\W_]+", _without_answer(other))
                if (
                    not words
                    or other not in usable
                    or len(words) > 2
                    or (worded and _without_answer(other) == other.strip())
                    or _SHARED_BY_MODELS.search(other)
                    or _NO_INITIALS.fullmatch(" ".join(words))
                ):
                    break
                if step == -1 and at == 0:
                    # What stands first is usually what was asked.
                    break
                found.setdefault(other, _without_answer(other))
                at += step
    return {name: model for name, model in found.items() if name not in known}


_ASSIGNED = compile_later(
    r"([^\W_]{1,12}(?: [^\W_]{1,2})?)\s*(?:=|:|→|⇒|->|=>)\s*([^;,|\n=→]+?)\s*(?=$|[;,|\n]|\s/\s)"
)
_BETWEEN_MODELS = compile_later(r"\s*[;,|/>\n]\s*")


def model_names_by_letter_or_number(cell: str) -> dict[str, str]:
    """The models that a cell gives to letters or numbers ("A=GPT-4; B=Gemini"), or lists in an
    order ("GPT-4, Gemini"); empty if it does neither.
    """
    given = _ASSIGNED.findall(cell)
    if len(given) > 1:
        return {position.casefold(): model for position, model in given}
    listed = _BETWEEN_MODELS.split(cell.strip())
    if len(listed) > 1 and all(map(is_name_of_writer, listed)):
        return {str(at): model for at, model in enumerate(listed, 1)}
    return {}


def is_only_a_model_name(heading: str) -> bool:
    """Whether a heading is a well-known model's name, perhaps with a word for an answer."""
    rest = NAMED_MODEL.sub(" ", _without_answer(heading))
    return rest != heading and not re.search(r"[^\W\d_]", rest)


_NUMBERED_MODEL = compile_later(
    r"(?:(?:the|le|la|do|da) )*"
    r"(?:ai|ki|ia|llm|chat ?bot|bot|system|assistant|models?|modell|modelo|mod[èe]le|modello|tool"
    r"|werkzeug|outil|herramienta|モデル|模型|모델|システム|系统|系統|시스템)"
    r" ?(?:[a-hu-z]|\d{1,2}|[ivx]{1,4})",
    re.IGNORECASE,
)


def is_answer_of_numbered_model(heading: str) -> bool:
    """Whether a heading has a word for an answer and otherwise only a model without its name:
    "Answer of model A", "llm_2_response".
    """
    rest = _without_answer(heading)
    words = " ".join(re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", rest)))
    return rest != heading.strip() and bool(_NUMBERED_MODEL.fullmatch(words))


def find_column_of_preferred_answers(names: Sequence[str]) -> str:
    """The heading of the chosen answers, if these are a chosen and a rejected one; else ""."""
    folded = {name.strip().casefold(): name for name in names}
    return next((folded[pair[0]] for pair in _OF_PREFERENCES if set(pair) == set(folded)), "")


def make_arm_names(headings: Sequence[str], *, plain: bool = False) -> list[str]:
    """A name that a study's file accepts for the model of each heading, or for each name of a model
    if they are ``plain``; all differ.
    """
    names: list[str] = []
    are_names = plain
    held = {heading.partition(".")[0] for heading in headings}
    if not plain and len(held) == 1 and all("." in heading for heading in headings):
        # Parts of one nested cell: "responses.gpt-4o" is "gpt-4o".
        headings = [heading.partition(".")[2] for heading in headings]
        tails = {heading.rpartition(".")[2] for heading in headings}
        if len(tails) == 1 and all("." in heading for heading in headings) and min(tails).isalpha():
            headings = [heading.rpartition(".")[0] for heading in headings]
    if not plain:
        of_prompts = [re.match(r"\[(?:[\w.-]+:)*([^\]\n]+)\]\s", heading) for heading in headings]
        if all(of_prompts):
            headings = [found[1] for found in of_prompts if found]
        of_each = [found for _, found in list_headings_with_writer_by_column(headings)]
        of_each += [letters_by_decision_column(headings), versions_by_column(headings)]
        of_each.append(numbers_by_doubled_heading(headings, headings))
        of_each += [authors_by_column(headings), _writers_beside_shared_words(headings)]
        if any(map(IMAGE_GENERATOR.search, headings)) or _file_columns_of_programs(headings):
            of_each.append(makers_by_file_column(headings, plain=True))
        if written := next((of for of in of_each if set(of) == set(headings)), None):
            headings, plain = [written[heading] for heading in headings], True
    of_writers = [] if plain else [writers_by_column(headings)]
    of_writers += [] if plain else [persons_and_machines_by_column(headings)]
    if writers := next((of for of in of_writers if set(of) == set(headings)), None):
        headings = [writers[heading] for heading in headings]
    for heading in headings:
        bare = " ".join(
            re.sub(r"[,;:/]", " ", heading if plain else _without_answer(heading)).split()
        )
        bare = bare if plain else bare.strip(" -–—·|")
        bare = bare if are_names else _without_lone_brackets(bare)
        bare = bare or "model"
        bare = f"{bare} model" if bare.casefold() == "tie" else bare
        name, number = bare, 2
        while name.casefold() in {one.casefold() for one in names}:
            name, number = f"{bare} {number}", number + 1
        names.append(name)
    return names


def _without_lone_brackets(name: str) -> str:
    """A name without a bracket at its end that only opens, or at its beginning that only closes:
    "GPT-4o (", of which the language was taken away.
    """
    name = re.sub(r"\s*[(\[{][\s)\]}]*$", "", name)
    return re.sub(r"^[\s(\[{]*[)\]}]\s*", "", name)


def numbers_by_doubled_heading(names: Sequence[str], among: Sequence[str]) -> dict[str, str]:
    """The headings that are one word for an answer, as it is and with numbers behind it, as
    programs tell doubled headings apart ("Antwort", "Antwort.1"), each with its number from 1;
    empty if there are none, or if a heading ``among`` all is doubled that is no answer, as in a
    chat.
    """
    for name in names:
        again = re.compile(rf"{re.escape(name.strip())}[ ._]?\(?\d{{1,2}}\)?")
        found = [name, *(other for other in names if again.fullmatch(other.strip()))]
        if len(found) < 2 or _without_answer(name):
            continue
        if any(_DOUBLED.fullmatch(other) for other in among if other not in found):
            return {}
        return {one: str(at) for at, one in enumerate(found, 1)}
    return {}


_DOUBLED = compile_later(r".*[^\W\d_][ ._]?\(?\d{1,2}\)?\s*")


_LINKING = ("of", "by", "from", "von", "vom", "de", "du", "del", "des", "van", "-")


_ANSWER_IN_EAST_ASIAN = (
    r"(?:回答|答案|答复|回复|応答|返答|答え|답변|응답|解答|回覆|答覆|出力|输出|대답|출력"
    r"|要約|摘要|总结|總結|요약|คำตอบ)"
)
_EAST_ASIAN_ANSWER = compile_later(rf"[的の]?{_ANSWER_IN_EAST_ASIAN}$")
"""Words for an answer that are written without a space."""
_SIGN_OF_EAST_ASIAN = r"[A-Za-zＡ-Ｚａ-ｚ①-⑨甲乙丙丁]|[0-9０-９]{1,2}"
_EAST_ASIAN_ANSWER_WITH_SIGN = compile_later(
    rf"(.*?)(?:[的の])?({_ANSWER_IN_EAST_ASIAN})"
    rf"({_SIGN_OF_EAST_ASIAN}|[一二三四](?=$)|[アイウエ](?=$)|[가나다라](?=$))"
)
_CAPITAL_BEHIND_WORD = compile_later(r"(.*[a-zß-ÿа-яё])([A-ZА-ЕЁ])")
_EAST_ASIAN = r"\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_BEFORE_SIGN = compile_later(
    rf"(?<=[{_EAST_ASIAN}])(?=(?:{_SIGN_OF_EAST_ASIAN})$)|(?<=[a-zß-ÿа-яё])(?=[A-ZА-ЕЁ]$)"
)


def heading_with_space_before_sign(heading: str) -> str:
    """A heading with a space before a letter or number at its end that is written right behind a
    word: "回答A" is "回答 A", and "AnswerB" is "Answer B".
    """
    return _BEFORE_SIGN.sub(" ", heading.strip())


def _without_number(word: str) -> Sequence[str]:
    """A word for an answer and the number or letter behind it, and what stands before it in
    languages without spaces: "answer1" is "answer" and "1", "AI回答A" is "AI", "回答" and "A".
    """
    if found := _EAST_ASIAN_ANSWER_WITH_SIGN.fullmatch(word):
        return [part for part in found.groups() if part]
    found = re.fullmatch(r"([^\W\d_]+)(\d{1,2})", word) or _CAPITAL_BEHIND_WORD.fullmatch(word)
    return found.groups() if found and _ANSWER.match(found[1]) else [word]


_BETWEEN_WORDS = compile_later(
    r"[\s_:()\[\]/|（）［］【】：]+|(?<=\w)[.\-](?=\D)(?=\w*$)|\s[-–—]\s"
)


def _without_answer(heading: str) -> str:
    """A heading without the words for an answer: "Answer GPT-4o" is "GPT-4o"."""
    words = re.split(
        r"[\s_:()\[\]/|（）［］【】：]+|(?<=\w)[.\-](?=\D)(?=\w*$)|\s[-–—]\s", heading.strip()
    )
    words = [part for word in words for part in _without_number(word)]
    kept = [word for word in words if word and not _ANSWER.match(word)]
    if len(kept) == len([word for word in words if word]):
        return _EAST_ASIAN_ANSWER.sub("", heading.strip())
    return " ".join(word for word in kept if word.casefold() not in _LINKING)


def is_preference_heading(name: str) -> bool:
    """Whether a heading beside chosen and rejected answers holds what somebody thought of them."""
    return bool(_PREFERENCE.search(name))
