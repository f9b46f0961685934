"""The encoding of a text file that is not UTF-8 is told by its letters."""

from __future__ import annotations

import pytest

from medlens.tables.text_encoding_detection import guess_encoding_and_its_description

TEXTS = {
    "cp1251": "Можно ли принимать метформин при болезни почек? Обратитесь к врачу.",
    "koi8-r": "Можно ли принимать метформин при болезни почек? Обратитесь к врачу.",
    "gb18030": "肾功能不全时还能继续服用二甲双胍吗?首先给予口服补液,并重新评估。",
    "big5": "腎功能不全時還能繼續服用藥物嗎?患者到達後應在十分鐘內完成心電圖檢查。",
    "cp932": "子どもが三日間熱を出しています。まず経口補液を行い、再評価します。",
    "cp949": "신장 질환이 있어도 메트포르민을 계속 복용할 수 있습니까? 의사와 상담하십시오.",
    "cp1253": "Μπορώ να συνεχίσω τη μετφορμίνη με νεφρική νόσο; Ρωτήστε τον γιατρό σας.",
    "cp1255": "האם אפשר להמשיך לקחת מטפורמין עם מחלת כליות? יש לבצע אקג תוך עשר דקות",
    "cp1256": "هل يمكنني الاستمرار في الميتفورمين مع مرض الكلى؟ يجب إجراء تخطيط القلب",
    "cp1250": "Gorączka, ból głowy, zażółcenie skóry, świąd. Należy wykonać EKG w ciągu chwili.",
    "euc_jp": "子どもが三日間熱を出しています。まず経口補液を行い、再評価します。",
    "iso2022_jp": "子どもが三日間熱を出しています。まず経口補液を行い、再評価します。",
    "mac_roman": "Une fièvre élevée après l'opération doit être évaluée à l'hôpital.",
    "cp850": "Bei Übelkeit, Schwäche und Müdigkeit prüfen; größere Dosen führen zu Übelkeit.",
    "cp852": "Gorączka, ból głowy, zażółcenie skóry, świąd. Należy wykonać EKG w ciągu chwili.",
    "mac_latin2": "Pacient má tři dny horečku a dušnost. Nejprve změřte saturaci kyslíku.",
    "cp1257": "Pacientas karščiuoja tris dienas, jį vargina dusulys. Būtina kuo skubiau ištirti.",
    "utf-16-le": "Is rest good for a stiff neck?",
    "utf-16-be": "Is rest good for a stiff neck?",
    "cp1254": "Böbrek hastalığında kullanmaya devam edebilir miyim? Ağızdan sıvı, ateş, döküntü.",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_the_encoding_of_a_language_is_known_by_its_letters(encoding: str) -> None:
    content = f"id,question,GPT-4\n1,{TEXTS[encoding]},yes\n".encode(encoding)
    assert guess_encoding_and_its_description(content)[0] == encoding
    assert guess_encoding_and_its_description(f"id,question\n1,{TEXTS[encoding]}\n".encode()) == (
        "",
        "",
    )


@pytest.mark.parametrize(
    "text",
    [
        "Bei Übelkeit, Schwäche und Müdigkeit prüfen; größere Dosen führen zu Nebenwirkungen.",
        "Une fièvre élevée après l'opération doit être évaluée sans délai à l'hôpital.",
        "¿Cuándo debo ir al médico? Después de la operación, según la evolución del niño.",
        "Får jag ta läkemedel för hjärtat på kvällen? Ja, men fråga först på vårdcentralen.",
        "Ich nehme 5 µg täglich – “wie besprochen” – für 3 €.",
    ],
)
def test_western_text_is_left_to_windows_1252(text: str) -> None:
    assert guess_encoding_and_its_description(text.encode("cp1252")) == ("", "")


WESTERN_AND_CENTRAL = {
    "Czech": "Dítě má štěkavý kašel od včerejší noci a při nádechu píská. Můžeme počkat?",
    "Slovak": "Dieťa má štekavý kašeľ od včerajšej noci; môžeme počkať, kým sa zotmie? Ľúto.",
    "Hungarian": "A gyermek tegnap óta ugatóan köhög; várhatunk hétfőig? Nehezen lélegzik, fűt.",
    "Croatian": "Dijete od sinoć jako kašlje, možemo li čekati do ponedjeljka? Teško diše, žeđ.",
    "Romanian": "Copilul tușește lătrător de azi-noapte. Putem aștepta până luni, vă rog frumos?",
    "German": "Das Kind hustet seit gestern bellend. Übelkeit; können wir warten? Größe?",
    "French": "L'enfant a une toux aboyante depuis hier. Peut-on attendre ? Où ça, déjà ?",
    "Spanish": "¿Cuándo debo llevar al niño? Tos desde anoche; después de la operación, fiebre.",
    "Portuguese": "A criança tem tosse rouca desde ontem à noite. Não respira; é urgência?",
    "Danish": "Barnet har haft gøende hoste siden i går aftes. Må vi vente? Både feber og åndenød.",
}
ENCODINGS = (
    "cp1252",
    "cp1250",
    "iso8859-2",
    "iso8859-16",
    "mac_roman",
    "mac_latin2",
    "cp850",
    "cp852",
)


def has_every_letter(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


PAIRS = [
    (encoding, language)
    for encoding in ENCODINGS
    for language, text in WESTERN_AND_CENTRAL.items()
    if has_every_letter(encoding, text)
]


@pytest.mark.parametrize(("encoding", "language"), PAIRS)
def test_a_text_is_read_as_it_was_written_whatever_encoding_has_its_letters(
    encoding: str, language: str
) -> None:
    text = WESTERN_AND_CENTRAL[language]
    content = f"nr;text\r\n1;{text}\r\n2;{text}\r\n".encode(encoding)
    read = content.decode(guess_encoding_and_its_description(content)[0] or "cp1252", "replace")
    # Romanian has the same letters with a comma and with a cedilla.
    assert text in read.translate(str.maketrans("şţ", "șț"))


def test_names_from_many_countries_leave_a_western_text_western() -> None:
    text = "Müller, Çelik, Nuñez, Ørsted, Brønsted, Guérin, Gonçalves, Åström, Besançon, Sjögren"
    assert guess_encoding_and_its_description(text.encode("cp1252")) == ("", "")


def test_a_character_cut_at_the_end_of_what_is_looked_at_is_no_fault() -> None:
    text = "ä" * 150_000
    assert guess_encoding_and_its_description(text.encode()) == ("", "")
