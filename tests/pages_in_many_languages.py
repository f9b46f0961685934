"""Pages as the web serves them, in eight languages: walls of a line, short articles, odd bodies.

Written by someone who had not read the rules. Each is served as it stands; ``reads`` holds words
that a reader must find, and is empty where no article is served and the reader must be told so.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import brotli
import zstandard

from tests.labelled_pages import ASTHMA, page
from tests.page_quirks import pdf
from tests.web_server import Served


@dataclass(frozen=True)
class ServedCase:
    """What is served, by path (``/`` is what is cited), and words that are then read."""

    name: str
    pages: Mapping[str, Served] = field(default_factory=dict)
    reads: str = ""


def bare_page(title: str, body: str, language: str = "en", head: str = "") -> str:
    """A page with nothing around its body."""
    return (
        f"<!doctype html><html lang='{language}'><head><meta charset='utf-8'><title>{title}</title>"
        f"{head}</head><body>{body}</body></html>"
    )


def single(name: str, body: str | bytes, reads: str = "", **served: object) -> ServedCase:
    """A case of one page."""
    return ServedCase(name, {"/": Served(body, **served)}, reads)  # type: ignore[arg-type]


# Language, title, text: no article.
WALLS = """
en|example.org|Please enable JavaScript and cookies to continue.
en|Just a moment...|Verifying you are human. This may take a few seconds.
en|Access Denied|Access denied. Reference #18.2d3c1602.1718031234.1a2b3c
en|Journal of Hepatology|This content is available to subscribers only. Purchase access for $39.95.
en|News|This content is not available in your region.
en|Page not found|We can't find the page you are looking for. Try the search or go to the home page.
en|myheart-health.com|The domain myheart-health.com may be for sale. Click here to inquire about this domain.
en|Scheduled maintenance|We are carrying out planned maintenance and will be back shortly.
en|Checking your browser|Checking if the site connection is secure. Ray ID: 7d2f0a1b2c3d4e5f
en|Sign in|Sign in to your account. Email address. Password. Forgotten your password?
en|Your privacy choices|We value your privacy. We and our partners store information on a device. Accept all Manage options
en|Health Portal|Loading...
en|Error|An unexpected error occurred. Please try again later. Error code: 0x8004.
en|Welcome to nginx!|If you see this page, the nginx web server is successfully installed and working. Further configuration is required.
de|Bitte warten|Bitte aktivieren Sie JavaScript in Ihrem Browser, um fortzufahren.
de|Einen Moment bitte|Wir überprüfen, ob Sie ein Mensch sind. Das kann einige Sekunden dauern.
de|Zugriff verweigert|Sie haben keine Berechtigung, auf diese Seite zuzugreifen.
de|Deutsches Ärztemagazin|Dieser Artikel ist nur für Abonnenten. Jetzt anmelden und weiterlesen.
de|Seite nicht gefunden|Die angeforderte Seite existiert leider nicht mehr.
de|Datenschutz|Wir verwenden Cookies. Alle akzeptieren. Nur notwendige Cookies. Einstellungen
de|DocCheck|Dieser Inhalt ist nur für medizinische Fachkreise zugänglich. Bitte loggen Sie sich ein.
de|Wartungsarbeiten|Unsere Website ist wegen Wartungsarbeiten vorübergehend nicht erreichbar.
fr|Un instant|Veuillez activer JavaScript pour continuer.
fr|Vérification|Nous vérifions que vous êtes bien un être humain. Cela peut prendre quelques secondes.
fr|Accès refusé|Vous n'avez pas l'autorisation d'accéder à cette page.
fr|La Revue|Cet article est réservé aux abonnés. Abonnez-vous pour lire la suite.
fr|Page introuvable|La page que vous recherchez n'existe pas ou a été déplacée.
fr|Nos cookies|Nous utilisons des cookies. Tout accepter. Tout refuser. Personnaliser mes choix
fr|Maintenance|Le site est actuellement en maintenance. Merci de revenir plus tard.
es|Un momento|Por favor, active JavaScript para continuar.
es|Comprobación|Verifique que usted es un ser humano completando la siguiente acción.
es|Acceso denegado|No tiene permiso para acceder a este recurso.
es|Revista Médica|Contenido exclusivo para suscriptores. Suscríbase para seguir leyendo.
es|Página no encontrada|La página que busca no existe o ha sido eliminada.
pt|Aguarde|Ative o JavaScript no seu navegador para continuar.
pt|Verificação|Confirme que você não é um robô.
pt|Acesso negado|Você não tem permissão para acessar esta página.
pt|Assine|Conteúdo exclusivo para assinantes. Já é assinante? Entre.
pt|Erro 404|A página que você procura não foi encontrada.
it|Attendere|Abilita JavaScript nel tuo browser per continuare.
it|Accesso negato|Non sei autorizzato a visualizzare questa pagina.
it|Abbonati|Questo articolo è riservato agli abbonati. Accedi o abbonati per continuare a leggere.
it|Pagina non trovata|La pagina che cerchi non esiste.
zh|请稍候|请启用 JavaScript 和 Cookie 以继续。
zh|安全验证|请完成下方验证以确认您不是机器人。
zh|访问被拒绝|您没有权限访问此页面。
zh|页面不存在|抱歉，您访问的页面不存在或已被删除。
zh|登录|请登录后查看全文。
ja|お待ちください|続行するには JavaScript を有効にしてください。
ja|確認|あなたがロボットではないことを確認しています。
ja|アクセスが拒否されました|このページにアクセスする権限がありません。
ja|会員限定|この記事は会員限定です。続きを読むにはログインしてください。
ja|ページが見つかりません|お探しのページは見つかりませんでした。
"""

# Language, title, text: an article, however short; the words read are the text's own.
ARTICLES = """
en|dyspnea|dyspnea (noun): difficult or laboured breathing.
en|Abstract|Background: Gout is common. Methods: We followed 412 adults for a year. Results: Flares fell by a third with allopurinol. Conclusion: Treating to target prevents flares.
en|Loratadine tablets|Each tablet contains loratadine 10 mg. Use: relieves hay fever and hives. Adults and children 6 years and over: one tablet daily; not more than one tablet in 24 hours. Ask a doctor before use if you have liver or kidney disease. Keep out of reach of children. Store between 20 and 25 °C.
en|Access to vascular care|Access to dialysis is denied to many patients in rural areas, where the nearest unit is hours away.
en|Verify the human insulin label|Before each injection check that the vial says human insulin and that it is clear.
en|CYP3A4|Grapefruit juice blocks CYP3A4 in the gut and raises the level of felodipine.
de|Cookies|Cookies sind kleine Textdateien, die eine Website im Browser speichert. Sie dienen dazu, Besucher wiederzuerkennen, etwa damit ein Warenkorb erhalten bleibt. Nach der Datenschutz-Grundverordnung ist für Cookies, die nicht notwendig sind, eine Einwilligung erforderlich. Wer sie ablehnt, darf dadurch keine Nachteile haben.
de|Ikterus|Ikterus, der: Gelbfärbung der Haut durch erhöhtes Bilirubin.
de|Zugang zur Palliativmedizin|Vielen Kranken auf dem Land bleibt der Zugang zu einem Hospiz verwehrt.
fr|Ictère|Ictère, nom masculin : coloration jaune de la peau due à un excès de bilirubine.
fr|Paracétamol|Ne pas dépasser 4 g par jour. Consultez un médecin si la fièvre dure plus de trois jours.
es|Disnea|Disnea: dificultad para respirar. Aparece en la insuficiencia cardíaca y en el asma.
pt|Febre amarela|A febre amarela é transmitida por mosquitos e pode ser prevenida por vacina.
it|Ittero|L'ittero è la colorazione gialla della cute dovuta all'aumento della bilirubina.
zh|痛风|痛风是由尿酸盐结晶沉积在关节引起的疾病，多见于中年男性。
ja|痛風|痛風は尿酸の結晶が関節にたまって起こる病気で、中年の男性に多い。
"""


def line_cases(lines: str, *, are_walls: bool) -> list[ServedCase]:
    """A page for each line of ``WALLS`` or ``ARTICLES``."""
    made = []
    for line in filter(None, lines.splitlines()):
        language, title, text = line.split("|", 2)
        body = f"<h1>{title}</h1><p>{text}</p>"
        made.append(
            single(
                f"{language} {title}",
                bare_page(title, body, language),
                "" if are_walls else text,
            )
        )
    return made


_ARTICLE = page("Asthma", ASTHMA)
_RAW = _ARTICLE.encode()
_WORDS = ASTHMA[:60]
_UMLAUT = "Die Übelkeit läßt nach, wenn der Säugling häufiger kleine Mahlzeiten erhält. "
_GERMAN = bare_page("Säuglinge", f"<h1>Säuglinge</h1><p>{_UMLAUT * 6}</p>", "de")
_GERMAN = _GERMAN.replace("<meta charset='utf-8'>", "")
_JAPANESE = "喘息は気道の慢性の炎症によって起こる病気で、夜間や早朝に咳や息苦しさが現れる。"
_CHINESE = "哮喘是一种气道慢性炎症性疾病，常在夜间或清晨出现咳嗽和气促。"


def _other(text: str, language: str, charset: str) -> str:
    return (
        f"<html lang='{language}'><head><title>X</title><meta charset='{charset}'></head>"
        f"<body><h1>X</h1><p>{text * 6}</p></body></html>"
    )


def _deflate_raw(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


def _encoded(
    name: str, body: bytes, coding: str, reads: str = _WORDS, **served: object
) -> ServedCase:
    return single(name, body, reads, headers={"content-encoding": coding}, **served)


_PDF = pdf(*(["Colchicine is given early in an attack of gout and its dose is kept low."] * 6))

BODIES = [
    _encoded("gzip", gzip.compress(_RAW), "gzip"),
    _encoded("x-gzip", gzip.compress(_RAW), "x-gzip"),
    _encoded("deflate, zlib", zlib.compress(_RAW), "deflate"),
    _encoded("deflate, raw", _deflate_raw(_RAW), "deflate"),
    _encoded("brotli", brotli.compress(_RAW), "br"),
    _encoded("zstandard", zstandard.ZstdCompressor().compress(_RAW), "zstd"),
    _encoded(
        "zstandard in two frames",
        b"".join(zstandard.ZstdCompressor().compress(half) for half in (_RAW[:500], _RAW[500:])),
        "zstd",
    ),
    _encoded("gzip in brotli", brotli.compress(gzip.compress(_RAW)), "gzip, br"),
    _encoded("brotli cut short", brotli.compress(_RAW)[:-300], "br", ""),
    _encoded("zstandard cut short", zstandard.ZstdCompressor().compress(_RAW)[:-300], "zstd", ""),
    _encoded("gzip cut short", gzip.compress(_RAW)[:-300], "gzip", ""),
    _encoded("called brotli, is plain", _RAW, "br"),
    _encoded("called zstd, is plain", _RAW, "zstd"),
    _encoded("called gzip, is brotli", brotli.compress(_RAW), "gzip", ""),
    _encoded("called br, is gzip", gzip.compress(_RAW), "br"),
    single("gzip, not called so", gzip.compress(_RAW), _WORDS),
    single("zstd, not called so", zstandard.ZstdCompressor().compress(_RAW), _WORDS),
    _encoded("utf-8 as a coding", _RAW, "utf-8"),
    _encoded("brotli bomb", brotli.compress(b"<p>gout " + b"a" * 40_000_000, quality=5), "br", ""),
    _encoded(
        "zstd bomb",
        zstandard.ZstdCompressor().compress(b"<p>gout " + b"a" * 40_000_000),
        "zstd",
        "",
    ),
    _encoded("gzip bomb", gzip.compress(b"<p>gout " + b"a" * 40_000_000), "gzip", ""),
    single("utf-16 with a mark", _GERMAN.encode("utf-16"), "Übelkeit läßt", kind="text/html"),
    single(
        "utf-16 little endian by header",
        _GERMAN.encode("utf-16-le"),
        "Übelkeit läßt",
        kind="text/html; charset=utf-16le",
    ),
    single(
        "windows-1252, nothing said", _GERMAN.encode("cp1252"), "Übelkeit läßt", kind="text/html"
    ),
    single("utf-8, nothing said", _GERMAN, "Übelkeit läßt", kind="text/html"),
    single(
        "utf-8 called latin-1 by its meta",
        _GERMAN.replace("<head>", "<head><meta charset='iso-8859-1'>"),
        "Übelkeit läßt",
        kind="text/html",
    ),
    single("cp1252 called utf-8 by its header", _GERMAN.encode("cp1252"), "Übelkeit läßt"),
    single(
        "Shift_JIS by meta",
        _other(_JAPANESE, "ja", "Shift_JIS").encode("shift_jis"),
        _JAPANESE,
        kind="text/html",
    ),
    single(
        "EUC-JP by header",
        _other(_JAPANESE, "ja", "").encode("euc_jp"),
        _JAPANESE,
        kind="text/html; charset=EUC-JP",
    ),
    single(
        "GB18030 by meta",
        _other(_CHINESE, "zh", "gb18030").encode("gb18030"),
        _CHINESE,
        kind="text/html",
    ),
    single(
        "gb2312 said, GBK sent",
        _other(_CHINESE + "朱镕基囍", "zh", "gb2312").encode("gbk"),
        _CHINESE,
        kind="text/html",
    ),
    single(
        "Big5 by header",
        _other("氣喘是一種呼吸道的慢性發炎疾病，常在夜間咳嗽。", "zh", "").encode("big5"),
        "氣喘是一種",
        kind="text/html; charset=big5",
    ),
    single("PDF called HTML", _PDF, "Colchicine is given", kind="text/html"),
    single("PDF called text", _PDF, "Colchicine is given", kind="text/plain"),
    single("PDF called octet-stream", _PDF, "Colchicine is given", kind="application/octet-stream"),
    single("HTML called PDF", _RAW, _WORDS, kind="application/pdf"),
    single("HTML called text", _RAW, _WORDS, kind="text/plain"),
    single("HTML called JSON", _RAW, _WORDS, kind="application/json"),
    single("text called HTML", (ASTHMA + "\n\n") * 4, _WORDS),
    single("XHTML", "<?xml version='1.0'?>" + _ARTICLE, _WORDS, kind="application/xhtml+xml"),
    single("no type", _RAW, _WORDS, kind=""),
    single("a picture called HTML", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, ""),
    single("a zip called PDF", b"PK\x03\x04" + bytes(range(256)) * 20, "", kind="application/pdf"),
    single("203", _RAW, _WORDS, status=203),
    single(
        "206, whole",
        _RAW,
        _WORDS,
        status=206,
        headers={"content-range": f"bytes 0-{len(_RAW) - 1}/{len(_RAW)}"},
    ),
    single(
        "206, a part",
        _RAW,
        "",
        status=206,
        headers={"content-range": f"bytes 0-{len(_RAW) - 1}/900000"},
    ),
    single("204", "", "", status=204),
    single(
        "451 with a page", bare_page("451", "<p>Unavailable for legal reasons.</p>"), "", status=451
    ),
    single(
        "410 with a page",
        page("Gone", "This page was removed. Read about asthma instead. " * 20),
        "",
        status=410,
    ),
    single("429 with a page", bare_page("Slow down", "<p>Too many requests.</p>"), "", status=429),
    single("503 with a page", page("Sorry", "We are down for maintenance. " * 20), "", status=503),
    single(
        "403 challenge",
        bare_page("Just a moment...", "<p>Enable JavaScript and cookies to continue</p>"),
        "",
        status=403,
    ),
    ServedCase(
        "meta refresh",
        {
            "/": Served(
                bare_page(
                    "Redirecting",
                    "<p>Please wait…</p>",
                    head="<meta http-equiv='refresh' content='0; url={}/real'>",
                )
            ),
            "/real": Served(_ARTICLE),
        },
        _WORDS,
    ),
    ServedCase(
        "meta refresh and base",
        {
            "/": Served(
                bare_page(
                    "Moved",
                    "",
                    head="<base href='{}/sub/'><meta http-equiv=refresh content='1;URL=real'>",
                )
            ),
            "/sub/real": Served(_ARTICLE),
        },
        _WORDS,
    ),
    ServedCase(
        "redirect to log-in",
        {
            "/": Served("", 302, headers={"location": "{}/login?next=/"}),
            "/login?next=/": Served(
                page("Log in", "Please log in to continue.", "<form><input type=password></form>")
            ),
        },
        "",
    ),
    ServedCase(
        "redirect in a circle",
        {
            "/": Served("", 302, headers={"location": "{}/b"}),
            "/b": Served("", 302, headers={"location": "{}/"}),
        },
        "",
    ),
    ServedCase(
        "308", {"/": Served("", 308, headers={"location": "{}/b"}), "/b": Served(_ARTICLE)}, _WORDS
    ),
    ServedCase(
        "a cookie is needed",
        {
            "/": Served(
                _ARTICLE,
                set_cookies=("a=1; Path=/",),
                needs=("a=1",),
                without=Served("", 302, headers={"location": "{}/"}, set_cookies=("a=1; Path=/",)),
            )
        },
        _WORDS,
    ),
    ServedCase(
        "cookies refused for ever",
        {
            "/": Served(
                _ARTICLE,
                needs=("b=2",),
                without=Served(
                    bare_page("Cookies", "<p>Your browser does not accept cookies.</p>")
                ),
            )
        },
        "",
    ),
    ServedCase(
        "a frame",
        {
            "/": Served(
                "<html><head><title>Asthma</title></head><frameset><frame src='{}/in'></frameset></html>"
            ),
            "/in": Served(_ARTICLE),
        },
        _WORDS,
    ),
    single(
        "an empty app",
        bare_page("Asthma", "<div id='root'></div><script src='/a.js'></script>"),
        "",
    ),
    single(
        "an app that needs scripts",
        bare_page(
            "Asthma",
            "<noscript>You need to enable JavaScript to run this app.</noscript><div id='app'></div>",
        ),
        "",
    ),
    single("nothing at all", "", ""),
]

SERVED_CASES = [
    *line_cases(WALLS, are_walls=True),
    *line_cases(ARTICLES, are_walls=False),
    *BODIES,
]
