"""Whether a page with status 200 is the page itself or a wall in front of it.

Every site says "sign in" and "cookies" somewhere, so such words alone mean nothing. What decides
is how much prose is left without the sentences about the site itself.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from medlens.deferred_regex import compile_later
from medlens.web import page_wall_words_by_language
from medlens.web.short_page_medical_content import (
    does_page_speak_only_to_its_visitor,
    does_sentence_state_medical_subject,
    does_text_mention_medicine,
    is_too_short_to_tell,
)

Found = Literal[
    "ok", "not_found", "http_error", "blocked", "paywalled", "empty", "unsupported_type"
]

PERHAPS_NO_ARTICLE = "a few words that name no subject: perhaps no article"
"""Why a page that counts as read should be looked at."""
ABSTRACT_ONLY = "only the abstract: the site sells the rest"
"""Said of a page that counts as read."""
_NO_SUCH_PAGE = "the site says that there is no such page"
_LONG = 12_000
"""Characters from which on a text is taken for the page itself."""
_NO_PROSE, _LITTLE_PROSE, _TEASER = 10, 40, 350
"""Words of prose: what has fewer is no page by whatever its text says; by its title or first words;
and is the beginning of one that costs money."""
_OPENING = 4
"""Pieces in which a page with little prose says that it is a wall."""
_BESIDE = 12
"""Words beside a login, a consent notice or a sign that a script is at work."""
_NEXT_TO_NOTHING = 6
_SHORT_SENTENCE, _SHORTEST_SENTENCE = 6, 3
_EXPLANATION, _MOSTLY, _NEARLY_ALL = 300, 0.5, 0.75
"""Words of a page that explains why it is a wall, and their share that is about sites."""
_SIGNS = 3

_THING = r"(?:page|article|content|resource|document|file|object|item|url|link|site)"
_READING = (
    r"(?:article|story|content|page|text|chapter|piece|rest|full|version|post|discussion|case)"
)
_OF_PEOPLE = (
    r" (?:\w+ )?(?:patients|people|women|men|children|adults|infants|participants|volunteers"
    r"|cases)\b"
)
_NOT_FOUND = compile_later(
    rf"\b404\b(?!{_OF_PEOPLE})"
    rf"|{_THING} (?:you [^.]{{0,40}} )?(?:was |is )?not found|(?:can['’]?t|cannot"
    rf"|could(?:n['’]t| not)) (?:be"
    rf" found"
    rf"|find (?:the|that|this) {_THING})|{_THING} (?:you[^.]{{0,40}} )?(?:does(?:n['’]t| not) exist"
    r"|(?:may|might|has|have|could|was)[^.]{0,20}(?:removed|moved|deleted)|(?:is )?no longer"
    r" (?:available|exists?))|seite (?:wurde )?nicht gefunden|existiert (?:leider )?nicht"
    rf"|can['’]?t seem to find|no such {_THING}|nothing (?:was |to be )?found here"
    r"|страница не найдена|siden blev ikke fundet|sidan kunde inte hittas|page introuvable"
    r"|(?:returned|found|gave|yielded|matched|has|produced) (?:0|no|zero) (?:search )?(?:results?"
    r"|matches|hits|records|documents)\b|^\W*(?:0|no|zero) (?:results?|matches|hits|records)\b"
    r"|n['’]existe (?:pas|plus)|p[aá]gina no encontrada|p[aá]gina[^.]{0,30} no"
    r" existe|pagina (?:non trovata|niet gevonden)|no (?:search )?results (?:were |was )?found"
    r" for|account (?:has been )?suspended"
    r"|welcome to nginx|(?:apache|iis|web server)[^.]{0,30} default (?:web )?(?:site )?page"
    r"|default (?:web ?site |welcome |web )page|^\W*it works!|^\W*iis (?:windows server|\d)"
    r"|owner of this (?:web ?)?site[^.\n]{0,40}(?:contact"
    r"|hosting)"
    rf"|(?:isn['’]t|is not) the {_THING} you"
    r"|\b(?:link|address|url) (?:that )?(?:you|that brought you)[^.\n]{0,40}\b(?:broken|outdated"
    r"|expired"
    r"|mistyped|out of date|wrong|incorrect)\b"
    rf"|{_THING}(?:['’]s| is)(?:n['’]t| not) (?:here|there)\b|{_THING} isn['’]t (?:here|there)\b"
    r"|页面不存在|ページが見つかりません",
    re.I | re.M,
)
_TITLE_OF_NO_PAGE = compile_later(
    r"^\W*(?:error\W+)?404\s*(?:$|[-–—|:.!]|error\b|not found\b|page\b)", re.I
)
_WRONG_TURN = compile_later(
    r"\byou(?:['’]ve| have| may have| must have| seem to have)? (?:took|taken|made) a wrong turn",
    re.I,
)
"""Said by a site that has no such page, above whatever it offers instead."""
_FOR_SALE = compile_later(
    r"your first and best source for (?:all of )?(?:the )?information|"
    r"premium domain|make an offer|domain (?:marketplace|broker)|get this domain|future home of|"
    r"\bis for sale\b|domain (?:name )?(?:\S+ )?(?:is|may be) (?:for sale|parked|available)"
    r"|buy this domain|inquire about this domain|this domain has expired|domain expired"
    r"|parked free",
    re.I,
)
_OUT_OF_ORDER = compile_later(
    r"down for (?:\w+ )?maintenance|under maintenance|(?:service|site) (?:is )?(?:temporarily )?"
    r"unavailable|internal server error|(?:problem|trouble|difficulty) (?:providing|loading"
    r"|displaying"
    r"|retrieving|processing) (?:the|this|your) (?:page|content|request|site)|bad gateway"
    r"|gateway time-?out|(?:we['’]ll|will) be back"
    r" soon|database connection|^\W*(?:we['’]ll |we will )?be right back\W*$",
    re.I | re.M,
)
_TRACE = compile_later(
    r"\bin /[\w./-]+\.\w+ on line \d+|attempt to read property|undefined (?:variable|index"
    r"|function|offset)|"
    r"traceback \(most recent|stack trace:|sqlstate|\bat [\w.$]+\([\w.]+:\d+\)|(?:fatal"
    r"|parse) error:"
    r"|uncaught \w|\b[a-z]\w*(?:exception|error):\s|upstream connect",
    re.I,
)
_KEPT_OUT = compile_later(
    r"^\W*(?:just|one) (?:a )?moment\W|checking (?:if the site connection|your browser)"
    r"|verify(?:ing)? (?:that )?you"
    r" are (?:a )?human|are you a (?:robot|human|bot)|complete the (?:captcha|security check)"
    r"|enable javascript and cookies to continue|pardon our interruption|unusual traffic from your"
    r"|access (?:to this page has been )?denied|(?:request|you)(?: was| have been)? blocked"
    r"|(?:your|this|the) (?:request|ip(?: address)?|access|connection|visit"
    r"|traffic)\b[^.!?\n]{0,60}"
    r"\b(?:blocked|denied|refused|rejected|restricted|limited|banned|suspicious|suspended)\b"
    r"|(?:request|access)[^.!?\n]{0,60}(?:detected|harmful|unsafe|illegal|malicious|suspicious)"
    r"|you (?:have been|are|were) (?:blocked|banned)|\b40[0356]\b[ -]+(?:\w+ )?(?:forbidden|error"
    r"|we|blocked|not acceptable)"
    r"|^\W*(?:access (?:denied|restricted|blocked|forbidden)|forbidden|request rejected)\W*$"
    r"|ddos protection by|think you were a bot|n['’]t have permission to access|you do(?:n['’]t"
    r"| not) have (?:the )?(?:permission|rights?|access|authori[sz]ation)"
    r"|(?:not |un)available in (?:your|most|the) (?:region|country|countries|location|eu\b"
    r"|european)|unavailable for legal reasons"
    r"|blocked by (?:your|the) (?:administrator|organi[sz]ation|network|policy)"
    r"|(?:slide|drag|finish|solve|complete) the (?:piece|slider|puzzle)"
    r"|you are not a (?:program|machine|script)"
    r"|captcha|human verification|you are (?:a human|human and)|not a (?:bot|robot)\b|bot detection"
    r"|^\W*(?:attention required|security check)|unusual activity (?:from|on) your"
    r"|too many requests|access to this (?:site|page) has been (?:limited|restricted)"
    r"|access to (?:this|the) (?:web ?)?(?:site|page) (?:is|was) (?:currently )?(?:blocked|denied"
    r"|restricted|not permitted)|internet (?:usage|use|access) policy"
    r"|(?:accept|agree to)[^.!?\n]{0,40}(?:terms|conditions)[^.!?\n]{0,40}\b(?:connect|get online"
    r"|(?:use|access|join) (?:the|this|our) (?:\w+ )?(?:internet|wi-?fi|network))"
    r"|restrict access|are you a (?:health ?care|medical) professional",
    re.I | re.M,
)
_SCRIPT_FILLS = compile_later(
    r"java ?script[^.!?\n]{0,40}\b(?:run|work\w*|function\w*|support\w*|enabled|disabled|on|off)\b"
    r"|support java ?script|"
    r"^\W*(?:loading|fetching)\b|\bloading\W*$|please wait|(?:enable|need|requires?|activate)"
    r" javascript|javascript (?:is )?(?:disabled|required|not enabled)",
    re.I | re.M,
)
_ASKS_CONSENT = compile_later(
    r"\basks? for your consent to (?:use|process|store|share)|\bwe and our (?:\d+ )?(?:\w+ )?"
    r"partners (?:use|store|process|access)\b|click below to consent|\b\d+ TCF vendors",
    re.I,
)
"""A notice that asks; a page about consent as a subject does not."""
_CONSENT_PURPOSE = compile_later(
    r"personali[sz]ed (?:advertising|ads)\b[^.\n]{0,40}content|store and/or access information on a"
    r" device|your personal data will be processed|\b\d+ TCF vendors|your choices will be applied",
    re.I,
)
_CONSENT = compile_later(
    r"we (?:and our (?:\w+ )?partners )?(?:use|store)[^.]{0,60} cookies|value your privacy|before"
    r" you continue|(?:manage|cookie|privacy|consent) (?:preferences|settings|choices)"
    r"|(?:accept|reject|allow|agree to) all|legitimate interest|cookie (?:policy|notice)"
    r"|alle (?:cookies )?akzeptieren|tout (?:accepter|refuser)|aceptar todo",
    re.I,
)
_ENTER = (
    r"(?:subscribe|log ?in|sign ?(?:in|up)|register|become a (?:member|subscriber)"
    r"|join (?:now|us|(?:the|our) [^.]{1,40}?))"
)
_PAYWALL = compile_later(
    r"access to this (?:paper|article|chapter|issue)[^.\n]{0,15}[$€£]|"
    r"to continue reading, subscribe|get (?:full )?access to the full article"
    r"|(?:need|have) to make a payment|purchase (?:one-time )?access|"
    r"free (?:article|stor|read|view)\w* (?:left|remaining)|"
    rf"{_ENTER} (?:now |today )?to (?:continue(?: reading)?\W*$|continue reading|keep reading"
    rf"|(?:read|view|see|access|unlock|continue)[^.]{{0,30}}\b{_READING}\b)"
    rf"|to (?:continue|keep) reading (?:this|the) {_READING}"
    r"|(?:buy|purchase|rent)(?: or (?:buy|rent|subscribe))? (?:this|the) (?:full )?(?:article"
    r"|issue|chapter|paper)(?!['’]s)\b"
    r"|this is a preview of (?:the|this|a) (?:book|chapter|article|paper|issue)"
    r"|your (?:institution|library|organi[sz]ation) does(?:n['’]t| not) (?:subscribe\b|have"
    r" (?:access|a subscription))"
    r"|get full access to this|access through your (?:institution|organi[sz]ation)"
    rf"|{_READING}[^.]{{0,30}} (?:is|are) (?:only )?(?:reserved |available |accessible )?(?:only )?"
    r"(?:for|to) (?:paying |paid |registered )?(?:subscribers|members)\b"
    rf"|unlock (?:this|the) (?:\w+ )?{_READING}|preview of subscription content"
    rf"|(?:premium|exclusive|members[- ]only) {_READING}\b|purchase access|log in via an"
    rf" institution"
    r"|(?:no|0|zero|last)(?: more)? free (?:article|stor|read|view)"
    rf"|(?:account|subscribe|register|sign up)[^.\n]{{0,25}}(?:for|to get) (?:full"
    rf"|unlimited) access"
    r"|\bnon-?members?\b[^.\n]{0,15}[$€£]|[$€£] ?\d[\d.,]*[^.\n]{0,15} non-?members"
    r"|unlimited digital access"
    r"|weiterlesen mit|(?:bereits|schon) (?:ein )?abo|nur f[üu]r abonnent|r[ée]serv[ée]e?s? aux"
    r" abonn|abonnez-vous pour lire|suscr[ií]b\w+ para (?:leer|seguir|continuar)|solo per abbonati"
    r"|reached (?:your|the) (?:monthly )?(?:limit|maximum)[^.\n]{0,20} (?:of|articles|views)"
    r"|requires a subscription|subscription required"
    r"|complimentary (?:stor|article|read|view)\w*"
    r"|out of (?:free |complimentary )?(?:stories|articles)"
    r"|digital access for|cents (?:a|per) (?:week|month|day)",
    re.I | re.M,
)
_LOGIN = compile_later(
    r"already a (?:subscriber|member)|(?:subscribers|members) only|institutional (?:access|login)"
    r"|you(?:['’]ve| have| were| are) (?:been )?(?:logged|signed) (?:out|off)\b"
    r"|forgot(?:ten)? (?:your )?password|log ?in to|sign ?in to|please (?:log|sign) ?in",
    re.I,
)
_OF_THE_SITE = compile_later(
    r"cookie|your consent|consent (?:preferences|settings|choices)|privacy|our (?:\w+ )?partners"
    r"|your choices|newsletter|subscribe\b|subscriptions?|subscribers? (?:only|log|sign)"
    r"|sign (?:in|up)"
    r"|log ?in\b|password|(?<!the )\bregister\b(?! of)|registration required|javascript"
    r"|all rights reserved|\bsearch (?:for|again|box|bar"
    r"|our|this|results)|(?:a|the|use) search\b|home ?page|try again",
    re.I,
)
# -- what sites say of themselves, in the languages that are cited most --------------------------

_A_PAGE = (
    r"(?:(?<!rechten )(?<!linken )(?<!anderen )(?<!beiden )\b(?:pages?|seiten?|website|webseite"
    r"|p[aàá]gin[aă]|str[oó]n(?:a|ę|y)\b|stránk\w*"
    r"|sivu\w*|sayfa\w*"
    r"|sid(?:e|en|an)\b|oldal\w*|stranic\w*|halaman|laman|trang|recurso|contenido|article|artikel)"
    r"|\b(?:strani|puslapis|lapa|leh(?:te|t|ekülg))\b|страниц|сторінк|पृष्ठ|पेज|σελίδα|הדף|דף"
    r"|العنوان|الصفحة|صفحه|ページ|页面|頁面|网页|網頁|페이지|หน้า)"
)
_IS_NOT = (
    r"(?:nicht (?:mehr )?(?:gefunden|vorhanden|verfügbar)|gibt es nicht|existiert\b[^.]{0,12} nicht"
    r"|introuvable|n['’](?:existe|a pas été trouvé|a pas pu être trouvé|est (?:pas"
    r"|plus) disponible)"
    r"|no (?:se )?(?:ha (?:sido )?|pudo ser |está )?(?:enc[ou]e?ntr\w+|existe|disponible)"
    r"|não (?:foi |pôde ser )?(?:encontrad\w|existe)|non (?:è stat[ao] |è )?(?:trovat\w|esiste"
    r"|disponibile)"
    r"|(?:no s['’]ha (?:trobat|pogut trobar)|no existeix)|niet (?:meer )?(?:gevonden|beschikbaar)"
    r"|bestaat niet"
    r"|nie (?:została |został |zostało |może być )?(?:znalezion\w+|istnieje|odnalezion\w+)"
    r"|neby\w+[^.!?\n]{0,15} nalezen\w*|nenalezen\w*|neexistuje|nenašla|nenájden\w*|byť nájden\w*"
    r"|ei (?:löyd\w+|löyty\w+|ole olemassa)"
    r"|bulunama\w+|bulunmuyor|mevcut değil|hittade?s? inte|hittar inte|finns inte|kunde inte hitta"
    r"|find(?:es|er) ikke|fin(?:nes|ner) ikke|ikke (?:blive )?f(?:undet|unnet)|nem (?:található"
    r"|létezik)"
    r"|nu (?:a fost găsit\w*|există|poate fi găsit\w*)|nije pronađen\w*|ne postoji"
    r"|не (?:была |был |было |е )?(?:найден|существует|знайден|існує|намерен|съществува)"
    r"|δεν? (?:βρέθηκε|υπάρχει|μπόρεσε)|không (?:tìm thấy|tồn tại)|tidak (?:dapat )?(?:ditemukan"
    r"|wujud"
    r"|dijumpai)"
    r"|לא (?:נמצא|קיים|ניתן למצוא)|غير موجود|لم يتم العثور|تعذر العثور|یافت نشد|پیدا نشد"
    r"|不存在|没有找到|沒有找到|无法找到|無法找到|找不到|लापता|नहीं मिला|मौजूद नहीं"
    r"|није пронађен|ni (?:bilo )?mogoče najti|ne obstaja|nerastas|neegzistuoja|(?:nav"
    r"|netika) atrast\w"
    r"|ei (?:leitud|eksisteeri)|未找到|已(?:被)?(?:删除|移除|刪除)|見つかりません|見つからない"
    r"|存在しません|削除され"
    r"|がありません|移動しました|spostat[ao]|déplacée|movida|verschoben|przeniesiona|찾을 수 없"
    r"|존재하지 않|ไม่พบ)"
)
_NOT_FOUND_ABROAD = compile_later(
    r"suche ergab keine|keine (?:treffer|ergebnisse) gefunden|aucun résultat"
    r"|no se encontraron resultados|nessun risultato|geen resultaten|ничего не найдено|(?:angebot"
    r"|beitrag|artikel|contenu)\b[^.!?\n]{0,30}(?:entfernt|gelöscht|deaktiviert|supprimé"
    r"|verwijderd)|"
    rf"{_A_PAGE}[^.!?\n]{{0,60}}{_IS_NOT}|{_IS_NOT}[^.!?\n]{{0,30}}{_A_PAGE}",
    re.I,
)
_READ = (
    r"(?:leer|leyendo|leggere|lettura|lire|lecture|(?:weiter)?lesen|lendo|\bler\b|lezen|läsa|læse"
    r"|czytać|czytanie|чтени|читать|続きを読む|全文|阅读|閱讀|읽)"
)
_SUBSCRIBE = (
    r"(?:suscr[ií]b|abb?on|assin|prenumer|подпи[сш]|войдите|会員|登録|ログイン|订阅|訂閱|登录"
    r"|登入|구독|로그인"
    r"|anmelden|einloggen|inicie? sesión|connectez|accedi\b|inloggen|logga in|zaloguj)"
)
_WHO_PAY = (
    r"(?:abonn\w+|suscriptor\w*|assinantes|abbonati|подписчик\w*|prenumer\w+|会員|会员|訂戶|구독자)"
)
_ALONE = (
    r"(?:\bnur\b|exklusiv|r[ée]serv|exclusiv|\bsolo\b|riservat|reservad|только|\btylko\b|alleen"
    r"|endast"
    r"|\bkun\b|限定|专享|전용)"
)
_PAYWALL_ABROAD = compile_later(
    rf"{_SUBSCRIBE}[^.!?。\n]{{0,40}}{_READ}|{_READ}[^.!?。\n]{{0,40}}{_SUBSCRIBE}"
    rf"|{_ALONE}[^.!?。\n]{{0,40}}{_WHO_PAY}|{_WHO_PAY}[^.!?。\n]{{0,15}}{_ALONE}",
    re.I,
)
_LOGIN_ABROAD = compile_later(
    r"(?:vous devez|debe|devi|deve|müssen)\b[^.!?\n]{0,20}(?:connect|iniciar sesión|accedere"
    r"|acessar|anmelden|angemeldet|eingeloggt)|angemeldete (?:nutzer|benutzer|mitglieder)|"
    r"(?:^\W*|bitte |jetzt )anmelden\b|einloggen|passwort|benutzername|se connecter"
    r"|^\W*connexion\W*$|mot de passe"
    r"|identifiant"
    r"|iniciar? sesi[oó]n|contraseña|^\W*entrar\W*$|\bsenha\b|\baccedi\b|inloggen|wachtwoord"
    r"|logga in"
    r"|lösenord|log ind|adgangskode|zaloguj|hasło|přihl[aá][sš]|heslo|bejelentkez|jelszó"
    r"|giriş yap|şifre"
    r"|войдите|войти|пароль|увійти|ログイン|パスワード|登录|登錄|登入|密码"
    r"|로그인|비밀번호|تسجيل الدخول",
    re.I | re.M,
)
_HUMAN = r"(?:robots?\b|roboter|robô|робот|ser humano|être humain|essere umano|mensch\b|человек)"
_KEPT_OUT_ABROAD = compile_later(
    r"没有权限|沒有權限|权限不足|권한이 없|権限がありません|keine berechtigung|no tiene permiso|"
    r"(?:сайт|доступ к (?:сайту|страниц|ресурс)|страниц\w)[^.!?\n]{0,30}(?:заблокир|ограничен"
    r"|запрещ)|(?:\bce site|\bsito web|sitio web|webseite|website|página"
    r"|stron\w)[^.!?\n]{0,20}(?:gesperrt|bloquead|bloqué|bloccat|geblokkeerd|zablokowan)|"
    rf"(?:verifi|vérifi|bestätig|prüf|подтверд|confirm|compro|controll|asegur"
    rf"|sicher)[^.!?\n]{{0,40}}\b(?:es|eres|sei|sia|é|êtes|usted|você|vous|sie|вы|u"
    rf"|jij) (?:\w+ ){{0,2}}{_HUMAN}"
    rf"|(?:kein|pas un|no soy un|no eres un|não sou um|non sono un|geen|не)\s+{_HUMAN}"
    r"|ロボットでは|人机验证|验证码|驗證碼|安全验证|로봇이 아닙|sicherheits(?:über)?prüfung"
    r"|(?:acces[so]o?|accès|zugriff|zugang|доступ)[^.!?\n]{0,15}(?:bloque|bloqu[ée]|gesperrt"
    r"|bloccat|заблок)"
    r"|zugriff (?:wurde )?verweigert|accès (?:refusé|interdit)|acceso denegado|accesso negato"
    r"|acesso negado|^\W*доступ (?:запрещ|огранич)|アクセスが拒否|访问被拒绝",
    re.I | re.M,
)
_SCRIPT_ABROAD = compile_later(
    r"java ?script[^.!?\n]{0,60}(?:aktivier|einschalt|activer|activé|habilit|activ[ae]|abilit"
    r"|ativ|inschakel"
    r"|aktiver|włącz|zapn|включ|увімкн|有効|启用|啟用|사용)"
    r"|(?:aktivier|einschalt|activer|habilit|active|abilit|ativ|inschakel|włącz|zapn|включ"
    r"|увімкн|启用|啟用)"
    r"[^.!?\n]{0,60}java ?script"
    r"|読み込み中|加载中|正在加载|載入中|로딩|wird geladen|chargement|cargando"
    r"|caricamento|carregando|загрузка"
    r"|(?:bitte warten(?: sie)?|veuillez patienter|espere(?:,? por favor)?|attendere(?: prego)?"
    r"|aguarde|подождите(?:,? пожалуйста)?|お待ちください|请稍候)\W*$",
    re.I | re.M,
)
_OUT_OF_ORDER_ABROAD = compile_later(
    r"\b(?:fout|fehler|erreur|errore|error|erro|błąd|ошибк\w|fel|fejl|feil|virhe|chyb[au]|hiba"
    r"|hata)\b[^.!?\n]{0,40}\b(?:website|sitio web|sito web|tuo sito|esta web|ce site|deze site"
    r"|página"
    r"|stron\w+|сайт\w*|server\w*)\b|"
    r"wartungs(?:arbeiten|modus)|(?:seite|website|dienst)[^.!?\n]{0,40}(?:nicht erreichbar|wartung)"
    r"|(?:site|sitio|sito|página|service|servicio|servizio)[^.!?\n]{0,40}"
    r"(?:en maintenance|mantenimiento|manutenzione|manutenção|indisponible|no disponible)"
    r"|(?:сайт|сервис)[^.!?\n]{0,40}(?:недоступ|обслуживан)|メンテナンス中|维护中|系统维护|점검 ?중"
    r"|fehler (?:ist )?aufgetreten|interner fehler|une erreur (?:s['’]est|est survenue|interne)"
    r"|se ha producido un error"
    r"|error interno"
    r"|si è verificato un errore|ocorreu um erro|произошла ошибка"
    r"|エラーが発生|发生错误|오류가 발생",
    re.I,
)
_CONSENT_ABROAD = compile_later(
    r"(?:alle|tout|todo|todas?|tutt[oi]|alles|alla|alle cookies) (?:\w+ )?"
    r"(?:akzept\w+|ablehn\w+|zulassen|accept\w+|refus\w+|rechazar|rifiuta)"
    r"|(?:accept\w*|accetta|aceptar|aceitar|rifiuta|rechazar|rejeitar|refuser|gérer|accepteer"
    r"|weiger) "
    r"(?:tout|todo|todas?|tutt[oi]|mes|alle[sn]?)"
    r"|(?:verwenden|nutzen|utilis\w+|utiliz\w+|usiamo|gebruiken|używamy"
    r"|используем)[^.!?\n]{0,40}cookie"
    r"|(?:partner|partenaires|socios|parceiros)[^.!?\n]{0,30}(?:cookie|utiliz|utilis|verwend|nutz)"
    r"|(?:cookie|datenschutz|privacy|confidentialité|privacidad)[ -]?"
    r"(?:einstellungen|préférences|preferenze|preferencias|richtlinie)",
    re.I,
)

# -- what only counts on a page that says nothing else -------------------------------------------

_YOUR_PLACE = r"(?:country|region|location|territory|jurisdiction)"
_ASKS_WHO = compile_later(
    r"you are (?:over|at least|older than) \d\d\b|"
    r"(?:link|site|page|website)[^.!?\n]{0,30}(?:classified|flagged|marked|reported) as|"
    r"(?:request|visit|connection|address|access|traffic|session|browser)\w*\b[^.!?\n]{0,40}"
    r"\b(?:rejected|blocked|flagged|denied|unsuccessful|banned|blacklisted|forbidden|restricted"
    r"|suspended|refused|not (?:permitted|allowed|authori[sz]ed))"
    r"|(?:incident|support|reference|ray|block|event|request|case) (?:id|number|#)\b"
    r"|suspicious|malicious|real (?:person|human|user)|firewall|ddos"
    r"|(?:automated|robots?|bots?|scripts?|crawlers?|scraping)\b[^.!?\n]{0,50}"
    r"\b(?:access|visitors?|traffic|requests?|quer(?:y|ies)|permitted|allowed|prohibited|detected)"
    r"|(?:browser|security|human|cookie|robot|bot|identity) (?:check|verification|challenge|test)"
    r"|(?:select|tick|mark|click)[^.!?\n]{0,30}(?:pictures|images|squares|box|checkbox|tiles)"
    r"|ad[ -]?block|\bvpn\b|(?:an?|your|open) proxy|proxy (?:server|detected)"
    r"|(?:browser|version)[^.!?\n]{0,25}(?:not supported|unsupported|out of date|outdated|too old"
    r"|no longer supported)|(?:unsupported|outdated|old|update your|upgrade your) (?:web )?browser"
    rf"|(?:in|from|for|outside) (?:your|this|certain|some) (?:current )?{_YOUR_PLACE}"
    r"|cookies?[^.!?\n]{0,30}(?:disabled|blocked|turned off|switched off|not (?:enabled|accepted"
    r"|allowed)"
    r"|required|needed|refuse|désactiv|deaktivier|desactivad|disabilit|deshabilit)"
    r"|(?:enable|allow|accept|activate|turn on|switch on|requires?|needs?|refuses?|blocks?"
    r"|aktivier\w*"
    r"|activer|habilit\w*|abilit\w*)[^.!?\n]{0,25}\bcookies?"
    r"|(?:years? (?:old|of age)|date of birth|birth ?date|legal age|over (?:18|21)|\b(?:18|21)\+"
    r"|age"
    r" (?:check|verification|gate))"
    r"|(?:this is|are|were) not (?:allowed|permitted|authori[sz]ed)|not let you"
    r"|(?:accept|agree to|read)[^.!?\n]{0,25}(?:terms|conditions|disclaimer)|i (?:accept|agree"
    r"|decline|disagree)\b"
    r"|(?:too many|number of|rate of) (?:\w+ )?requests|rate limit|slow down",
    re.I,
)
_NOT_THERE = compile_later(
    r"(?:not|n['’]t|nothing|no longer|never) (?:\w+ ){0,3}(?:be )?(?:found|located?|exists?"
    r"|available|here|there)\b"
    r"|(?:can(?:no|['’])t|unable to|failed to|could(?:n['’]t| not))(?: \w+){0,3} (?:find|locate)"
    r"|(?:removed|deleted|withdrawn|taken down|unpublished|retired|moved permanently"
    r"|expired|invalid)\b"
    r"|unavailable|broken (?:link|page|url)|link[^.!?\n]{0,20}broken|(?:site|page|blog|forum"
    r"|account|domain|shop|service|profile)[^.!?\n]{0,30}"
    r"(?:closed|shut down|discontinued|suspended|disabled|deactivated|expired)"
    r"|(?:closed|deleted|deactivated)[^.!?\n]{0,15}(?:account|profile|shop|site)"
    r"|\b(?:coming|opening|launching) soon|under construction|stay tuned|it works!|hello world"
    rf"|\b(?:404|410)\b(?!{_OF_PEOPLE})"
    r"|index of /|parent directory|default (?:web )?(?:site |web)?page|hosting (?:provider"
    r"|company|account)"
    r"|(?:newly|successfully) (?:created|installed|registered)|no content (?:has been|was)"
    r"|\bno such\b",
    re.I,
)
_BROKEN = compile_later(
    r"there (?:was|is|were|has been|have been) (?:an? |some )?(?:error|problem)s?\b|(?:ran into"
    r"|hit|having|have|experiencing|encountered) (?:an? |some )?(?:\w+ )?(?:problem|trouble|snag"
    r"|issue|error|difficult)|(?:updating|upgrading|improving|rebuilding|redesigning) (?:our|the"
    r"|this) (?:web ?)?(?:site|servers?|systems?)|working (?:hard )?to (?:restore|fix|solve)"
    r"|(?:failed|unable) to (?:connect|reach|load|process)|temporary error|"
    r"\berror (?:has |have |was )?(?:been )?(?:occurred|encountered|happened)|(?:unexpected"
    r"|internal"
    r"|server|system"
    r"|application|critical|fatal|parse|runtime|database|script|upstream|connect(?:ion)?"
    r"|unknown) (?:error|problem|fault|failure)"
    r"|\berror (?:id|code|number|report|page|message|#)|\berror:? ?(?:(?!404|410)\d{3,4}\b"
    r"|occurred)|went wrong|gone wrong|overload|over (?:capacity|(?:\w+ )?quota)|bandwidth"
    r"|high (?:load|traffic|demand)"
    r"|(?:temporarily|currently|momentarily)[^.!?\n]{0,20}(?:unable|unavailable|down|over"
    r"|offline|closed)"
    r"|timed?[ -]?out\b|(?:session|token|link)[^.!?\n]{0,15}(?:expired|ended|invalid|timed out)"
    r"|connection[^.!?\n]{0,20}(?:refused|reset|failed|failure|closed|lost)|not responding"
    r"|did not respond"
    r"|stack ?trace|traceback|exception\b|sqlstate|\bora-\d|mysql|\bat [\w.$]+\([\w.]+:\d+\)"
    r"|\bon line \d+\b"
    r"|maintenance|be (?:right )?back|\b5\d\d (?:error|bad|service|gateway|internal|backend"
    r"|bandwidth|web)|technical (?:difficult|problem|issue)",
    re.I,
)
_AGAIN = compile_later(r"try(?:ing)? again|^\W*(?:an? )?error\W*$", re.I | re.M)
_PASSES_ON = compile_later(
    r"automatically|manually|please hold|transfer(?:ring)? you|^\W*(?:building|creating"
    r"|making) your|"
    r"redirect|(?:click|tap|press|follow)\b[^.!?\n]{0,25}\b(?:here|link|button|below)|\bif (?:it"
    r"|this"
    r"|nothing|the (?:page|download|file)|your (?:browser|download)|you are (?:re-?directed"
    r"|taken))\b"
    r"[^.!?\n]{0,60}\b(?:not|n['’]t|nothing)\b|takes? (?:only |just )?a (?:moment|minute|while"
    r"|few)|(?:down|up)load|prepar(?:e|ing)|generating|processing"
    r"|initiali[sz]ing"
    r"|(?:you are|you['’]re|now|about to)[^.!?\n]{0,20}leav(?:e|ing)|external (?:site|link|website)"
    r"|(?:has|have) (?:been )?moved\b|moved (?:to|permanently|here)|\b30[1278]\b|continue|proceed"
    r"|\benter\b|skip|^\W*go back\b|go (?:to (?:the|our|your) (?:home|start|front|main|site"
    r"|page))|return to|be taken to"
    rf"|(?:choose|select|pick|change)[^.!?\n]{{0,15}}(?:your|a|the) (?:{_YOUR_PLACE}|language"
    rf"|edition|site|store)"
    r"|advertisement|welcome|sprache wählen|choisissez|elija|seleccione|advert\b",
    re.I,
)
_LISTING = compile_later(r"^index of /|parent directory", re.I | re.M)
_CHOICE = compile_later(
    rf"(?:choose|select|pick|change)[^.!?\n]{{0,15}}(?:your|a|the) (?:{_YOUR_PLACE}|language"
    rf"|edition)",
    re.I,
)
_ABOUT_SITES = compile_later(
    r"\b(?:web|web ?sites?|websites?|sites?|(?:home|web)? ?pages?|browsers?|servers?|request(?:s"
    r"|ed|ing)?|ip"
    r"|firewall|malicious|spam\w*|administrators?|webmasters?|http\w*|dns|urls?|cookies?"
    r"|java ?script"
    r"|wordpress|plug-?ins?|links?|linking|search (?:box|engine|function)|bookmark\w*|online"
    r"|internet"
    r"|support team|click|block(?:ed|s|ing)?|access|log ?ins?|e-?mail|redirected|reload\w*|security"
    r"|error|reference|homepage|suspicious|contact|get in touch|bloquead\w*|acessar|address"
    r"|policy|hosting|network|robots?|bots?|captcha)\b"
    rf"|{_A_PAGE}|\b(?:adress\w*|startseite|suchfunktion|suche\b|recherche|sökfunktion|startsidan"
    rf"|sitios?|sito"
    r"|indirizzo|dirección|endereço|acesso|bloqueio|requisição|adres\w*|zoek\w*)|адрес|сайт"
    r"|サイト|网站|網站",
    re.I,
)
_SITE_NOUN = (
    r"\b(?:pages?|documents?|files?|articles?|content|resources?|app|application|viewer|browser"
    r"|(?:web ?)?site|(?:this|the|your) link|account|connection|request|message|full text"
    r"|abstract|script|window"
    r"|tab"
    r"|session|password|e-?book|chapter|pdf)\b"
)
_SITE_VERB = (
    r"\b(?:open\w*|view\w*|load\w*|sav(?:e|ing)|click|tap|choose|select|download\w*|install\w*"
    r"|request"
    r"|reload|refresh|switch\w*|turn(?:ed)? (?:on|off)|prepar\w+|ready|(?:un)?available|permission"
    r"|embargo\w*|purchase|buy|clos(?:e|ing)|(?:can|could) be found|being \w+|access\w*|offline"
    r"|wait|continue|proceed|received"
    r"|reached|find\w*"
    r"|read|display\w*|shown|stored?|removed|missing|verified|working|works)\b"
)
_HANDLES_PAGES = compile_later(
    rf"{_SITE_NOUN}[^.!?\n]{{0,60}}{_SITE_VERB}|{_SITE_VERB}[^.!?\n]{{0,60}}{_SITE_NOUN}"
    r"|^\W*it (?:will|may|should) [^.!?\n]{0,20}(?:open|load|embargo|download|start|begin|appear)"
    r"|^\W*(?:(?:click|tap) (?:here|to|on|below|the|save|ok)|download|request (?:a )?cop\w*)\b",
    re.I,
)
_OF_THE_SITE_TOO = compile_later(
    r"support (?:team|request|desk)|\bjs\b|\boffline\b|hang tight|bear with us|app ?store"
    r"|google play|no (?:data|content|items|records|text) (?:available|to)|\b(?:web ?sites?"
    r"|web ?pages?|browsers?|servers?|webmasters?"
    r"|administrators?|hosting|url"
    r"|html|http\w*"
    r"|pop-?ups?|captcha|robots\.txt|apache|nginx|varnish|cloudflare|chrome|firefox|safari)\b"
    r"|\bthis (?:page|site|area|service|app|application|content|file|document|link|request|title"
    r"|item)\b"
    r"|\byour (?:account|session|request|institution|library|subscription|licen[cs]e|connection"
    r"|device"
    r"|ip|network|e-?mail)\b|contact (?:us|support|the|your|an?)\b|(?:user ?name|e-?mail"
    r"|licen[cs]e number)"
    r"|reserved for|no account|create (?:one|an account)|request access|add to (?:cart|basket)"
    r"|\bprice:"
    r"|(?:non-)?members\b[^.!?\n]{0,15}(?:price|\$|€|£)|troubleshooting|please (?:return|reload"
    r"|refresh)"
    r"|reload|page (?:last )?(?:reviewed|updated)|sorry\b|oops|apolog|thank you for (?:visiting"
    r"|your)",
    re.I,
)
_ENTERS = compile_later(
    r"registration (?:is )?required|required to (?:see|read|view)|"
    r"(?:have|got) an account|"
    r"(?:log|sign)(?:ging|ning|ged|ned)?[ -]?(?:in|on|out|off)\b|password|user ?name|(?:create"
    r"|your|no"
    r"|another) account"
    r"|licen[cs]e number|reserved for|request access|(?:not|n['’]t) have access to this"
    r"|add to (?:cart|basket)|\bprice:|last free|full access",
    re.I,
)
_WALLS = (
    _NOT_FOUND,
    _FOR_SALE,
    _OUT_OF_ORDER,
    _KEPT_OUT,
    _WRONG_TURN,
    _SCRIPT_FILLS,
    _ASKS_CONSENT,
    _CONSENT_PURPOSE,
    _CONSENT,
    _PAYWALL,
    _LOGIN,
    _TRACE,
    _NOT_FOUND_ABROAD,
    _KEPT_OUT_ABROAD,
    _PAYWALL_ABROAD,
    _LOGIN_ABROAD,
    _SCRIPT_ABROAD,
    _OUT_OF_ORDER_ABROAD,
    _CONSENT_ABROAD,
    page_wall_words_by_language.NOT_IN_YOUR_PLACE,
    page_wall_words_by_language.FOR_PROFESSIONALS,
    page_wall_words_by_language.LOG_IN,
    page_wall_words_by_language.SESSION_ENDED,
    page_wall_words_by_language.PAY_FIRST,
    page_wall_words_by_language.PROVE_HUMAN,
    page_wall_words_by_language.OUT_OF_ORDER,
    page_wall_words_by_language.FOR_SALE,
    page_wall_words_by_language.LEADS_AWAY,
    page_wall_words_by_language.GONE,
    page_wall_words_by_language.FORBIDDEN_TITLE,
    page_wall_words_by_language.CONSENT,
)
_CONSENTS = (_ASKS_CONSENT, _CONSENT, _CONSENT_ABROAD, page_wall_words_by_language.CONSENT)
_VAGUE_WALLS = (
    _ASKS_WHO,
    _NOT_THERE,
    _BROKEN,
    _AGAIN,
    _HANDLES_PAGES,
    _PASSES_ON,
    _ENTERS,
    _OF_THE_SITE_TOO,
)
_SITE_WORD = compile_later(
    r"\b(?:pages?|(?:web ?)?sites?|web|links?|urls?|address|browsers?|cookies?|servers?|request\w*"
    r"|accounts?|sessions?|system|applications?|apps?|articles?|content|files?|items?|documents?"
    r"|downloads?"
    r"|resources?|website|areas?|registration|sections?|messages?|owners?|institution"
    r"|licen[cs]es?|pmid|doi"
    r"|full text|abstract|viewer|pdf"
    r"|records?|user|languages?|errors?|host\w*|click|here|please|terms|log|sign|titles?|videos?"
    r"|profiles?"
    r"|location"
    r"|domain|traffic|visitors?|access|you|your|you['’]\w+|our|us|we)\b",
    re.I,
)
_MEASURE = compile_later(
    r"\d\s?(?:mg|µg|mcg|g|kg|ml|l|dl|%|mmhg|mmol\S*|iu|units?|per cent|percent|of \d|times|patients"
    r"|people|children|days?|weeks?|months?)\b|\d ?%",
    re.I,
)
_ENDS = compile_later(r"\n+|(?<=[.!?])\s+(?=\S)|(?<=[。！？])(?=\S)")
_ABSTRACT = frozenset(
    ("abstract", "summary", "zusammenfassung", "résumé", "resumen", "resumo", "riassunto")
)
_PARTS = 3
_PART = compile_later(
    rf"\s*(?:{'|'.join(_ABSTRACT)}|background|introduction|objectives?|aims?|purpose|design|setting"
    r"|participants|methods?|materials and methods|results|findings|interpretation|conclusions?"
    r"|hintergrund|fragestellung|methoden?|methodik|ergebnisse|schlussfolgerung(?:en)?|contexte"
    r"|objectifs?|méthodes|résultats|antecedentes|métodos|resultados|conclusiones)\s*(?::|$)",
    re.I,
)
_TOLD_OF = compile_later(
    r"\b(?:patients|carers|people|users|participants|respondents|volunteers|surveys?|studies|study"
    r"|trials?|screen readers|programs|bots|\d+ %|\d+%)",
    re.I,
)
_SPEAKS_TO_READER = compile_later(
    r"\b(?:we|our|us|please|click|your|you(?! are (?:a )?(?:human|not))|this (?:site|page))\b", re.I
)
_NO_WORDS = compile_later(r"\W{30,}")
"""A line of signs or much empty space, which would hold up rules for the first word of a line."""
_CLOSED = compile_later(r"[.!?。:]['\"”’)]*$")
_WORD = compile_later(r"[\u3040-\u30ff\u3400-\u9fff]{2}|[^\W_]+")
_LINKED_DATA = compile_later(
    r"<script[^>]{0,200}application/ld\+json[^>]{0,200}>(.{0,200000}?)</script>", re.I | re.S
)
_OTHERS = frozenset(
    ("itemListElement", "mentions", "isPartOf", "potentialAction", "relatedLink", "citation")
)  # what a page's data say of other pages


_CLEAR: tuple[tuple[tuple[re.Pattern[str], ...], Found, str], ...] = (
    ((_FOR_SALE, page_wall_words_by_language.FOR_SALE), "not_found", "its domain is for sale"),
    ((_LISTING,), "not_found", "the site shows a list of its files"),
    (
        (_NOT_FOUND, _NOT_FOUND_ABROAD, page_wall_words_by_language.GONE),
        "not_found",
        _NO_SUCH_PAGE,
    ),
    (
        (_OUT_OF_ORDER, _OUT_OF_ORDER_ABROAD, page_wall_words_by_language.OUT_OF_ORDER),
        "http_error",
        "the site says that it is out of order",
    ),
    ((_TRACE,), "http_error", "the site shows an error of its software"),
    (
        (
            _KEPT_OUT,
            _KEPT_OUT_ABROAD,
            page_wall_words_by_language.PROVE_HUMAN,
            page_wall_words_by_language.NOT_IN_YOUR_PLACE,
            page_wall_words_by_language.FOR_PROFESSIONALS,
            page_wall_words_by_language.FORBIDDEN_TITLE,
        ),
        "blocked",
        "the site checks who is visiting, or keeps readers out",
    ),
)
"""Words that tell what a page with little prose is."""
_VAGUE: tuple[tuple[tuple[re.Pattern[str], ...], Found, str], ...] = (
    ((_SCRIPT_FILLS, _SCRIPT_ABROAD), "empty", "only a script fills the page"),
    ((_ASKS_WHO,), "blocked", "the site checks who is visiting, or keeps readers out"),
    (
        (
            _LOGIN,
            _LOGIN_ABROAD,
            page_wall_words_by_language.LOG_IN,
            page_wall_words_by_language.SESSION_ENDED,
            _ENTERS,
        ),
        "paywalled",
        "the site asks for a login",
    ),
    ((_BROKEN,), "http_error", "the site says that it is out of order"),
    ((_NOT_THERE,), "not_found", _NO_SUCH_PAGE),
    ((_AGAIN,), "http_error", "the site says that it is out of order"),
    (
        (_PASSES_ON, _HANDLES_PAGES, page_wall_words_by_language.LEADS_AWAY),
        "empty",
        "the page only links to others",
    ),
)
"""Words that every site has somewhere: they tell what a page is that says nothing else."""


def classify_as_page_or_wall_and_say_why(
    title: str,
    text: str,
    *,
    free: bool = True,
    asks_password: bool = False,
    unlisted: bool = False,
) -> tuple[Found, str]:
    """What a page is (``ok``: the page itself) and why; ``free`` is what its own metadata say,
    ``asks_password`` whether it has a field for one, ``unlisted`` whether it asks search engines to
    leave it out.
    """
    if len(text) > _LONG:
        return "ok", ""
    if _TITLE_OF_NO_PAGE.search(title):
        return "not_found", _NO_SUCH_PAGE
    text = _NO_WORDS.sub(lambda run: "\n" if "\n" in run[0] else " ", text)
    pieces = [piece for piece in _ENDS.split(text) if piece.strip()]
    # Under a heading that is the title, what follows is the page's own text.
    opening = [] if pieces[:1] == [title] else _opening(pieces)
    pieces = [piece for piece in pieces if piece.strip() != title]
    prose = rest = 0
    for piece in pieces:
        if not _is_walled(piece):
            rest += _words(piece)
            prose += _words(piece) if _is_prose(piece) else 0
            if prose >= _TEASER:
                return "ok", ""
    both = f"{title}\n{text}"
    if _WRONG_TURN.search("\n".join(pieces[:2])):
        return "not_found", _NO_SUCH_PAGE
    said = both if prose < _NO_PROSE else "\n".join([title, *opening])
    if prose < _LITTLE_PROSE:
        for walls, outcome, reason in _CLEAR:
            if any(wall.search(said) for wall in walls):
                return outcome, reason
    explained = _explained(title, pieces)
    if explained is not None:
        return explained
    bare = not prose and rest < _BESIDE
    if bare and _SCRIPT_FILLS.search(text):
        return "empty", "only a script fills the page"
    paywall = any(
        wall.search(both)
        for wall in (_PAYWALL, _PAYWALL_ABROAD, page_wall_words_by_language.PAY_FIRST)
    )
    if prose < _TEASER and (not free or paywall):
        if prose >= _LITTLE_PROSE and _is_whole_abstract(pieces):
            return "ok", ABSTRACT_ONLY
        return "paywalled", "the site asks for a subscription"
    signs = {found[0].casefold() for wall in _CONSENTS for found in wall.finditer(text)}
    asked = any(
        notice.search(text) for notice in (_ASKS_CONSENT, page_wall_words_by_language.CONSENT)
    )
    if bare and (asked or len(signs) >= _SIGNS):
        return "blocked", "only a consent notice is shown"
    if asks_password and prose < _NO_PROSE:
        return "paywalled", "the site asks for a login"
    alone = _of_the_site_alone(title, pieces)
    own_words = "\n".join(pieces)
    if alone[0] == "ok" and page_wall_words_by_language.is_about_cookies_alone(title, own_words):
        return "blocked", "only a consent notice is shown"
    if alone[0] == "ok" and (
        does_page_speak_only_to_its_visitor(title, own_words, unlisted=unlisted)
        or page_wall_words_by_language.is_foreign_language_visitor_notice(title, own_words)
    ):
        return "empty", "it does not look like an article: it only addresses its visitor"
    if alone[0] == "ok" and (
        is_too_short_to_tell(title, own_words)
        or page_wall_words_by_language.is_short_foreign_page_without_subject(title, own_words)
    ):
        return "ok", PERHAPS_NO_ARTICLE
    return alone


def _opening(pieces: list[str]) -> list[str]:
    """The first sentence of a page and what stands above it ("Hmm. That one is missing.")."""
    for at, piece in enumerate(pieces[:_OPENING]):
        if _is_prose(piece) or _is_walled(piece):
            return pieces[: at + 1]
    return pieces[:1]


def _explained(title: str, pieces: list[str]) -> tuple[Found, str] | None:
    """What a page is that opens as a wall and then explains itself at length (None: it does not):
    most of its words are about sites, requests and browsers.
    """
    words = sum(map(_words, pieces))
    if not words or words > _EXPLANATION:
        return None
    headed = not _CLOSED.search(pieces[0].strip())
    top = "\n".join([title, *pieces[: 2 if headed else 1]])
    told = [piece for piece in pieces if not _reports_on_checks(piece)]
    of_the_site = [piece for piece in told if _is_of_the_site(piece)]
    about = [piece for piece in told if _ABOUT_SITES.search(piece) or piece in of_the_site]
    for said, counted, share in (
        (top, about, _MOSTLY),
        ("\n".join([title, *pieces[:3]]), of_the_site, _NEARLY_ALL),
    ):
        if sum(map(_words, counted)) < share * words:
            continue
        for walls, outcome, reason in _CLEAR:
            if any(wall.search(said) for wall in walls):
                return outcome, reason
    return None


def _of_the_site_alone(title: str, pieces: list[str]) -> tuple[Found, str]:
    """What a page is that says nothing but what sites say of themselves (``ok``: it says more)."""
    own = []
    for piece in pieces:
        if not _is_of_the_site(piece):
            if _is_prose(piece) or _says_a_fact(piece):
                return "ok", ""
            own.append(piece)
    rest = sum(map(_words, own))
    if rest < _NEXT_TO_NOTHING + 2:
        site = "\n".join([title, *(piece for piece in pieces if piece not in own)])
        for walls, outcome, reason in _VAGUE:
            if any(wall.search(site) for wall in walls):
                return outcome, reason
    if _CHOICE.search("\n".join([title, *pieces])):
        return "empty", "the page only links to others"
    defines = (
        rest > 1
        and does_text_mention_medicine(title)
        and does_text_mention_medicine("\n".join(own))
    )
    short = rest < _NEXT_TO_NOTHING and not defines
    return ("empty", "it says next to nothing") if short else ("ok", "")


def _says_a_fact(piece: str) -> bool:
    """Whether a piece is a short sentence ("Alcohol makes it worse.") or holds a measure."""
    closed = piece.strip().endswith((".", "。")) and not piece.strip().endswith("..")
    return bool(_MEASURE.search(piece)) or (closed and _words(piece) >= _SHORTEST_SENTENCE)


def _is_whole_abstract(pieces: list[str]) -> bool:
    """Whether a text holds an abstract that runs to its end: under a heading for one, or in parts
    such as Methods and Results.
    """
    headings = [found[0].casefold().strip(" :") for one in pieces if (found := _PART.match(one))]
    prose = [one.strip() for one in pieces if _is_prose(one) and not _is_walled(one)]
    cut_off = any(one.endswith(("…", "...")) for one in prose)
    whole = bool(_ABSTRACT & set(headings)) or len(set(headings)) >= _PARTS
    return whole and not cut_off


def _reports_on_checks(piece: str) -> bool:
    """Whether a sentence tells of people and the checks of sites ("a third of users over 70 failed
    the CAPTCHA") instead of being one.
    """
    return bool(_TOLD_OF.search(piece)) and not _SPEAKS_TO_READER.search(piece)


def _is_walled(piece: str) -> bool:
    if _KEPT_OUT.search(piece) and _reports_on_checks(piece):
        return False
    if any(wall.search(piece) for wall in _WALLS):
        return True
    return bool(_OF_THE_SITE.search(piece)) and not _MEASURE.search(piece)


def _is_of_the_site(piece: str) -> bool:
    if _is_walled(piece):
        return True
    if _MEASURE.search(piece):
        return False
    if does_sentence_state_medical_subject(piece):
        return False
    if _words(piece) > _SHORT_SENTENCE and not _SITE_WORD.search(piece):
        return False
    return any(wall.search(piece) for wall in _VAGUE_WALLS)


def is_free_by_metadata(page: str) -> bool:
    """Whether a page's own metadata (schema.org) do not say that it costs money."""
    for found in _LINKED_DATA.finditer(page):
        try:
            data = json.loads(found[1])
        except (ValueError, RecursionError):
            continue
        if _costs(data, 0):
            return False
    return True


def _costs(data: Any, depth: int) -> bool:
    if depth > 8:
        return False
    if isinstance(data, list):
        return any(_costs(one, depth + 1) for one in data)
    if not isinstance(data, dict):
        return False
    if str(data.get("isAccessibleForFree", "")).strip().casefold() == "false":
        return True
    return any(_costs(value, depth + 1) for key, value in data.items() if key not in _OTHERS)


def _words(piece: str) -> int:
    return len(_WORD.findall(piece))


def _is_prose(piece: str) -> bool:
    return _words(piece) >= (5 if _CLOSED.search(piece.strip()) else 9)


def has_prose(title: str, text: str) -> bool:
    """Whether there is prose in a text."""
    return any(_is_prose(piece) for piece in _ENDS.split(text) if piece.strip() != title)
