"""Pages under a wrong charset are read as what they say, and all others as they were."""

from __future__ import annotations

import pytest

from medlens.web.content_sniffing import decode_body
from medlens.web.wrong_charset_detection import likeliest_encoding

TEXTS = {
    "Czech": (
        ("cp1250", "iso8859-2"),
        "Chřipka je akutní onemocnění dýchacích cest způsobené virem. Příznaky zahrnují horečku,"
        " kašel, bolesti hlavy a svalů. Léčba je obvykle podpůrná, očkování se doporučuje.",
    ),
    "Polish": (
        ("cp1250", "iso8859-2"),
        "Grypa jest ostrą chorobą zakaźną układu oddechowego wywoływaną przez wirusy. Objawy"
        " obejmują gorączkę, kaszel, bóle głowy i mięśni. Szczepienie zaleca się co roku.",
    ),
    "Hungarian": (
        ("cp1250", "iso8859-2"),
        "Az influenza a légutak heveny fertőző betegsége, amelyet vírus okoz. A tünetek közé"
        " tartozik a láz, köhögés, fejfájás. A nőknek is ugyanannyi gyógyszer kell, gyűjtsön erőt.",
    ),
    "Romanian": (
        ("cp1250", "iso8859-2"),
        "Gripa este o boală acută a căilor respiratorii provocată de un virus. Simptomele includ"
        " febră, tuse şi dureri musculare. Pacienţii cu risc primesc antivirale în fiecare an.",
    ),
    "Turkish": (
        ("cp1254",),
        "Grip, virüslerin neden olduğu akut bir solunum yolu hastalığıdır. Belirtiler arasında"
        " ateş, öksürük, baş ağrısı ve kas ağrısı bulunur. Aşı her yıl önerilir.",
    ),
    "Greek": (
        ("cp1253", "iso8859-7"),
        "Η γρίπη είναι μια οξεία λοίμωξη του αναπνευστικού που προκαλείται από ιό. Τα συμπτώματα"
        " περιλαμβάνουν πυρετό, βήχα, πονοκέφαλο και μυαλγίες.",
    ),
    "Russian": (
        ("cp1251", "koi8-r", "iso8859-5"),
        "Грипп - острое вирусное заболевание дыхательных путей. Симптомы включают лихорадку,"
        " кашель, головную и мышечную боль. Лечение обычно симптоматическое.",
    ),
    "French": (
        ("cp1252",),
        "La grippe est une infection aiguë des voies respiratoires due à un virus. Les symptômes"
        " comprennent la fièvre et la toux. Le vaccin est recommandé chaque année aux âgés.",
    ),
    "Portuguese": (
        ("cp1252",),
        "A gripe é uma infecção aguda das vias respiratórias causada por um vírus. A vacinação é"
        " recomendada todos os anos; não há contraindicações graves à vacina.",
    ),
}
WRONG = (
    *("", "iso-8859-1", "windows-1252", "utf-8", "iso-8859-2", "windows-1250", "windows-1251"),
    *("iso-8859-9", "windows-1254", "iso-8859-7", "shift_jis", "gb2312", "us-ascii"),
)


@pytest.mark.first_quick
@pytest.mark.parametrize("language", TEXTS)
def test_a_page_under_a_wrong_charset_is_read_rightly(language: str) -> None:
    encodings, text = TEXTS[language]
    wrong = []
    for encoding in encodings:
        for said in WRONG:
            meta = f'<meta charset="{said}">' if said else ""
            for head, header in (("", said), (meta, "")):
                begin = f"<html><head>{head}<title>x</title></head><body><p>".encode()
                body = begin + text.encode(encoding) + b"</p></body></html>"
                if text not in decode_body(body, header):
                    wrong.append((encoding, said, bool(head)))
    assert not wrong


# What is written rightly in other encodings stays what its page says it is.
DECLARED = {
    "cp1255": "שפעת היא מחלה נגיפית חריפה של דרכי הנשימה. התסמינים כוללים חום, שיעול וכאבים.",
    "cp1256": "الإنفلونزا مرض فيروسي حاد يصيب الجهاز التنفسي. تشمل الأعراض الحمى والسعال.",
    "cp874": "ไข้หวัดใหญ่เป็นโรคติดเชื้อไวรัสเฉียบพลันของระบบทางเดินหายใจ อาการได้แก่ ไข้ ไอ",
    "gb18030": "流感是一种由病毒引起的急性呼吸道感染。症状包括发热、咳嗽、头痛和肌肉酸痛。",
    "big5": "流感是一種由病毒引起的急性呼吸道感染。症狀包括發燒、咳嗽、頭痛和肌肉酸痛。",
    "shift_jis": "インフルエンザはウイルスによる急性の呼吸器感染症です。発熱、咳、頭痛。",
    "euc_jp": "インフルエンザはウイルスによる急性の呼吸器感染症です。発熱、咳、頭痛。",
    "euc_kr": "인플루엔자는 바이러스에 의한 급성 호흡기 감염입니다. 발열, 기침, 두통이 있습니다.",
    "cp1257": "Gripas yra ūminė virusinė kvėpavimo takų liga. Karščiavimas, kosulys, galvos.",
}


@pytest.mark.parametrize("encoding", DECLARED)
def test_a_page_that_says_rightly_what_it_is_stays_that(encoding: str) -> None:
    text = DECLARED[encoding]
    body = f'<html><meta charset="{encoding}"><p>'.encode() + text.encode(encoding) + b"</p></html>"
    assert text in decode_body(body)
    if encoding != "cp1257":
        # Nor is it taken for Greek or Russian where nothing is declared.
        assert likeliest_encoding(body.replace(encoding.encode(), b"x")) == ""


def test_a_few_names_in_an_english_page_say_nothing_about_its_charset() -> None:
    body = "Written by Jiří Dvořák, treated with naïve T cells.".encode("cp1252", "replace")
    assert likeliest_encoding(body, "cp1250") == ""
    assert likeliest_encoding(b"Plain English.", "cp1251") == ""
