"""What walls say in German, French, Spanish, Portuguese, Italian, Chinese and Japanese.

Each kind of wall is put together from what every language has for it: who is kept out, where, what
is not shown, and what the visitor is to do. A sentence that matches is about the site and no part
of an article; the kinds that an article may mention too need the site or its visitor beside them.
"""

from __future__ import annotations

import re

from medlens.deferred_regex import compile_later
from medlens.web.short_page_medical_content import does_text_mention_medicine

_I = re.IGNORECASE

_CONTENT = (
    r"(?:inhalte?s?|seiten?|artikel|beitr[aä]g\w*|dokument\w*|ressource|angebot|webseite|website"
    r"|contenus?|pages?|articles?|documents?|ressources?|sites?|contenidos?|p[aá]ginas?"
    r"|art[ií]culos?"
    r"|sitios?|recursos?|conteúdos?|artigos?|contenut[oi]|pagin[ae]|articol[oi]|sit[oi]|risors[ae]"
    r"|documentos?|documento|vídeo|video)"
)
_THIS = (
    r"(?:dies\w*|der|die|das|unser\w*|cette?|ces|le|la|les|notre|est[ea]s?|el|los|las|nuestr\w*|o|a"
    r"|os|as|este|esta|nosso|nossa|quest\w*|il|lo|i|gli|nostr\w*|l['’]|e)"
)
_NOT_AVAILABLE = (
    r"(?:nicht (?:mehr )?(?:verfügbar|zugänglich|abrufbar|erreichbar)"
    r"|(?:n['’]est|ne sont|n['’]est plus) (?:pas |plus )?(?:disponibles?|accessibles?)"
    r"|indisponibles?|no (?:está|están|se encuentra) (?:disponibles?|accesibles?)"
    r"|não (?:está|estão) (?:disponí\w+|acessí\w+)|indispon[ií]v\w+"
    r"|non (?:è|sono) (?:disponibil\w|accessibil\w))"
)
_YOUR_PLACE = (
    r"(?:(?:ihr|dein)\w* (?:land|region|standort|gebiet)|votre (?:pays|région|zone)"
    r"|(?:su|tu) (?:país|región|zona|ubicación)|(?:seu|sua|teu) (?:país|região|localização)"
    r"|(?:tuo|suo|vostro) paese|(?:tua|sua|vostra) (?:regione|zona|area)"
    r"|(?:europäischen union|union européenne|unión europea|união europeia|unione europea))"
)
NOT_IN_YOUR_PLACE = compile_later(
    rf"{_NOT_AVAILABLE}[^.!?\n]{{0,50}}\b{_YOUR_PLACE}"
    rf"|{_YOUR_PLACE}[^.!?\n]{{0,50}}{_NOT_AVAILABLE}"
    r"|(?:お住まい|ご利用|お客様|あなた)の?(?:の)?(?:地域|国)[^。\n]{0,25}(?:できません|いただけません|提供して)"
    r"|(?:您|你)?所?在的?(?:国家|地区|國家|地區)[^。\n]{0,20}(?:无法|無法|不可用|不可访问|不提供|不支持)"
    r"|(?:无法|無法|不能|不)[^。\n]{0,6}在?(?:您|你)(?:所)?在的?(?:国家|地区|國家|地區)",
    _I,
)

_PROFESSIONALS = (
    r"(?:fachkreis\w*|fachpersonal|fachpublikum|ärzte und apotheker|angehörige\w* der heilberufe"
    r"|professionnels? (?:de (?:la )?)?santé|profesionales? (?:sanitarios?|de (?:la )?salud)"
    r"|profissiona(?:l|is) de saúde|operator[ei] sanitari\w*|professionist[ai] sanitari\w*"
    r"|医療関係者|医療従事者|医疗专业人士|医务人员|医护人员)"
)
_FOR_THEM = (
    r"(?:\bnur\b|ausschließlich|vorbehalten|bestimmt für|réservée?s?|destinée?s?|exclusiv\w+"
    r"|únicamente|reservad[oa]s?|dirigid[oa]s?|\bsolo\b|\bsólo\b|riservat\w|destinat\w|certifi\w*"
    r"|bestätig\w*|confirm\w*|dichiar\w*|declar\w*|のみ|向け|仅限|仅供|専用|僅限)"
)
FOR_PROFESSIONALS = compile_later(
    rf"{_FOR_THEM}[^.!?。\n]{{0,60}}{_PROFESSIONALS}[^.!?。\n]{{0,40}}"
    r"(?:zugänglich|login|log|site|portal|bereich|espace|zugriff|accès|acceso|acesso|accesso|$"
    r"|\.|。)"
    rf"|\b{_CONTENT}[^.!?。\n]{{0,30}}{_FOR_THEM}[^.!?。\n]{{0,40}}{_PROFESSIONALS}"
    rf"|{_PROFESSIONALS}[^.!?。\n]{{0,20}}(?:のみ|向け|专区|專區|です[かか]|阅读|浏览)"
    r"|sind sie (?:arzt|ärztin|apotheker|angehörige)[^.!\n]{0,40}\?"
    r"|êtes-vous (?:un )?professionnel|es usted (?:un )?profesional (?:sanitario|de la salud)"
    r"|é (?:um )?profissional de saúde\s*\?|sei un (?:operatore|professionista) sanitario",
    _I | re.M,
)

LOG_IN = compile_later(
    r"\b(?:log+en|melden|loggt|meldet|logge|melde) (?:sie |euch |dich )?(?:sich )?(?:[\w-]+ ){0,7}?"
    r"(?:ein|an)\b(?=[^.!?\n]{0,60}(?:$|[.!?\n]))"
    r"|\b(?:inicie|inicia|iniciar) sesión|\bfa(?:ça|zer) (?:o )?login|\bentre (?:na sua conta|com)"
    r"|\b(?:effettua(?:re)?|esegui) (?:il login|l['’]accesso)|\baccedi (?:per|al|con|o)\b"
    r"|\b(?:connectez|identifiez)-vous|\bse connecter (?:pour|à)\b|\bregistrieren sie sich"
    r"|\binscrivez-vous|\bcréez (?:un|votre) compte|\bregístr[ea]+(?:te|se)|\bcadastre-se"
    r"|\bcrie (?:uma|sua) conta|\bregistrati\b|\bcrea (?:una cuenta|un account)"
    r"|(?:登录|登入|登錄|注册|註冊)(?:后|後|才能|以)|请(?:先)?(?:登录|注册|登入)|請(?:先)?登[入錄]"
    r"|ログイン(?:して|が必要|すると|または)|会員登録|新規登録",
    _I | re.M,
)

SESSION_ENDED = compile_later(
    r"\b(?:sitzung|(?:votre|la|ta) session|sesión|sessão|sessione)\b[^.!?\n]{0,30}"
    r"(?:abgelaufen|beendet|ungültig|expir|caduc|termin|scadut|finaliz)"
    r"|(?:会话|登录|會話)[^。\n]{0,8}(?:过期|失效|超时|過期)|セッション[^。\n]{0,12}(?:切れ|無効|タイムアウト)",
    _I,
)

_SOME_ARTICLES = (
    r"(?:artikeln?|beiträgen?|articles?|artículos?|artigos?|articoli|文章|記事|页面|ページ)"
)
# What is free to subscribe to: "Jetzt Newsletter abonnieren", "Abonnez-vous à notre lettre".
_LETTERS = (
    r"(?:newsletter|rundbrief|infobrief|e-?mail|podcast|kanal|feed|lettre|infolettre|bolet[íi]n"
    r"|boletim|alertas?|canal)"
)
_NO_ARTICLE = rf"[^.!?\n]{{0,30}}\b{_LETTERS}"
PAY_FIRST = compile_later(
    rf"(?:kontingent|freien?|kostenlosen?|gratis\w*|gratuit\w*"
    rf"|gratuiti)[^.!?\n]{{0,30}}{_SOME_ARTICLES}"
    r"[^.!?\n]{0,30}(?:aufgebraucht|verbraucht|erreicht|gelesen|épuisé|atteint|lus?\b|agotad"
    r"|alcanzad"
    r"|leído|esgot|atingi|lido|esaurit|raggiunt|lett)"
    rf"|(?:aufgebraucht|erreicht|épuisé|atteint|agotado|alcanzado|esgotou|atingiu|esaurito"
    rf"|raggiunto)"
    rf"[^.!?\n]{{0,50}}{_SOME_ARTICLES}"
    r"|\b(?:sie haben|du hast|ihre \w+ hat) (?:leider )?kein(?:en|e)? (?:zugriff|zugang)"
    r" (?:auf|zu) (?:diese[nms]?|dem|den|das|die) (?:volltext|artikel|beitrag|inhalt|kapitel)"
    r"|\beinzelkauf\b[^.!?\n]{0,20}\d"
    r"|\bla suite (?:de cet article )?(?:est )?(?:réservée|pour)|il vous reste \d+ ?% (?:de|à)"
    r"|\bnoch \d+ ?% (?:des|zu lesen)|le queda(?:n)? (?:un )?\d+ ?%"
    rf"|(?<!letter )\b(?:abonnieren|abonnez|suscríb|assine|abbonat)\w*(?!{_NO_ARTICLE})"
    r"[^.!?\n]{0,40}(?:jetzt|maintenant|ahora|agora|ora|suite|zugang|accès|acceso|acesso|accesso|leggere"
    r"|illimit\w*)"
    rf"|(?:jetzt|maintenant|ahora|agora) (?:(?!{_LETTERS})\w+ )?"
    rf"(?:abonnieren|abonnez|suscríb|assin|abbonat)\w*(?!{_NO_ARTICLE})"
    r"|\b(?:kaufen|achetez|acheter|compr[ae]r?|acquista\w*)\b[^.!?\n]{0,30}"
    r"\b(?:artikel|article|artículo|artigo|articolo)\b"
    r"|\bkostenpflichtig|\b(?:texte|article|contenu|contenus)\b[^.!?\n]{0,15}\bpayants?"
    r"|(?:texto|artículo|artigo|contenido|conteúdo)[^.!?\n]{0,12}\b(?:de pago|pago)\b"
    r"|\b(?:testo|articolo|contenuto)\b[^.!?\n]{0,12}\ba pagamento"
    r"|(?:本文|内容|全文)[^。\n]{0,6}付费|付费(?:内容|文章)"
    r"|(?:artikel|article|artículo|artigo|articolo)[^.!?\n]{0,25}(?:kaufen|acheter|comprar"
    r"|acquista)"
    r"|(?:仅限|限)(?:会员|訂閱|订阅|付费)|(?:付费|订阅|订购|購買|购买)(?:后|後|才能|以)|有料会員|有料記事"
    r"|続きは(?:会員|有料)|この記事は(?:会員|有料)",
    _I,
)

_NO_ROBOT = (
    r"\b(?:kein|nicht|no|pas|non|não)\b[^.!?\n]{0,15}"
    r"\b(?:robots?|roboter|robô|bot|maschine|máquina)\b"
)
PROVE_HUMAN = compile_later(
    rf"(?:bestätig|beweis|nachweis|verifi|vérifi|confirm|prouv|demuestr|compruéb|comprob|dimostr"
    rf"|conferm|comprove|prove)\w*[^.!?\n]{{0,40}}{_NO_ROBOT}"
    # a check of the browser, which a machine does and no reader
    r"|(?:v[ée]rification|contrôle) de votre navigateur|überprüf\w*[^.!?\n]{0,20} browser"
    r"|(?:browser|verbindung) wird (?:über)?prüft|(?:comprobando|verificando) (?:su|tu|seu)"
    r" (?:navegador|conexión|conexão)|(?:verifica|controllo) del (?:tuo |suo )?browser"
    r"|(?:controleren|controle) van (?:uw|je) browser|sprawdzanie (?:\w+ )?przeglądarki"
    r"|провер\w+ (?:\w+ )?браузер|(?:kontroll\w+|sjekker) (?:din |av din )?(?:webbläsare|nettleser)"
    r"|tarayıcınız kontrol|正在检查您的浏览器|ブラウザを確認しています"
    r"|人机|机器人|機器人|验证码|驗證碼|滑块|拖动|人間であること|ロボットでない|画像認証|認証コード"
    r"|(?:zu viele|trop de|demasiadas|muitas|troppe) (?:anfragen|requêtes|solicitudes|requisições"
    r"|pedidos|richieste)|访问(?:过于|太)频繁|操作(?:过于|太)频繁|請求過於頻繁|アクセスが集中"
    r"|werbeblocker|adblock\w*|bloqueurs? de (?:publicités?|pubs?)|bloqueador\w* de (?:anuncios"
    r"|anúncios|publicidad\w*)|blocco (?:della pubblicità|annunci)"
    r"|广告(?:拦截|屏蔽)|廣告(?:攔截|封鎖)"
    r"|広告ブロック"
    r"|\b(?:sind sie|haben sie|bist du|avez-vous|êtes-vous|tiene|es usted|eres|tem|você tem|é"
    r"|hai|sei)\b[^.!?\n]{0,20}(?:\b1[68]\b|majeur|mayor de edad|maior de idade|maggiorenne"
    r"|volljährig)[^.!?\n]{0,15}\?|(?:满|滿|年满)\s?18|18歳以上(?:です|の方)|年齢確認|年龄验证"
    r"|(?:ungewöhnliche\w*|verdächtige\w*|inhabituel\w*|inusual|incomum|insolito"
    r"|anomal\w*)[^.!?\n]{0,30}"
    r"(?:aktivität|zugriff|datenverkehr|trafic|activité|tráfico|actividad|tráfego|atividade"
    r"|traffico"
    r"|attività)\w*[^.!?\n]{0,40}(?:netzwerk|ip|réseau|red\b|rede\b|rete\b|adres\w*|anschluss)"
    rf"|\bzugriff auf (?:diese|die|das|den|unsere)\w*[^.!?\n]{{0,50}}(?:gesperrt|verweigert"
    rf"|blockiert|nicht (?:erlaubt|gestattet))"
    rf"|\b(?:l['’])?acc[eè]s(?:so|o)? (?:à|a) (?:cette?|est[ea]|quest[oa]|la|al|le"
    rf"|ce) ?{_CONTENT}[^.!?\n]{{0,40}}"
    r"(?:bloqu|refus|interdit|limit|restri|deneg|prohib|negat|vietat|suspen)"
    rf"|\bo? ?acesso (?:a|à|ao) (?:est[ea]|esse|essa)? ?{_CONTENT}[^.!?\n]{{0,40}}(?:bloque"
    rf"|negad|proibid|restri)"
    r"|(?:访问|存取)(?:已?被)?(?:限制|阻止|拒绝|禁止)|禁止访问|アクセス(?:は|が)?(?:制限|禁止|ブロック)",
    _I,
)

_WEB_PART = (
    r"(?:website|webseite|seite|server|system\w*|dienst|portal|shop|site|service|serveur|sitio|web"
    r"|servidor|servicio|sistema|portale|serviço|página|pagina|plataforma|plateforme|sito|servizio)"
)
_LATER = (
    r"(?:später|in kürze|bald|gleich) (?:\w+ )?(?:wieder|erneut|noch)|erneut versuchen"
    r"|versuchen sie es|plus tard|revenez|réessay\w+|vuelva|más tarde|inténtelo|volte|mais tarde"
    r"|tente novamente|più tardi|riprova\w*|torna\w* (?:più|presto)"
)
OUT_OF_ORDER = compile_later(
    rf"\b(?:wartung\w*|maintenance|mantenimiento|manutenção"
    rf"|manutenzione)\b[^!?\n]{{0,80}}(?:{_LATER})"
    rf"|\b{_WEB_PART}\b[^.!?\n]{{0,50}}\b(?:wartung\w*|en maintenance|en mantenimiento"
    rf"|em manutenção"
    r"|in manutenzione|überlastet|surchargé|saturado|sobrecarregado|sovraccaric\w)"
    r"|(?:tareas|trabajos|labores) de mantenimiento|travaux de maintenance|lavori di manutenzione"
    r"|trabalhos de manutenção|メンテナンス(?:中|の(?:ため|為)|を(?:実施|行))"
    r"|(?:系统|系統|网站|網站|服务器|服務器)"
    r"[^。\n]{0,8}(?:维护|維護|升级|升級|繁忙|错误|故障)|しばらく(?:して|経って|お待ち)[^。\n]{0,12}(?:再度|もう一度|から)|(?:请"
    r"|請)?稍[后後]再?[试試访訪]|サーバー?(?:エラー|が混み|に接続)"
    r"|^\W*(?:fehler|erreur|errore?|erro|错误|エラー)\s*:?\s*5\d\d\b"
    r"|da(?:s|bei)? ist (?:leider )?(?:etwas )?schiefgelaufen|une erreur (?:inattendue"
    r"|est survenue)"
    r"|algo (?:ha salido|salió|deu|correu) (?:mal|errado)|qualcosa è andato storto"
    r"|quelque chose s['’]est mal",
    _I | re.M,
)

FOR_SALE = compile_later(
    r"\bdomain\b[^.!?\n]{0,30}(?:zum verkauf|zu verkaufen|kaufen|erworben)"
    r"|(?:nom de )?domaine\b[^.!?\n]{0,30}(?:à vendre|en vente)"
    r"|dom[ií]nio\b[^.!?\n]{0,30}(?:en venta|à venda|in vendita|a la venta)"
    r"|域名[^。\n]{0,10}(?:出售|转让|到期)|ドメイン[^。\n]{0,12}(?:販売|売り|購入|期限)",
    _I,
)

GONE = compile_later(
    rf"\b{_CONTENT}\b[^.!?\n]{{0,50}}(?:wurde (?:\w+ )?(?:entfernt|gelöscht|verschoben)"
    r"|ist (?:leider )?(?:nicht mehr|umgezogen)|a été (?:supprimée?|retirée?|déplacée?)"
    r"|n['’]est plus en ligne"
    r"|ha sido (?:eliminad|borrad|movid|retirad)|fue (?:eliminad|removid)|foi (?:removid|exclu"
    r"|apagad|eliminad)"
    r"|è stat[oa] (?:rimoss|eliminat|cancellat|spostat))"
    r"|^\W*(?:fehler|erreur|errore?|erro|错误|エラー)\s*:?\s*4(?:04|10)\b"
    rf"|\b{_CONTENT}\b[^.!?\n]{{0,50}}steht (?:\w+ )?nicht (?:mehr )?(?:zur verfügung|bereit)"
    r"|\bvon (?:der|dieser|unserer) (?:website|webseite|internetseite|homepage) (?:entfernt"
    r"|genommen|gelöscht)"
    r"|wir sind umgezogen|(?:hat|haben) [^.!?\n]{0,30}neue (?:internet)?adresse"
    r"|(?:site|nous|nous avons)\b[^.!?\n]{0,25}(?:changé d['’]adresse|déménagé)"
    r"|nos hemos (?:mudado|trasladado)|mudamos de (?:endereço|site)|ci siamo trasferiti"
    r"|(?:lesezeichen|favoriten|vos favoris|sus (?:marcadores|favoritos)|seus favoritos|segnalibri)"
    r"|hier entsteht|im aufbau\b|en (?:cours de )?construction\b|en construcción|em construção"
    r"|in costruzione\b|(?:网站|页面)(?:正在)?建设中|工事中"
    r"|(?:ページ|サイト)[^。\n]{0,8}(?:準備中|移転し|移動し)"
    r"|没有找到[^。\n]{0,20}(?:结果|内容)|該当する[^。\n]{0,12}(?:ありません|見つかりません)"
    r"|(?:内容|文章|页面|記事|ページ)(?:已(?:被)?(?:删除|下架|移除)|は(?:削除|終了|公開を終了))"
    r"|お探しの|您(?:访问|要找|查找)的",
    _I | re.M,
)

FORBIDDEN_TITLE = compile_later(
    r"^\W*(?:fehler|erreur|errore?|erro|错误|エラー)\s*:?\s*40[0135-9]\b", _I | re.M
)

LEADS_AWAY = compile_later(
    r"\b(?:verlassen (?:jetzt |nun |gleich )?(?:unser|die|den|dies)\w*"
    r"|(?:allez |êtes en train de )?quitter (?:notre|le|ce)|saliendo de (?:nuestro|este)"
    r"|sair d[oe] (?:nosso|site)|lasciando (?:il|questo))"
    r"[^.!?\n]{0,25}(?:angebot|seite|website|webseite|site|sitio|sito)"
    r"|(?:离开|離開)(?:本|我们的|我們的)?(?:网站|網站|站)|外部サイト(?:に|へ)(?:移動|リンク)",
    _I,
)

CONSENT = compile_later(
    r"\b(?:verwende\w*|nutz\w*|setz\w*|utilis\w*|usa(?:mos)?|emple\w*|utiliz\w*|usiamo"
    r"|util[ie]zz\w*)\b"
    r"[^.!?\n]{0,40}\b(?:technische |eigene |propias |próprios )?cookies?\b(?=[^!?\n]{0,160}"
    r"(?:akzept|ablehn|zustimm|accept|refus|acept|rechaz|configur|aceit|rejeit|rifiut|preferenz"
    r"|personnalis|préférenc|einstellung|notwendige))"
    r"|\b(?:partnern?|partenaires|socios|parceiros)\b[^.!?\n]{0,40}(?:daten\b|données"
    r"|información|datos"
    r"|dados|informazioni|dati\b|informations|informationen)"
    r"|(?:我们|本网站|本站)使用\s*cookie|cookie\s*を使用(?:して|し)ています|当サイトでは\s*cookie",
    _I,
)
"""A notice that asks; a page about cookies as a subject is none."""
_COOKIE = compile_later(
    r"\bcookies?\b|çerez|eväste|ciastecz|\bkakor\b|informasjonskaps|informationskaps|\bsüti|piškot"
    r"|kolačić|piskotk|küpsis|slapuk|sīkdat|бисквитк|куки|кукі|колачић|ملفات تعريف|الكوكيز"
    r"|עוגיות|קוקי|कुकी|คุกกี้|쿠키|クッキー",
    _I,
)
_MOST_OF_A_NOTICE = 70
"""Words of a notice about cookies in whatever language."""


def is_about_cookies_alone(title: str, text: str) -> bool:
    """Whether a page of a few words in any language opens with cookies and names no subject of
    medicine.
    """
    opening = "\n".join([title, *text.strip().splitlines()[:1]])
    return (
        _COOKIE.search(opening) is not None
        and len(re.findall(r"\w+", text)) <= _MOST_OF_A_NOTICE
        and not does_text_mention_medicine(text)
        and not _SUBJECT.search(text)
    )


# -- what any other wall has in common: it speaks to its visitor, of the site and of no subject ----

_MOST_WORDS = 32
"""Words from which on a page is no notice; two characters of Chinese or Japanese are one."""
_WORD = compile_later(r"[\u3040-\u30ff\u3400-\u9fff]{2}|[^\W\d_]+")
_TO_ITS_VISITOR = compile_later(
    r"\b(?:Sie|Ihre?[mnrs]?|Ihnen|Du|du|dein\w*|[Bb]itte|[Ww]ir|[Uu]nser\w*"
    r"|[Vv]ous|[Vv]otre|[Vv]os|[Mm]erci|[Vv]euillez|[Nn]ous|[Nn]otre|[Nn]os|[Tt]on|[Tt]es"
    r"|[Ss]us?|[Tt]us?|[Uu]sted|[Hh]as?|[Hh]aga|[Pp]or favor|[Ee]stamos|[Vv]uelva"
    r"|[Nn]uestr\w*"
    r"|[Vv]ocê|[Ss]eus?|[Ss]uas?|[Ss]ua|[Tt]ente|[Nn]oss[oa]s?|[Cc]lique|[Vv]olte"
    r"|[Tt]u[oai]|[Tt]uoi|[Ss]uo|[Vv]ostr\w|[Hh]ai|[Ss]ei|[Ss]tiamo|[Aa]ttend\w+|[Rr]icarica"
    r"|[Nn]ostr\w"
    r"|[Rr]iprova|[Cc]licca)\b"
    r"|您|你|我们|请|請|お使い|お客|お待ち|お試し|お手数|ください|下さい|クリック|しましょうか|ですか"
)
_OF_THE_SITE = compile_later(
    r"\b(?:browser\w*|navigateurs?|navegador\w*|websites?|webseiten?|seiten?|internetauftritt\w*"
    r"|sites?|sitio|sito|pages?|p[aá]ginas?|pagina|link|lien|enlace|klick\w*|cli(?:que|cca|c)\w*"
    r"|verbindung|connexion|conexión|conexão|connessione|netzwerk|réseau|(?:ihr\w*|dein\w*) konto"
    r"|compte|cuenta|conta\b|account|login|log-in|passwor\w*|abo|abos|abonn\w*|abbonat\w*|abbona\w*"
    r"|suscri\w*|suscrip\w*|assin\w*|mitglied\w*|membres?|artikeln?|articles?|artículos?|artigos?"
    r"|articol[oi]|weitergeleitet|weiterleitung|redirig\w*|redireccion\w*|redirecion\w*"
    r"|reindirizz\w*"
    r"|laden|lädt|recharge[rz]?|recarg\w*|recarreg\w*|ricaric\w*|download\w*|télécharg\w*"
    r"|descarg\w*"
    r"|cookies?|datenschutz\w*|server|serveur|servidor|app|dominio|domínio|domaine|domain|inhalte?"
    r"|contenus?|contenido|conteúdo|contenut[oi]|fortfahren|continuer|continuar|continuare|fenster"
    r"|euro|euros|warteschlange|anfrage|requête|solicitud|richiesta)\b"
    r"|(?:mindestens|über|plus de|mayor de|maior de) 1[68]\b|volljährig|majeure?\b|mayor de edad"
    r"|maior de idade|maggiorenne|满18|18歳"
    r"|浏览器|網頁|网页|网站|页面|链接|跳转|账号|帐号|会员|订阅|验证|访问"
    r"|ブラウザ|ページ|サイト|リンク|クリック|アカウント|会員|移動しない|記事|アクセス",
    _I,
)
_SUBJECT = compile_later(
    r"\barzt\b|ärzt\w*|patient|paziente|paciente|krank|malad|enferm|doen[çt]|malatt|fieber"
    r"|fi[èe]vre"
    r"|fiebre|febbre|febre|schmerz|douleur|dolor|\bdor(?:es)?\b|blut|\bsang\b|sangre|sangue"
    r"|\bhaut\b(?! de)|\bpeau\b|\bpiel\b|\bpele\b|\bpelle\b|herz|cœur|coeur|coraz|coração|cuore"
    r"|leber"
    r"|\bfoie\b|hígado|fígado|fegato|niere|\breins?\b|riñ|\brim\b|\brins\b|\bren[ei]\b|impf|vaccin"
    r"|vacun|vacina|virus|viral|tablett|comprim|dosis|\bdos(?:e[sn]?|i)\b|behand|therap|thérap"
    r"|terap|trait(?:ement|er|é)|tratam|trattam|mangel\b|infekt|infect|infecç|infezion|symptom"
    r"|symptôm|síntom|sintom|medi[kczs]in|médic|médec|medic[ao]|arznei|farma|pharma|wirkstoff|klini"
    r"|cliniq|clínic|clinic|gesund|santé|salud|saúde|salute|krebs|cancer|cáncer|câncer|cancro|tumor"
    r"|diab[eè]t|asthma|\basma\b|asthme|säugling|kinder|enfants?\b|niñ|criança|bambin|schwanger"
    r"|enceinte|grossesse|embaraz|gravid|geburt|naissance|\bparto\b|schlaf|sommeil|sueño|sonno"
    r"|ernähr"
    r"|aliment|vitamin|allerg|knochen|hues|\bosso|\bossa|muskel|muscl|múscul|muscol|lunge|poumon"
    r"|pulm|polmon|gehirn|cerveau|cerebr|\bmagen|estóm|stomac|darm|intestin|\baugen?\b|œil|\byeux"
    r"|\bojos?\b|\bolhos?\b|\bocchi|\bzahn|\bdents?\b|\bdientes?\b|\bdent[ei]\b|wunde|\bplaie"
    r"|herida"
    r"|ferid|ferit|rauch|tabac|tabag|\bfum[aeo]|alkohol|alcool|alcohol|blutdruck|\btension\b"
    r"|\bpresión|\bpressão|\bpressione|\bzellen?\b|cellule|célul|pflege|\bsoins?\b|cuidado"
    r"|operier|operaci|opération|operaç|operazion|chirurg|narkose|anesth|anest|ikter|ict[eè]r"
    r"|\bitter"
    r"|bakter|bactér|bacter|batter|leitlinie|dialys|diális|insulin|hormon|studie|étude|estudio"
    r"|estudo|\bstudio\b|mortal|sterb|risiko|risque|riesgo|risco|rischio|soigne|guéri|curar"
    r"|heil(?:t|en|ung)\b"
    r"|[a-zàâäéèêëïîôöùûü]{3,}(?:itis|ites?|oses?|osi|osis|ämie|émie|emia|algie|algia|ektomie"
    r"|pathie"
    r"|patia|dipin|pril|sartan|statin|cillin|mycin|azol|olol|mab)\b"
    r"|\bnasen?|\bkopf|\bbeine?\b|\barme?\b|\bhals|atmen|atmung|puls\b|muskul|\bhaare?n?\b"
    r"|\bohr(?:en)?\b|\bfü(?:ß|ss)|\brücken|\bnez\b|\btête|\bjambes?|\bbras\b|\bventre|\bdos\b"
    r"|\bcou\b"
    r"|\bvein|nerv|neuron|synap|sinaps|respir|\bpouls|\bnariz|\bcabeza|\bpiernas?|\bbrazos?"
    r"|\bcuello"
    r"|\bcabeça|\bpernas?|\bbraços?|\bpescoço|\bnaso\b|\btesta\b|\bgamb[ae]\b|\bbracci[ao]\b"
    r"|\bcoscia"
    r"|\baddome|\bcollo\b|hormo|genet|genét|génét|\bzyklus|\bmenstr|singhiozz|hoquet|soluç"
    r"|schluckauf"
    r"|aspirin"
    r"|\d ?(?:mg|ml|µg|mcg|mmhg|mmol|kg|°c)\b"
    r"|[病症药藥薬疗療血患痛癌炎疫剂剤孕臓骨肺肝肾腎脑脳胃肠腸眼菌毒尿婴嬰咳眠医鼻腿脚足脉脈嗝唾汗]|呼吸|しゃっくり|感染|食欲|体温|发热|發熱|発熱"
    r"|高热|皮肤|皮膚|心脏|栄養|营养|儿童|児童|手术|手術",
    _I,
)


_ENGLISH = compile_later(
    r"\b(?:the|is|are|of|and|your|you|this|that|with|please|to|for|not|by|from|or|be|we|our|an)\b",
    _I,
)
_ENGLISH_SHARE = 0.15


def is_short_foreign_page_without_subject(title: str, text: str) -> bool:
    """Whether a page of a few words in one of these languages names no subject of medicine."""
    words = len(_WORD.findall(text))
    whole_page = f"{title}\n{text}"
    if (
        not words
        or words > _MOST_WORDS
        or _SUBJECT.search(whole_page)
        or does_text_mention_medicine(whole_page)
    ):
        return False
    return len(_ENGLISH.findall(text)) <= _ENGLISH_SHARE * words


def is_foreign_language_visitor_notice(title: str, text: str) -> bool:
    """Whether a page of a few words in one of these languages speaks to its visitor and of the
    site, and names no subject of medicine.
    """
    if not is_short_foreign_page_without_subject(title, text):
        return False
    whole_page = f"{title}\n{text}"
    return _TO_ITS_VISITOR.search(text) is not None and _OF_THE_SITE.search(whole_page) is not None
