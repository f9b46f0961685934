"""The words of German and French that change what a quote beside them says.

What only describes has no limits, and a reason, an example, a source or a second statement leaves a
quote as it is: those words are ``goes_on``.
"""

from __future__ import annotations

import re

from medlens.deferred_regex import compile_later
from medlens.web.meaning_changing_word_rule_type import CutRules

_I = re.IGNORECASE

NUMBERS_DE = (
    r"(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|fünfzig|hundert"
    r"|tausend)"
)
_PEOPLE_DE = (
    r"(?:patient\w*|kranken?|menschen|personen|frauen|männern?|kindern?|erwachsenen?|säuglingen?"
    r"|neugeborenen?|schwangeren?|raucher\w*|jugendlichen?|älteren|mäusen?|ratten|hunden|affen"
    r"|schweinen|tieren|nagetieren|betroffenen|teilnehmer\w*|probanden|diabetiker\w*|frühgeborenen"
    r"|mädchen|jungen|sportlern?|senioren|allergikern?|gesunden|stillenden)"
)
GERMAN = CutRules(
    denies_near=compile_later(
        r"(?:nicht|kein\w*|nie|niemals|ohne|weder|noch|niemand\w*|nichts|kaum|selten|nur|lediglich"
        r"|wenige[rn]?|einige[rn]?|manche[rn]?|bestimmte[rn]?|fast|beinahe|außer|vermeide\w*|statt"
        r"|anstatt|höchstens|angeblich\w*|vermeintlich\w*|ungeimpfte\w*|unbehandelte\w*)$",
        _I,
    ),
    new_clause=compile_later(
        r"\b(?:und|aber|weil|da|denn|der|die|das|während|sondern|sodass|damit)\b", _I
    ),
    introduces=compile_later(
        r"\b(?:dass|daß|ob|wonach|inwieweit|wie),?\s*$"
        r"|\b(?:glaub|mein|denk|dacht|behaupt|vermut|hoff|fürcht|befürcht)\w*(?: \w+)?,\s*$"
        r"|\b(?:vorstellung|meinung|ansicht|auffassung|glauben?|annahme|behauptung|idee|gerücht"
        r"|mythos"
        r"|verdacht|hoffnung)(?: \w+)?,\s*$",
        _I,
    ),
    doubts=compile_later(
        r"\b(?:nicht|kein\w*|nie|niemals|niemand|nichts|wenig|kaum|weder|ob|unklar|unbekannt"
        r"|ungewiss"
        r"|unsicher|fraglich|umstritten|zweifel\w*|bezweif\w*|unwahrscheinlich|irrt\w*|irrig\w*"
        r"|irrglaube\w*|mythos|märchen|legende|gerücht\w*|falsch\w*|fälschlich\w*|angeblich"
        r"|behaupt\w*|vermut\w*|hypothese\w*|annahme|spekul\w*|früher|einst|lange zeit|hoff\w*"
        r"|befürcht\w*|widerleg\w*|bestreit\w*|bestritt\w*|leugne\w*|denkbar|möglich|einige\w*"
        r"|manche\w*"
        r"|kritiker\w*|befürworter\w*|hersteller\w*|zu früh|verfrüht|wäre|einzige\w*"
        r"|kleine\w* studie"
        r"|tierversuch\w*|tierstudien?|mäusen?|vorläufig\w*|untersuch\w*,? ob|glaub\w*"
        r"|dachte\w*)\b",
        _I,
    ),
    vouches=compile_later(
        r"\b(?:zeig\w*|gezeigt|nachgewiesen|beleg\w*|bestätig\w*|bericht\w*|empf[eio]\w*"
        r"|fest(?:stell"
        r"|gestellt)\w*|stell\w*|ergab\w*|ergeben|bekannt|wissen|weiß|wusste\w*|beton\w*|wichtig"
        r"|beacht\w*|denken sie daran|hinweis\w*|weis\w*|sicher|klar|erwiesen|beschr\w*|erklär\w*"
        r"|bedeut\w*|heißt|fand\w*|gefunden|schließ\w*|schluss\w*|schloss\w*|sag\w*|tatsache"
        r"|erinner\w*"
        r"|vorgeschrieben|forder\w*|mahn\w*|warn\w*|gilt|rat\w*|rät|mitgeteilt|einig|beobacht\w*"
        r"|entdeck\w*|dafür|dazu|führt\w*|sorg\w*|gesichert|deutlich|fakt|folgt|daran|dadurch)\b",
        _I,
    ),
    fronted=compile_later(
        r"^\W*(?:(?:aber|und|doch|jedoch),?\s+)?(?:"
        r"(?:wenn|falls|sofern|solange|sobald|soweit|außer|es sei denn|bevor|bis(?! heute)|nachdem"
        r"|vorausgesetzt|angenommen|nur|erst|lediglich|ohne|statt|anstatt|anstelle|entgegen"
        r"|hätte\w*|wäre\w*|sollte\w*|unbehandelt|ungeimpft|theoretisch|angeblich|vermutlich"
        r"|möglicherweise|vielleicht|wahrscheinlich|früher|ehemals|selten|gelegentlich|manchmal"
        r"|mitunter|vereinzelt|ausnahmsweise|abgesehen von|mit ausnahme|in (?:seltenen|einzelnen"
        r"|schweren|wenigen|manchen|einigen|leichten|bestimmten) fällen|im tier\w*|im labor\w*"
        r"|im reagenzglas|in der petrischale"
        r"|in vitro|in zell\w*|in der theorie|in hohen dosen|bei hohen dosen|in hoher dosis"
        r"|bei (?:hoher|niedriger|langer|längerer|falscher|regelmäßiger|wiederholter) \w+"
        r"|bei (?:eingeschränkter|normaler|schwerer|leichter|bestehender|gleichzeitiger|fehlender"
        r"|bekannter)\b|im falle?\b|unter (?:der )?(?:voraussetzung|bedingung|umständen)"
        r"|unter keinen umständen|keinesfalls|auf keinen fall|in keinem fall|niemals|nie"
        r"|laut (?:dem |der |des )?(?:hersteller\w*|anbieter\w*|befürworter\w*|kritiker\w*"
        r"|volksglauben|werbung)|nach ansicht (?:mancher|einiger|von kritikern))\b"
        rf"|(?:bei|für|unter|von) (?:\w+ ){{0,3}}{_PEOPLE_DE}\b(?! aller\b)"
        r")(?:[^.;]|\.(?=\d))*$",
        _I,
    ),
    counts=compile_later(
        r"^\W*(?:nur |lediglich |weniger als |höchstens |knapp |rund |etwa |kaum )*"
        r"(?:kein\w*|weder|niemand|nichts|wenige\w*|die wenigsten|einige\w*|manche\w*|nicht alle\w*"
        r"|nicht jede\w*|eine minderheit|ein (?:drittel|viertel|fünftel|zehntel|kleiner teil)"
        rf"|die hälfte|jede[rs]? (?:zweite|dritte|vierte|fünfte|zehnte)|eine[rs]? von {NUMBERS_DE}"
        rf"|{NUMBERS_DE} von|\d+(?:,\d+)? ?(?:%|prozent)|\d+ von|nur|lediglich|weniger als"
        r"|höchstens|kaum)\b[^.;,]*$",
        _I,
    ),
    hedges=compile_later(
        r"\b(?:könnte\w*|dürfte\w*|würde\w*|scheint|scheinen|soll(?:en)? angeblich|möglicherweise"
        r"|vielleicht|vermutlich|verhinder\w*|vermeid\w*(?: sie)?|verzicht\w*(?: sie)? auf"
        r"|unterlass\w*(?: sie)?|hören sie auf|meiden sie|gegen|anstelle|abgeraten,?|dagegen,?"
        r"|davon ab(?:zusehen)?,?|verbiet\w*|untersag\w*|verneint\w*|schützt vor|verzichten auf"
        r"|beenden sie|stoppen sie|unterbrechen sie)"
        r"(?: (?:das|die|den|der|dem|ein\w*|jede\w*|alle\w*))?\s*$",
        _I,
    ),
    more_number=compile_later(
        rf"\s+(?:(?:bis|von|oder|aus|zu|auf)\s+(?:zu\s+)?(?:\d|{NUMBERS_DE}\b|mehr|weniger|höher"
        r"|darüber|darunter|älter|jünger|länger)|von|mal|pro|je|prozent|millionen|milliarden"
        r"|tausend"
        r"|tage\w*|wochen?|monate\w*|jahre\w*|stunden?|minuten?|sekunden?|tropfen|tabletten?"
        r"|kapseln?|einheiten|grad)\b",
        _I,
    ),
    how_often=compile_later(
        rf"\s+(?:(?:ein|zwei|drei|vier|fünf|mehr)mal|\d+ ?(?:x|mal)|täglich|wöchentlich"
        rf"|monatlich|pro"
        rf"|alle \d|alle {NUMBERS_DE}|je|am tag|oder (?:mehr|weniger)|über \d|über {NUMBERS_DE}"
        rf"|innerhalb|für \d|für {NUMBERS_DE}|stündlich|jede\w*|bis)\b",
        _I,
    ),
    dose=compile_later(
        r"(?:\d\s*(?:mg|g|µg|μg|mcg|ml|l|i\.?e\.?|einheiten|tropfen|tabletten?|kapseln?|mmhg|°c)"
        r"|\b(?:tablette|kapsel|dosis|hub|messlöffel))$",
        _I,
    ),
    condition=compile_later(
        r"\s*[,–—(-]?\s*(?:wenn|falls|sofern|solange|soweit|es sei denn|außer|ausgenommen"
        r"|mit ausnahme|abgesehen von|vorausgesetzt|insofern|nur|jedoch (?:nur|nicht|erst|nie)"
        r"|aber (?:nur|nicht|erst|nie|kaum|weniger|selten)|allerdings (?:nur|nicht|erst)"
        r"|wenngleich|obwohl|obgleich|lediglich|höchstens|nicht aber|nicht jedoch|sonst nicht)\b"
        r"|\s+(?:bei|in|an) (?:mäusen|ratten|tieren|zellkulturen|hunden|affen)\b"
        r"|\s*[:–—-]\s*(?:falsch|ein mythos|ein irrtum|stimmt nicht)\b",
        _I,
    ),
    claimed=compile_later(
        r"\b(?:d[aü]rf\w*|k[aö]nn\w*|soll\w*|m[uü](?:ss|ß)\w*|empf[eio]\w*|erlaubt|verboten"
        r"|notwendig"
        r"|erforderlich|nötig|unnötig|überflüssig|sicher|wirksam\w*|unbedenklich|ungefährlich"
        r"|geeignet"
        r"|zugelassen|angezeigt|hilft|helfen|half\w*|wirk\w*|senk\w*|verhinder\w*|schütz\w*"
        r"|verbesser\w*"
        r"|heil\w*|geheilt|reduzier\w*|verringer\w*|verkürz\w*|erhöh\w*|steiger\w*|verdoppel\w*"
        r"|verläng\w*|linder\w*|lässt|lassen|möglich|häufig\w*|selten\w*|harmlos|gutartig|tödlich"
        r"|ansteckend|genesen|erhol\w*|überleb\w*|starb\w*|stieg\w*|sank\w*|fiel\w*|nahm\w*"
        r"|verschwand\w*"
        r"|verschwind\w*|besser|schlechter|höher|niedriger|überlegen|ausreichend|genüg\w*|reich\w*"
        r"|braucht?|brauchen|benötig\w*|nützlich|genau|zuverlässig|schließ\w*(?: \w+){1,4} aus"
        r"|prozent|nehmen sie"
        r"|geben sie|trinken sie|essen sie|meiden sie|verwenden sie|benutzen sie|ist ratsam"
        r"|gefährlich"
        r"|schädlich|schade\w*|bewährt|toleriert|verträglich|vertragen|normal|halbier\w*"
        r"|gebessert|gut"
        r"|gering\w*|wahrscheinlich\w*|jede\w*|alle|meist\w*|immer)\b|%",
        _I,
    ),
    denied=compile_later(
        r"\b(?:nicht|kein\w*|nie|niemals|niemand|nichts|ohne|weder|kaum|nur|nur wenige|selten)\b",
        _I,
    ),
    limits=compile_later(
        r"\s*,?\s+(?:sobald|bis|bevor|nachdem|während|außerhalb|innerhalb|ohne|allein|ab|erst"
        r"|als|auch"
        r"|so lange|lediglich|mindestens|gegenüber|im vergleich|verglichen)\b"
        r"|\s+(?:bei|in|im|für|gegen|nach|vor|unter|über|mit|zu|zur|zum|zwischen|um|seit|am|an|auf"
        r"|einmal|zweimal|täglich|wöchentlich|länger|kürzer|mehr|weniger|dauerhaft|unter)\b",
        _I,
    ),
    goes_on=compile_later(
        r"\s+(?:und|oder|sowie|weil|da|denn|durch|mittels|mithilfe|mit hilfe|dank|aufgrund|wegen"
        r"|wie"
        r"|im (?:jahre? |januar|februar|märz|april|mai|juni|juli|august|september|oktober|november"
        r"|dezember)|in (?:deutschland|österreich|der schweiz|europa|den usa|der regel|einer studie"
        r"|einer umfrage|dieser studie|den letzten|allen)|auf (?:der|dem|einer?)|am (?:arm|bein"
        r"|abend)"
        r"|an der|in den (?:meisten|industrie\w*)|mit (?:einer?m?|dem|der|seine\w*|ihre\w*)|im "
        r"(?:vergleich zum vorjahr|sitzen|liegen|stehen)|laut)\b",
        _I,
    ),
    dangles=compile_later(
        r"\b(?:nicht|kein\w*|nie|ohne|als|zu|von|der|die|das|dem|den|ein\w*|mit|bei|für|oder|nur"
        r"|mehr"
        r"|weniger|fast|entweder|weder|sowohl|zwischen|gegen|etwa|bis|über|unter)$",
        _I,
    ),
    takes_back=compile_later(
        r"\b(?:kehr\w*|kam\w*|tr[aä]t\w*) (?:\w+ ){0,5}(?:zurück|wieder)\b"
        r"|\b(?:widerlegt\w*|zurückgezogen\w*|zurückgenommen|falsch\w*|fälschlich\w*|irrtümlich\w*"
        r"|unbewiesen|unbelegt|nicht (?:bestätigt|belegt|bewiesen|nachgewiesen|signifikant"
        r"|haltbar|mehr"
        r" empfohlen)|behaupte\w*|angeblich|irrtum|irrglaube|mythos|märchen|veraltet|überholt"
        r"|kein(?:en)? unterschied|glauben (?:viele|manche|einige)|so (?:der|die|das) "
        r"(?:hersteller\w*|werbung|anbieter\w*)|umstritten|zweifelhaft|ist unklar|bleibt offen)\b",
        _I,
    ),
    turns=compile_later(
        r"\s*[,;–—-]\s*(?:aber|jedoch|allerdings|doch|jedoch|allerdings|wobei|während|hingegen"
        r"|was)\b",
        _I,
    ),
    against=compile_later(
        r"\b(?:nicht|kein\w*|nur|nie|niemals|kaum|weniger|verschw\w*|verlor\w*|erst|geringer|höher"
        r"|schlechter|seltener|häufiger|später (?:wieder|nicht)|höchstens|maximal|längstens"
        r"|frühestens|rückfäll\w*|kam\w*|kehrt\w*"
        r"|wieder|unklar|umstritten|zufall"
        r"|verzerr\w*|widerleg\w*|klein\w*|falsch|zurück\w*)\b",
        _I,
    ),
)

NUMBERS_FR = r"(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|vingt|trente|cent|mille)"
_PEOPLE_FR = (
    r"(?:patient\w*|malades?|personnes?|femmes?|hommes?|enfants?|adultes?|nourrissons?|bébés?"
    r"|nouveau-nés?|fumeu\w+|adolescents?|souris|rats?|chiens?|singes?|porcs?|animaux|animal"
    r"|rongeurs?"
    r"|volontaires?|sujets?|participant\w*|diabétiques?|prématurés?|sportifs?|seniors?|filles?"
    r"|garçons?|ceux|celles|allergiques|femme|homme)"
)
FRENCH = CutRules(
    denies_near=compile_later(
        r"(?:ne|pas|jamais|sans|ni|aucune?|nul(?:le)?|personne|rien|guère|peu|rarement|seule?s?"
        r"|seulement|uniquement|certaine?s|quelques|presque|sauf|évite[rz]?|évitent|non"
        r"|prétendu\w*)$",
        _I,
    ),
    new_clause=compile_later(r"\b(?:et|mais|car|parce|qui|dont|tandis|donc|puisque|afin)\b", _I),
    introduces=compile_later(r"(?:\b(?:que|si|comment|combien),?\s*|\b(?:qu|s)['’]\s*)$", _I),
    doubts=compile_later(
        r"\b(?:pas|jamais|aucune?|nul(?:le)?|personne|rien|peu|insuffisant\w*|ni|faux|fausse\w*"
        r"|erreurs?|erroné\w*|mythes?|légendes?|rumeurs?|idée|ignor\w*|incertain\w*|inconnu\w*"
        r"|doute\w*"
        r"|douteux|improbable|discut\w*|controvers\w*|débat\w*|hypothèses?|suppos\w*|pens(?:ait"
        r"|aient|ent)"
        r"|croi\w*|croy\w*|prétend\w*|affirm\w*|allégu\w*|soupçonn\w*|spécul\w*|espér\w*|crai\w*"
        r"|autrefois"
        r"|jadis|longtemps|tort|réfut\w*|infirm\w*|nie\w*|contest\w*|possible|plausible|imagin\w*"
        r"|certains|critiques|partisans|fabricants?|trop tôt|prématuré de|souris|animal\w*"
        r"|préliminaire\w*|une seule|petite étude|cherch\w*|évalu\w* si|savoir si|déterminer si"
        r"|si(?=\s*$))\b",
        _I,
    ),
    vouches=compile_later(
        r"\b(?:accord\w*|unanim\w*|montr\w*|démontr\w*|recommand\w*|confirm\w*|rapport\w*"
        r"|indiqu\w*|sait|savons"
        r"|connu|établi"
        r"|conclu\w*|not\w*|rappel\w*|soulign\w*|précis\w*|constat\w*|révél\w*|averti\w*|conseil\w*"
        r"|annonc\w*|expliqu\w*|important|essentiel|signifie|dit|trouv\w*|prouv\w*|vrai|clair"
        r"|certain"
        r"|évident|observ\w*|déclar\w*|découv\w*|signal\w*|exig\w*|demand\w*|décri\w*|attest\w*"
        r"|admis|rest"
        r"|veill\w*|assur\w*|fait|ainsi|alors|parce|puisque|afin|bien|sachez|suggèr\w*|estim\w*)\b",
        _I,
    ),
    fronted=compile_later(
        r"^\W*(?:(?:mais|et|cependant|or),?\s+)?(?:"
        r"(?:si|sauf|à moins|à condition|tant que|jusqu['’]|lorsque|quand(?! même)|une fois|dès que"
        r"|avant (?!tout)|après que|pourvu|excepté|hormis|en dehors|sans|faute de|au lieu"
        r"|plutôt que"
        r"|contrairement (?:aux? (?:idée|croyance|opinion)|à (?:ce|une idée|la croyance|l['’]idée))"
        r"|en théorie|théoriquement|prétendument|peut-être|probablement|autrefois|jadis"
        r"|rarement|parfois|exceptionnellement|seulement|uniquement|ce n['’]est que|seuls?|seules?"
        r"|non traitée?s?|en l['’]absence|en cas|dans (?:de rares|certains|quelques|les) cas"
        r"|dans les (?:formes|cas) (?:graves?|sévères?|rares?)|in vitro|en laboratoire|en culture"
        r"|à (?:forte|haute|faible|fortes|hautes|faibles|petites?|doses?)|au-delà|en dessous|jamais"
        r"|en aucun cas|sous aucun|jusqu['’]en|à l['’]exception|mis à part"
        r"|lors d['’]une utilisation"
        r"|selon (?:le |la |les |ses |leurs |certains )?(?:fabricants?|partisans|critiques"
        r"|détracteurs"
        r"|publicité|tradition|légende))\b"
        rf"|(?:chez|pour|parmi) (?:\w+ |l['’]|d['’]){{0,3}}{_PEOPLE_FR}\b"
        r")(?:[^.;]|\.(?=\d))*$",
        _I,
    ),
    counts=compile_later(
        r"^\W*(?:très |seulement |à peine |environ |près de |tout au plus |moins de |seule )*"
        r"(?:aucune?|nul(?:le)?|ni|personne|rien|peu d(?:e|['’])|rares sont|certaine?s|quelques"
        r"|pas tou(?:s|tes)|une minorité|un (?:tiers|quart|cinquième|dixième)|la moitié"
        rf"|une? \w+ sur {NUMBERS_FR}|{NUMBERS_FR} (?:\w+ )?sur|\d+(?:,\d+)? ?%|\d+ (?:\w+ )?sur"
        r"|moins de|seuls?|seules?|tout au plus|à peine)(?:\b|(?<=['’]))[^.;,]*$",
        _I,
    ),
    hedges=compile_later(
        r"\b(?:pourrai\w*|semble\w*|paraît|serai(?:t|ent)|devrai(?:t|ent) (?:en théorie)?"
        r"|évite[rz]?"
        r"|évitez de|empêche\w*|préviennent|abstenez-vous de|cessez de|arrêtez de|renoncez à"
        r"|interdit de|interdisent de|déconseill\w* de|contre-indiqué de|refus\w* de|omis de"
        r"|échou\w* à"
        r"|au lieu de|plutôt que de?|contre|protège contre|peut-être|ne pas|sert à rien de"
        r"|inutile de|dispens\w* de|déconseillée?s? d['’]|d['’]éviter(?: de)?)"
        r"(?: (?:le|la|les|un|une|des|de|d['’]|l['’]|tout\w*))?\s*$",
        _I,
    ),
    more_number=compile_later(
        rf"\s+(?:(?:à|sur|ou|et)\s+(?:\d|{NUMBERS_FR}\b|plus|moins|davantage)|sur|fois|par"
        rf"|pour cent"
        r"|millions?|milliards?|jours?|semaines?|mois|ans|années?|heures?|minutes?|secondes?"
        r"|gouttes?"
        r"|comprimés?|gélules?|unités|degrés)\b",
        _I,
    ),
    how_often=compile_later(
        rf"\s+(?:(?:une|deux|trois|quatre|\d+) fois|par jour|par semaine|par mois|par kilo\w*"
        rf"|toutes les"
        rf"|tous les|chaque|ou (?:plus|moins)|en \d|en {NUMBERS_FR}|pendant|au coucher|le matin et"
        r"|par|quotidien\w*)\b",
        _I,
    ),
    dose=compile_later(
        r"(?:\d\s*(?:mg|g|µg|μg|mcg|ml|l|ui|unités|gouttes?|comprimés?|gélules?|mmhg|°c)"
        r"|\b(?:comprimé|gélule|dose|bouffée|cuillère))$",
        _I,
    ),
    condition=compile_later(
        r"\s*[,–—(-]?\s*(?:si|sauf|à moins|à condition|tant que|pourvu|excepté|hormis"
        r"|à l['’]exception"
        r"|en dehors|seulement|uniquement|sous réserve|mais (?:seulement|uniquement|pas|jamais"
        r"|moins"
        r"|rarement|non)|mais à condition|bien que|quoique|à l['’]exclusion|mis à part|et non)\b"
        r"|\s*,?\s+s['’]ils?\b"
        r"|\s+chez (?:la souris|le rat|l['’]animal|les animaux|le chien|le singe)\b"
        r"|\s*[:–—-]\s*(?:faux|un mythe|c['’]est faux|une erreur)\b",
        _I,
    ),
    claimed=compile_later(
        r"\b(?:(?:peu(?:t|vent)|pouvez|pouvons)|doi(?:t|vent)|devez|devrai\w*|faut|recommand\w*"
        r"|autoris\w*|permis\w*"
        r"|interdit\w*|nécessaires?|inutiles?|indispensables?|sûre?s?|sans danger|efficaces?"
        r"|possibles?"
        r"|indiqu\w*|conseill\w*|déconseill\w*|approuv\w*|aide\w*|soulag\w*|rédui\w*|diminu\w*"
        r"|abaiss\w*"
        r"|baiss\w*|prévien\w*|protèg\w*|amélior\w*|guéri\w*|augment\w*|élèv\w*|doubl\w*|prolong\w*"
        r"|raccourci\w*|accélér\w*|ralenti\w*|empêch\w*|fréquent\w*|rares?|bénin\w*|mortel\w*"
        r"|contagieu\w*"
        r"|rétabli\w*|survi\w*|décéd\w*|meilleure?s?|supérieure?s?|inférieure?s?|suffi\w*"
        r"|utiles?|fiables?"
        r"|précise?s?|exclu\w*|pour cent|prenez|donnez|buvez|mangez|utilisez|arrêtez|évitez"
        r"|dangereu\w*"
        r"|nocif\w*|nuisibles?|toléré\w*|disparai\w*|disparu\w*|servent|agi\w*|négatif\w*"
        r"|positif\w*"
        r"|bon|bonne|normal\w*|faible|probables?|tou(?:s|tes|te|t)|toujours|durent?|dure"
        r"|restent?)\b|%",
        _I,
    ),
    denied=compile_later(
        r"(?:\b(?:ne|aucune?|jamais|sans|ni|personne|rien|seule?s?|peu|rarement)\b|\bn['’])", _I
    ),
    limits=compile_later(
        r"\s*,?\s+(?:dès que|une fois|jusqu['’]|avant|après|lorsqu\w*|quand|tant|au-delà|en dessous"
        r"|pendant|durant|chez|que pour|au moins|au plus|par rapport)"
        r"|\s+(?:contre|dans|en|à|au|aux|pour|avec|sous|sans|selon|entre|parmi|deux fois|plus|moins"
        r"|associée?s?|seule?s?|que|qu['’]|de (?:plus|moins)|d['’]au)(?:\b|(?<=['’]))",
        _I,
    ),
    goes_on=compile_later(
        r"\s+(?:et|ou|car|parce|puisque|grâce|par (?!rapport|voie|jour)|comme|ainsi|afin|tandis"
        r"|en raison"
        r"|à cause|en (?:18|19|20)\d\d|en (?:france|belgique|suisse|europe|général|moyenne|\w+ant)"
        r"|dans (?:le monde|une étude|cette étude|la plupart|notre|son|sa|l['’]histoire)"
        r"|à l['’]aide|au"
        r" (?:niveau|moyen|bras)|avec (?:une?|son|sa|ses|le|la|l['’]aide)|à (?:paris|genève"
        r"|l['’]hôpital)"
        r"|pour (?:cette|que)|selon (?:l['’]|la haute|les études))(?:\b|(?<=['’]))",
        _I,
    ),
    dangles=compile_later(
        r"\b(?:pas|ne|jamais|sans|que|de|du|des|le|la|les|une?|avec|à|au|pour|plus|moins|presque"
        r"|ni|soit"
        r"|entre|contre|environ|sur|très|non)$|['’]$",
        _I,
    ),
    takes_back=compile_later(
        r"\b(?:réfuté\w*|rétracté\w*|retiré\w*|à tort|fau(?:x|sse|ssement)|non (?:prouvé|confirmé"
        r"|significati)\w*|pas (?:été )?(?:confirmé|prouvé|démontré|significati|reproduit)\w*"
        r"|prétend\w*|affirment|mythe|erreur|idée reçue|obsolète|dépassée?|aucune différence"
        r"|croient|selon le fabricant|selon la publicité|controversé\w*|douteu\w*|reste incertain"
        r"|démentie?s?)\b",
        _I,
    ),
    turns=compile_later(
        r"\s*[,;–—-]\s*(?:mais|cependant|toutefois|or|alors que|tandis que|ce qui)\b", _I
    ),
    against=compile_later(
        r"\b(?:pas|aucune?|ne|seulement|jamais|moins|rechut\w*|dispar\w*|perd\w*|plus (?:élevé"
        r"|faible|grave"
        r"|fréquent)\w*|inférieure?s?|supérieure?s?|rarement|incertain\w*|controvers\w*"
        r"|maximum|au plus|au moins|revenu\w*|récidiv\w*|réappar\w*|hasard|biais\w*"
        r"|réfut\w*|petite?s?|faux|que)\b|\bn['’]",
        _I,
    ),
)
