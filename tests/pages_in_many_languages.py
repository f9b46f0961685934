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

# Written after the first ones were mended.
WALLS_LATER = """
en|PressReader|You've reached your limit of free articles. Start your trial for £1.
en|One more step|Please complete the security check to access www.cardio.example
en|Request rejected|The requested URL was rejected. Please consult with your administrator. Your support ID is: 1234567890
en|Clinical Guidelines|You do not have access to this document. Log in via your institution.
en|451|Due to legal reasons we are unable to serve visitors from the European Economic Area.
en|drug-facts.net|This domain has expired. Renew it now. Related searches: Pain relief, Arthritis, Back pain
en|Web app|This site requires JavaScript to run correctly. Please turn on JavaScript or unblock scripts.
en|Be right back|Our systems are having a rest. Grab a coffee and check again in a few minutes.
en|Article removed|The article you requested has been removed from our database.
en|Continue reading|Create a free account to continue reading. Already have an account? Sign in.
en|Are you 18 or over?|You must confirm your age before entering this site. Yes No
en|Robot or human?|Activate and hold the button to confirm that you're human. Thank you!
en|Account suspended|This account has been suspended. Contact your hosting provider for more information.
en|Index of /|Index of / Name Last modified Size Description Parent Directory
de|Apotheken Blatt|Sie haben Ihr Kontingent an freien Artikeln aufgebraucht. Registrieren Sie sich kostenlos.
de|Sicherheitsprüfung|Bestätigen Sie, dass Sie kein Roboter sind.
de|Fehler 403|Der Zugriff auf diese Ressource wurde vom Betreiber gesperrt.
de|Leider nicht verfügbar|Dieser Inhalt ist in Ihrem Land nicht verfügbar.
de|Domain zu verkaufen|Diese Domain steht zum Verkauf. Jetzt Angebot abgeben.
de|Fachportal|Für den vollständigen Zugriff loggen Sie sich bitte mit Ihrem Fachkreis-Zugang ein.
fr|Abonnés|Il vous reste 85 % de cet article à lire. La suite est réservée aux abonnés.
fr|Non disponible|Ce contenu n'est pas disponible dans votre pays.
fr|Robot|Merci de confirmer que vous n'êtes pas un robot.
fr|Espace professionnel|Ce site est réservé aux professionnels de santé. Je certifie être professionnel de santé.
es|Cookies|Utilizamos cookies propias y de terceros. Aceptar todas. Rechazar. Configurar
es|Mantenimiento|Estamos realizando tareas de mantenimiento. Vuelva más tarde.
es|Acceso|Inicie sesión para ver el contenido completo.
pt|Indisponível|Este conteúdo não está disponível no seu país.
pt|Manutenção|O site está em manutenção. Volte mais tarde.
it|Verifica|Conferma di non essere un robot.
it|Non disponibile|Questo contenuto non è disponibile nel tuo paese.
it|Cookie|Questo sito utilizza cookie. Accetta tutti. Rifiuta. Preferenze
zh|系统维护|系统正在维护中，请稍后再访问。
zh|提示|您的访问过于频繁，请输入验证码。
zh|订阅|本文仅限会员阅读，请订阅后查看。
ja|メンテナンス|ただいまメンテナンス中です。しばらくしてから再度アクセスしてください。
ja|お知らせ|このコンテンツはお住まいの地域ではご利用いただけません。
ja|ログイン|全文を読むにはログインが必要です。
"""

ARTICLES_LATER = """
en|haematuria|haematuria /ˌhiːməˈtjʊərɪə/ noun: the presence of blood in urine.
en|Robot-assisted prostatectomy|Robots hold the instruments while the surgeon sits at a console. Blood loss is lower.
en|Sign of Babinski|The big toe extends when the sole is stroked. In adults it points to a lesion of the pyramidal tract.
en|Limited access to insulin|In 2019, one in two people who needed insulin had no access to it.
en|Loading dose|A loading dose of digoxin is given when a rapid effect is wanted.
en|Maintenance therapy|Maintenance treatment with rituximab every two months prolonged remission in follicular lymphoma.
en|Paracetamol 500 mg|Adults: 1 to 2 tablets every 4 to 6 hours. Do not take more than 8 tablets in 24 hours. Contains paracetamol.
en|Not found in blood|Virus was not found in the blood of recovered patients after day 30.
de|Wartezeit|Bei einer Refraktometrie dauert die Untersuchung zehn Minuten, danach sieht man kurz unscharf.
de|Anmeldung eines Neugeborenen zur Vorsorge|Die U2 findet zwischen dem dritten und zehnten Lebenstag statt.
de|Fieberkrampf|Ein Fieberkrampf dauert meist nur wenige Minuten und hinterlässt keine Schäden.
fr|Entretien|Le traitement d'entretien de l'asthme repose sur les corticoïdes inhalés.
es|Acceso venoso|El acceso venoso central se obtiene por la vena yugular interna guiada por ecografía.
pt|Asma|A asma é uma doença crónica das vias aéreas que causa falta de ar e pieira.
it|Febbre|La febbre è un aumento della temperatura corporea oltre i 38 °C.
zh|发热|发热是指体温超过正常范围，常见于感染。
ja|発熱|発熱とは体温が通常より高くなることで、感染症でよくみられる。
"""

_TEASER = (
    "Asthma affects 300 million people. In this article we look at how inhalers work and what to do"
    " when they fail."
)
BODIES_LATER = [
    _encoded(
        "brotli of a German page in windows-1252",
        brotli.compress(_GERMAN.encode("cp1252")),
        "br",
        "Übelkeit läßt",
        kind="text/html; charset=windows-1252",
    ),
    _encoded(
        "zstd of a PDF called HTML",
        zstandard.ZstdCompressor().compress(_PDF),
        "zstd",
        "Colchicine is given",
        kind="text/html",
    ),
    _encoded("br, gzip said in the wrong order", brotli.compress(gzip.compress(_RAW)), "br, gzip"),
    _encoded(
        "zstd with a checksum and no size",
        zstandard.ZstdCompressor(write_checksum=True, write_content_size=False).compress(_RAW),
        "zstd",
    ),
    _encoded(
        "gzip bomb in brotli",
        brotli.compress(gzip.compress(b"<p>gout " + b"a" * 40_000_000)),
        "gzip, br",
        "",
    ),
    _encoded("BR in capitals with a blank", brotli.compress(_RAW), " BR "),
    single(
        "utf-16 big endian, nothing said",
        _GERMAN.encode("utf-16-be"),
        "Übelkeit läßt",
        kind="text/html",
    ),
    single(
        "ISO-2022-JP by meta",
        _other(_JAPANESE, "ja", "iso-2022-jp").encode("iso2022_jp"),
        _JAPANESE,
        kind="text/html",
    ),
    single(
        "KOI8-R by header",
        _other("Астма — это хроническое заболевание дыхательных путей.", "ru", "").encode(
            "koi8-r", "replace"
        ),
        "хроническое заболевание",
        kind="text/html; charset=koi8-r",
    ),
    single("a JSON error called HTML", '{"error": "not authorised", "code": 401}', ""),
    single(
        "402 with a page", page("Buy", "Buy this article for 40 dollars. " * 10), "", status=402
    ),
    single("226", _RAW, _WORDS, status=226),
    ServedCase(
        "a chain of refreshes",
        {
            "/": Served(bare_page("A", "", head="<meta http-equiv=refresh content='0;url={}/b'>")),
            "/b": Served(bare_page("B", "", head="<meta http-equiv=refresh content='0;url={}/c'>")),
            "/c": Served(_ARTICLE),
        },
        _WORDS,
    ),
    ServedCase(
        "a refresh to itself",
        {
            "/": Served(
                bare_page(
                    "A", "<p>One moment</p>", head="<meta http-equiv=refresh content='0;url={}/'>"
                )
            )
        },
        "",
    ),
    ServedCase(
        "redirect to sso",
        {
            "/": Served("", 302, headers={"location": "{}/sso"}),
            "/sso": Served(
                bare_page(
                    "Institutional login",
                    "<h1>Select your institution</h1><input type=search><p>Cannot find it? Contact the help desk.</p>",
                )
            ),
        },
        "",
    ),
    single(
        "a refresh after an hour",
        bare_page("Asthma", f"<p>{ASTHMA}</p>", head="<meta http-equiv=refresh content='3600'>"),
        _WORDS,
    ),
    single(
        "an article beside a cookie notice",
        bare_page(
            "Asthma",
            f"<div id='cookie-banner'><p>We use cookies. Accept all.</p></div><main><h1>Asthma</h1><p>{ASTHMA}</p></main>",
        ),
        _WORDS,
    ),
    single(
        "a paywall stub",
        page(
            "Asthma today",
            _TEASER,
            "<div class='paywall'><p>This article is for subscribers. Subscribe now to read on. Already a subscriber? Log in.</p></div>",
        ),
        "",
    ),
]

SERVED_CASES_LATER = [
    *line_cases(WALLS_LATER, are_walls=True),
    *line_cases(ARTICLES_LATER, are_walls=False),
    *BODIES_LATER,
]

# Written last, after those before were mended.
WALLS_LAST = """
en|Unsupported client|Your browser can't display this page. Upgrade to the latest version of Chrome or Edge.
en|The Cardiology Letter|Hi! You're out of complimentary stories for March. Get digital access for 50 cents a week.
en|Restricted|Access from your network has been temporarily restricted. Quote reference 7f3a-22 to our help desk.
en|Hospital intranet|This resource can only be reached from the hospital network.
en|Error 1020|Access denied. The owner of this website has banned your IP address.
de|Zeitung für Ärzte|Weiterlesen mit einem Abo: jetzt vier Wochen für 1 Euro testen.
de|Hinweis|Ihr Browser ist veraltet. Bitte aktualisieren Sie ihn, um unsere Seite zu nutzen.
de|Kurz warten|Wir prüfen Ihre Verbindung. Sie werden gleich weitergeleitet.
de|Oops|Da ist etwas schiefgelaufen. Bitte laden Sie die Seite neu.
de|Altersprüfung|Sind Sie mindestens 18 Jahre alt? Ja Nein
fr|Le Quotidien|Vous avez lu tous vos articles offerts ce mois-ci. Abonnez-vous pour 1 euro.
fr|Navigateur|Votre navigateur n'est plus pris en charge. Mettez-le à jour pour continuer.
fr|Redirection|Vous allez être redirigé dans quelques instants.
fr|Erreur|Une erreur inattendue est survenue. Merci de réessayer.
fr|Connexion requise|Identifiez-vous pour accéder à cette ressource.
es|Suscriptores|Has alcanzado el límite de artículos gratuitos de este mes.
es|Comprobando|Estamos comprobando su conexión antes de acceder al sitio.
es|Dominio|Este dominio está en venta. Haga su oferta.
es|Error|Algo salió mal. Vuelva a cargar la página.
es|Profesionales|Acceso reservado a profesionales sanitarios. ¿Es usted profesional sanitario?
pt|Assinantes|Você atingiu o limite de artigos gratuitos. Assine agora.
pt|Verificando|Estamos verificando o seu navegador antes de abrir o site.
pt|Login|Faça login para acessar o texto completo.
pt|Erro|Algo deu errado. Tente novamente mais tarde.
it|Abbonamento|Hai esaurito gli articoli gratuiti di questo mese.
it|Un attimo|Stiamo verificando la tua connessione. Attendi qualche secondo.
it|Errore|Qualcosa è andato storto. Ricarica la pagina.
it|Accesso|Effettua il login per leggere il documento.
it|Dominio|Questo dominio è in vendita.
zh|错误|服务器繁忙，请稍后再试。
zh|提示|该内容仅对医疗专业人士开放，请先登录。
zh|跳转|正在跳转，请稍候。
zh|域名|该域名正在出售。
zh|浏览器|您的浏览器版本过低，请升级后访问。
ja|エラー|サーバーエラーが発生しました。時間をおいて再度お試しください。
ja|医療関係者の方へ|このサイトは医療関係者向けです。あなたは医療関係者ですか。
ja|移動|自動的に移動しない場合はこちらをクリックしてください。
ja|有料会員限定|続きは有料会員登録するとお読みいただけます。
ja|ブラウザ|お使いのブラウザはサポートされていません。
ja|削除|この記事は公開を終了しました。
"""

ARTICLES_LAST = """
en|Register|The register lists every hip replaced in Sweden since 1979.
en|Member of the family|Parvovirus B19 is a member of the family Parvoviridae and infects red cell precursors.
en|Error in refraction|An error of refraction blurs vision at a distance.
en|Maintenance fluids|Maintenance fluid for a child of 10 kg is 40 ml per hour.
de|Schmerzmittel|Nehmen Sie nicht mehr als 4 g Paracetamol am Tag. Fragen Sie Ihren Arzt, wenn das Fieber anhält.
de|Verfügbarkeit|Der Wirkstoff ist in Deutschland seit 2012 nicht mehr verfügbar, weil er Leberschäden verursachte.
de|Fachkreise|Die Leitlinie wurde von Fachkreisen begrüßt, da sie die Dosis nach dem Gewicht richtet.
de|Roboter im Operationssaal|Der Roboter wird vom Chirurgen gesteuert und verringert den Blutverlust.
de|Anmeldung|Die Anmeldung zur Mammographie ist ab 50 Jahren alle zwei Jahre möglich.
fr|Accès vasculaire|L'accès vasculaire est limité chez les patients dialysés depuis longtemps.
fr|Indisponibilité|La pénicilline injectable est indisponible depuis mars et les hôpitaux utilisent l'amoxicilline.
fr|Migraine|Évitez les lumières vives. Reposez-vous dans une pièce calme et buvez de l'eau.
fr|Abonnement|L'abonnement au tabac, disait-il, coûte dix ans de vie.
es|Mantenimiento|El tratamiento de mantenimiento con metotrexato reduce las recaídas.
es|Acceso a la insulina|El acceso a la insulina es limitado en las zonas rurales del país.
es|Registro|El registro incluyó a 400 pacientes con esclerosis múltiple.
pt|Dengue|A dengue causa febre alta e dores no corpo. Não tome aspirina.
pt|Acesso|O acesso à água limpa reduziu a cólera na região.
it|Mantenimento|La terapia di mantenimento dura almeno due anni.
it|Diabete|Il diabete di tipo 2 si controlla con dieta, esercizio e metformina.
zh|访问护士|访问护士每周上门为糖尿病患者测量血糖。
zh|维护治疗|维持治疗可减少复发，疗程为两年。
ja|訪問看護|訪問看護では看護師が自宅で血圧を測る。
ja|登録|この研究には糖尿病患者400人が登録された。
"""

WALLS_MORE = """
en|Gateway|We could not verify your subscription. Use the link your librarian sent you.
en|Notice|For copyright reasons the full text is not shown. Order a reprint from the publisher.
en|Too many tabs|You have this document open in another window. Close it first.
en|Hold tight|Your place in line: 214. Estimated wait: three minutes.
de|Bezahlschranke|Dieser Text ist kostenpflichtig. Testen Sie uns vier Wochen lang gratis.
de|Serverfehler|Der Server hat zu lange nicht geantwortet.
de|Achtung|Sie verlassen jetzt unser Angebot und werden auf eine fremde Seite geleitet.
de|Bibliothekszugang|Zugriff nur aus dem Netz der Universität. Nutzen Sie sonst den VPN-Zugang.
de|Baustelle|Hier entsteht eine neue Internetpräsenz.
fr|Contenu payant|Ce texte est payant. Essayez notre offre pendant un mois.
fr|Délai dépassé|Le serveur n'a pas répondu à temps.
fr|Vous quittez le site|Vous allez quitter notre site pour un site externe. Continuer ?
fr|Bibliothèque|Consultation uniquement depuis le réseau de l'université.
fr|En construction|Cette page est en cours de construction.
es|Pago|Este texto es de pago. Pruebe gratis durante un mes.
es|Espera|Está usted en la cola. Tiempo estimado: tres minutos.
es|Sale del sitio|Está saliendo de nuestro sitio web. ¿Desea continuar?
es|Construcción|Página en construcción.
pt|Conteúdo pago|Este texto é pago. Experimente grátis por um mês.
pt|Sair|Está a sair do nosso site. Deseja continuar?
it|A pagamento|Questo testo è a pagamento. Provaci gratis per un mese.
it|In costruzione|Pagina in costruzione. Torna presto a trovarci.
zh|付费内容|本文为付费内容，购买后可阅读全文。
zh|离开|您即将离开本网站，前往第三方网站。
zh|无结果|没有找到与您的搜索相符的结果。
ja|移転|当サイトは移転しました。新しいアドレスはこちらです。
ja|外部サイト|これより先は外部サイトに移動します。よろしいですか。
ja|工事中|このページは現在準備中です。
de|Passwort|Bitte geben Sie Ihre Zugangsdaten ein.
de|Cookie-Hinweis|Wir und unsere 300 Partner verarbeiten Daten. Zustimmen. Mehr Optionen
de|Sitzung|Ihre Sitzung ist abgelaufen. Bitte starten Sie den Browser neu.
de|Werbeblocker|Sie nutzen einen Werbeblocker. Bitte schalten Sie ihn aus, um weiterzulesen.
de|Umzug|Wir sind umgezogen! Sie finden uns jetzt unter einer neuen Adresse.
de|Bibliothek|Ihre Einrichtung hat diese Zeitschrift nicht abonniert.
de|Moment|Der Inhalt wird geladen...
fr|Session expirée|Votre session a expiré. Reconnectez-vous.
fr|Bloqueur|Vous utilisez un bloqueur de publicité. Désactivez-le pour lire.
fr|Vie privée|Avec nos partenaires, nous traitons vos données. Accepter. Continuer sans accepter
fr|Achat|Achetez cet article pour 35 euros ou connectez-vous.
fr|Déménagement|Notre site a changé d'adresse. Mettez à jour vos favoris.
fr|Patientez|Chargement en cours...
fr|Âge|Avez-vous plus de 18 ans ? Oui Non
es|Sesión|Su sesión ha caducado. Vuelva a entrar.
es|Bloqueador|Desactive su bloqueador de anuncios para continuar.
es|Privacidad|Nosotros y nuestros socios almacenamos información en su dispositivo. Aceptar y continuar
es|Compra|Compre este artículo por 30 euros.
es|Nueva dirección|Nos hemos mudado. Actualice sus marcadores.
es|Edad|¿Es usted mayor de edad? Sí No
pt|Sessão|A sua sessão expirou. Entre novamente.
pt|Bloqueador|Desative o bloqueador de anúncios para continuar a ler.
pt|Privacidade|Nós e os nossos parceiros guardamos dados no seu dispositivo. Concordo
pt|Robô|Não sou um robô
it|Sessione|La tua sessione è scaduta. Accedi di nuovo.
it|Adblock|Disattiva il tuo adblock per continuare a leggere.
it|Privacy|Noi e i nostri partner archiviamo informazioni sul tuo dispositivo. Accetta e continua
it|Età|Hai più di 18 anni? Sì No
zh|会话|您的会话已过期，请重新登录。
zh|广告|请关闭广告拦截插件后继续浏览本站。
zh|错误|404 您要找的页面走丢了。
zh|加载|页面加载中，请稍候……
ja|セッション|セッションの有効期限が切れました。もう一度ログインしてください。
ja|広告|広告ブロックを解除してからご覧ください。
ja|年齢確認|あなたは18歳以上ですか。はい いいえ
ja|お探しのページ|お探しのページは移動または削除された可能性があります。
"""

ARTICLES_MORE = """
en|Borborygmus|borborygmus: a rumbling noise made by gas in the bowel.
en|Waiting times|Median wait for a hip replacement was 214 days in 2023.
de|Gänsehaut|Gänsehaut entsteht, wenn sich die kleinen Muskeln an den Haaren zusammenziehen.
de|Nasenbluten|Beugen Sie den Kopf nach vorn und drücken Sie die Nase zehn Minuten zu.
de|Zahlung|Die Kasse zahlt die Zahnreinigung einmal im Jahr.
fr|Saignement de nez|Penchez la tête en avant et pincez le nez dix minutes.
fr|Chair de poule|La chair de poule vient de la contraction de petits muscles.
fr|Réseau|Le réseau veineux du bras se voit mieux au froid.
es|Hemorragia nasal|Incline la cabeza hacia delante y apriete la nariz diez minutos.
es|Cola de caballo|La cola de caballo es un haz de raíces nerviosas.
pt|Sangramento nasal|Incline a cabeça para a frente e aperte o nariz por dez minutos.
it|Epistassi|Piega la testa in avanti e stringi il naso per dieci minuti.
zh|鼻出血|头向前倾，捏住鼻翼十分钟。
zh|支付|医保每年支付一次洁牙费用。
ja|鼻血|頭を前に傾け、鼻を十分間つまむ。
ja|外部固定|骨折では外部固定を行うことがある。
de|Zyklus|Der Zyklus dauert im Mittel 28 Tage.
de|Hausmittel|Wadenwickel kühlen. Legen Sie die Tücher zehn Minuten um die Beine.
de|Ruhepuls|Der Ruhepuls liegt bei Erwachsenen zwischen 60 und 80 Schlägen je Minute.
de|Seitenstechen|Gegen Seitenstechen hilft langsames Atmen. Sie sollten kurz stehen bleiben.
de|Sehtest|Lesen Sie die Zeilen auf der Tafel von oben nach unten, erst rechts, dann links.
fr|Hoquet|Le hoquet cesse le plus souvent seul en quelques minutes.
fr|Étirements|Tenez la position trente secondes, puis changez de jambe.
fr|Connexion nerveuse|La connexion entre deux neurones s'appelle une synapse.
fr|Sites d'injection|Changez de site d'injection chaque jour : ventre, cuisse ou bras.
es|Hipo|El hipo suele ceder solo en pocos minutos.
es|Estiramientos|Mantenga la postura treinta segundos y cambie de pierna.
es|Conexión sináptica|La sinapsis es la conexión entre dos neuronas.
pt|Soluços|Os soluços passam sozinhos em poucos minutos.
pt|Alongamento|Mantenha a posição por trinta segundos e troque de perna.
it|Singhiozzo|Il singhiozzo passa da solo in pochi minuti.
it|Stretching|Mantieni la posizione per trenta secondi, poi cambia gamba.
it|Sito di iniezione|Cambia ogni giorno il sito di iniezione: addome, coscia o braccio.
zh|打嗝|打嗝通常几分钟内自行停止。
zh|拉伸|保持姿势三十秒，然后换另一条腿。
ja|しゃっくり|しゃっくりは数分で自然に止まることが多い。
ja|ストレッチ|三十秒そのまま保ち、反対の足に替えてください。
en|Hiccups|Hiccups stop by themselves within minutes.
en|Injection sites|Change the site each day: belly, thigh or arm.
en|Reading chart|Stand six metres away and read each line aloud.
"""

SERVED_CASES_LAST = [
    *line_cases(WALLS_LAST, are_walls=True),
    *line_cases(ARTICLES_LAST, are_walls=False),
    *line_cases(WALLS_MORE, are_walls=True),
    *line_cases(ARTICLES_MORE, are_walls=False),
]

SERVED_CASES = [
    *line_cases(WALLS, are_walls=True),
    *line_cases(ARTICLES, are_walls=False),
    *BODIES,
]
