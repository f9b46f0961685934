"""Where a text says of itself that a machine wrote it ("As an AI, I …"): beside texts that people
wrote that tells as much as a model's name.
"""

from __future__ import annotations

import re

from medlens.deferred_regex import compile_later

_PERSON = compile_later(
    r"(?i)(?<![^\W_])(?:"
    r"humans?|people|persons?|physicians?|clinicians?|doctors?|dr|prof(?:essors?)?|gps?|nurses?"
    r"|experts?|residents?|registrars?|trainees?|interns?|consultants?|attendings?|surgeons?"
    r"|dentists?|pharmacists?|\w*therapists?|psychiatrists?|specialists?|\w+ologists?"
    r"|\w+iatricians?|an[a]?esthetists?|midwi(?:fe|ves)|paramedics?|dieti[ct]ians?|counsell?ors?"
    r"|students?|staff|author"
    r"|\w*[aä]rzt\w*|aerzt\w*|mediziner\w*|kliniker\w*|\w*pfleg(?:e|er|erin|ende|ekraft|ekr[äa]fte)"
    r"|hebammen?|apotheker\w*|\w+olog(?:e|in|en|innen)|\w*chirurg\w*|internist\w*|psychiater\w*"
    r"|expert(?:e|en|in|innen|es|a|o|as|os)|fach(?:kraft|person|leute)|mensch(?:en|lich\w*)?"
    r"|student(?:in|en|e|i)?|docteure?s?|m[ée]decins?|internes?|infirmi[eè]re?s?|sage[ -]femmes?"
    r"|doutor(?:a|es|as)?"
    r"|pharmacien(?:ne)?s?|chirurgien(?:ne)?s?|chefs? de clinique|praticien(?:ne)?s?|soignante?s?"
    r"|humain(?:e|s)?|human[oa]s?|m[ée]dic[oaih]e?s?|doctora?e?s?|dottor\w*|enfermer[oa]s?"
    r"|enfermeir[oa]s?|infermier\w*|farmac[ée]utic\w*|farmacist[aie]|especialistas?|specialist[aie]"
    r"|residentes?|cirujan\w*|cirurgi\w*|cl[íi]nico|esperto|specializzand\w*|uman[oi]"
    r"|\w*arts|\w*artsen|dokters?|doktor|verpleegkundigen?|mens|menselijk|deskundigen?"
    r"|\w*l[äæa]kare|\w*l[æe]ger?|sjuksk[öo]tersk\w*|sygeplejersk\w*|sykepleier|menneske|m[äa]nniska"
    r"|l[äa][äa]k[äa]ri|hoitaja|ekspert\w*|lekarz\w*|lekark\w*|piel[eę]gniark\w*|cz[lł]owiek"
    r"|l[ée]ka[rř]\w*|orvos\w*|hekim\w*|hem[sş]ire\w*|uzman\w*|insan\w*|ludzk\w+|cz[lł]owieka|lidsk\w+"
    r"|ember(?:i)?|ihmi(?:nen|sen|s\w+)|čovjek|ljudsk\w+|ανθρωπ\w+|άνθρωπ\w+|человека|человеческ\w+"
    r"|людск\w+|людськ\w+|людин[аи]|(?:ال)?بشري\w*|انسانی?|אנושי\w*|אדם|मानव\w*|मानवीय"
    r"|translators?|interpreters?|[uü]bersetzer\w*|dolmetscher\w*|traduct(?:eur|rice|or|ora)e?s?"
    r"|tradutora?(?:es)?|traduttor[ei]|traduttrice|vertaler\w*|t[lł]umacz(?:a|e|y|ki|ka|em)?|p[rř]eklada?tel\w*"
    r"|[oö]vers[aä]ttare|oversetter\w*|overs[aæ]tter\w*|[cç]evirmen\w*|переводчик\w*|перекладач\w*"
    r"|dispatchers?|disponent(?:in|en|innen)?|triagist(?:e|en|in|s)?|triagevpk|triage ?nurses?"
    r"|врач\w*|доктор\w*|человек|эксперт\w*|медсестра|лікар\w*|γιατρ[όο]ς|ιατρ[όο]ς"
    r"|(?:ال)?طبيب\w*|(?:ال)?(?:إنسان|ممرض\w*|خبير|دكتور\w*|صيدلي)|ה?(?:רופא|מומח|אחות)\w*|डॉक्टर|चिकित्सक"
    r")(?![^\W_])"
    r"|医師|医者|人間|看護師|専門家|薬剤師|医生|医师|主任|人类|专家|护士|醫師|醫生|人類|專家|護士|译者|譯者"
    r"|翻訳者|人手|人力|人工(?!智|知)|의사|인간|전문의|간호사|전문가|번역가|사람"
)
_MACHINE = compile_later(
    r"(?i)(?<![^\W_])(?:ai|ki|ia|llms?|\w*gpt\w*|chat ?bots?|bots?|machine|maschine|virtual|digital"
    r"|avatar|agents?|(?:language )?models?|modell|simulated|synthetic|artificial)(?![^\W_])"
)
_AN_AI = {
    # English: "As an AI language model", "I'm just a chatbot"; not "as an AI-based tool showed".
    r"\b(?:as|being|since i am|i am|i['’]m|we are)(?: (?:only|just|merely|not a doctor but))?"
    r" (?:an? |your )?(?:(?:simple|helpful|virtual|medical|digital|health|large) )*": (
        r"(?:AI(?!-\w|[ -](?:based|assisted|generated|supported|driven|tools?\b))"
        r"|artificial intelligence|language model|LLM|chat ?bot|virtual assistant"
        r"|digital assistant|computer program|virtual health assistant)\b"
    ),
    r"\b(?:als|ich bin|bin ich|da ich)(?: (?:nur|lediglich|bloß|reine?s?|eine?|virtuelle[rs]?"
    r"|digitale[rs]?|gro(?:ß|ss)es|medizinische[rs]?))*": (
        r" (?:KI(?!-(?:gest|bas|unter|gener))|K\.I\.|AI(?!-\w)|künstliche Intelligenz"
        r"|\w*sprachmodell|LLM|chatbot|(?:virtuelle|digitale)r assistent|computerprogramm)\b"
    ),
    r"\b(?:en tant qu['’]|en tant que |étant |je (?:ne )?suis )(?:pas )?(?:qu['’])?(?:une? )?"
    r"(?:simple |grand )?": (
        r"(?:IA|intelligence artificielle|modèle (?:de lang(?:age|ue)|linguistique|d['’]IA)"
        r"|assistante? (?:virtuel|numérique|IA)|chatbot|agent conversationnel|programme)\b"
    ),
    r"\b(?:como|soy|sou|al ser|siendo|sendo|enquanto|come|in quanto|essendo|sono)"
    r" (?:s[óo]lo |apenas |solo |soltanto )?(?:una? |uma? |un['’])?(?:gran |grande )?": (
        r"(?:IA|AI|inteligencia artificial|inteligência artificial|intelligenza artificiale"
        r"|model[oe]s? de (?:lenguaje|linguagem|IA)|modello (?:linguistico|di linguaggio)|LLM"
        r"|asistente virtual|assistente virtuale?|chatbot)\b"
    ),
    r"\b(?:als|ik ben|som|jag är|jeg er|ettersom jeg er|eftersom jag är)"
    r"(?: (?:slechts|maar|bara|kun|bare|een|en|et|ett|stor|stort|groot))*": (
        r" (?:AI(?!-(?:ge|ba|st))|kunstmatige intelligentie|taalmodel|virtuele assistent|chatbot"
        r"|chattbot|artificiell intelligens|kunstig intelligens|spr[åa]kmodell?|sprogmodel"
        r"|virtuell assistent)\b"
    ),
    r"\b(?:jako|jestem|jsem)(?: tylko| pouze| jen)?": (
        r" (?:AI|SI|model(?:em)? językowy[m]?|sztuczn[aą] inteligencj[aą]|asystent(?:em)? AI"
        r"|umělá inteligence|jazykový model|chatbot)\b"
    ),
    r"": (
        r"\bbir yapay zek[âa]|\byapay zek[âa] (?:dil modeli|asistanı)? ?olarak"
        r"|\btekoälynä\b|\bkielimallina\b|mesterséges intelligenciaként"
        r"|nyelvi modellként|\b(?:как|я(?: —| -)?|будучи) (?:большая )?(?:ИИ|языковая модель|"
        r"искусственный интеллект|нейросеть|виртуальный ассистент|чат-бот)\b"
        r"|\b(?:як|я(?: —)?) (?:ШІ|мовна модель|штучний інтелект)\b"
        r"|(?:AI|人工知能)(?:言語モデル|アシスタント)?(?:として|である私|ですので|なので)"
        r"|言語モデルとして|私はAI|私は人工知能|作为(?:一个|一名|一款)?(?:人工智能|AI|语言模型|大语言模型|大型语言模型)"
        r"|我(?:只)?是(?:一个|一名)?(?:人工智能|AI|语言模型)|作為(?:一個)?(?:人工智慧|AI|語言模型)"
        r"|(?:AI|인공지능|언어 ?모델)(?:으)?로서|저는 (?:AI|인공지능)"
        r"|(?:AI|인공지능)(?:이)?기 때문에"
        r"|(?:كنموذج|بصفتي نموذج\w*|بصفتي|باعتباري|أنا مجرد|أنا)"
        r" (?:\w+ )?(?:لغوي|ذكاء|الذكاء|نموذج|روبوت)"
        r"|Ως (?:μοντέλο|τεχνητή|ΤΝ)|είμαι (?:ένα )?(?:γλωσσικό μοντέλο|τεχνητή)"
        r"|(?:AI|एआई)(?: भाषा मॉडल)? के रूप में|כמודל שפה|כבינה מלאכותית|אני בינה מלאכותית"
    ),
    # What only a machine says of itself.
    r"\bmy ": r"(?:training data|knowledge cut-?off|programming)\b",
}
_SAYS_SO = compile_later(
    "(?i)" + "|".join(f"(?:{before}(?:{named}))" for before, named in _AN_AI.items())
)


def is_name_of_person(name: str) -> bool:
    """Whether an arm's name says that a person wrote its texts ("GP", "Ärztin", "Dr Miller"), and
    not a machine that is called so ("AI doctor").
    """
    words = name.replace("_", " ").strip()
    return bool(_PERSON.search(words)) and not _MACHINE.search(words)


def is_word_for_person(words: str) -> bool:
    """Whether words are a common noun for a person who writes answers, and nothing else."""
    return bool(_PERSON.fullmatch(words.strip()))


def phrases_of_machine_about_itself(text: str) -> list[str]:
    """The words in which a text says that a machine wrote it, each once, as written there."""
    found = (re.sub(r"\s+", " ", one[0]).strip() for one in _SAYS_SO.finditer(text))
    return list(dict.fromkeys(found))
