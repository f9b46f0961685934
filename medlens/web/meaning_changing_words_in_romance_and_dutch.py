"""The words of Spanish, Italian, Portuguese and Dutch that change what a quote beside them says.

Each language gives its words in the fields of ``CutRules``; where they stand is the same in all
four.
"""

from __future__ import annotations

import re

from medlens.deferred_regex import compile_later
from medlens.web.meaning_changing_word_rule_type import CutRules

_I = re.IGNORECASE
_STOP = r"(?![^\W\d_])"
"""No letter follows, so that a number in a list is met by its first digit."""


def _compile_words(
    *,
    denies_near: str,
    new_clause: str,
    introduces: str,
    doubts: str,
    vouches: str,
    fronted: str,
    counts: str,
    hedges: str,
    article: str,
    more_number: str,
    how_often: str,
    unit: str,
    condition: str,
    claimed: str,
    denied: str,
    limits_after_comma: str,
    limits: str,
    goes_on: str,
    dangles: str,
    takes_back: str,
    turns: str,
    against: str,
) -> CutRules:
    """The rules of a language from its words, each a list of alternatives of a regular expression.

    ``article`` may stand between what hedges and the quote; ``unit`` ends a dose;
    ``limits_after_comma`` limits what is claimed behind a comma too.
    """
    return CutRules(
        denies_near=compile_later(rf"(?:{denies_near})$", _I),
        new_clause=compile_later(rf"\b(?:{new_clause}){_STOP}", _I),
        introduces=compile_later(rf"\b(?:{introduces})\s*$", _I),
        doubts=compile_later(rf"\b(?:{doubts}){_STOP}", _I),
        vouches=compile_later(rf"\b(?:{vouches}){_STOP}", _I),
        fronted=compile_later(rf"^\W*(?:{fronted}){_STOP}(?:[^.;]|\.(?=\d))*$", _I),
        counts=compile_later(rf"^\W*(?:{counts}){_STOP}[^.;,]*$", _I),
        hedges=compile_later(rf"\b(?:{hedges})(?:\s*\b(?:{article}))?\s*$", _I),
        more_number=compile_later(rf"\s+(?:{more_number}){_STOP}|\s*[-–]\s*\d", _I),
        how_often=compile_later(rf"\s+(?:{how_often}){_STOP}", _I),
        dose=compile_later(rf"(?:\d\s*(?:{unit})|\b(?:{unit}))$", _I),
        condition=compile_later(rf"\s*[,:–—(-]?\s*(?:{condition}){_STOP}", _I),
        claimed=compile_later(rf"\b(?:{claimed}){_STOP}|%", _I),
        denied=compile_later(rf"\b(?:{denied}){_STOP}", _I),
        limits=compile_later(
            rf"\s*,?\s+(?:{limits_after_comma}){_STOP}|\s+(?:{limits}|\d+)(?:{_STOP}|(?<=['’]))", _I
        ),
        goes_on=compile_later(rf"\s+(?:{goes_on})(?:{_STOP}|(?<=['’]))", _I),
        dangles=compile_later(rf"\b(?:{dangles})$", _I),
        takes_back=compile_later(rf"\b(?:{takes_back}){_STOP}", _I),
        turns=compile_later(rf"\s*[,;–—-]\s*(?:{turns}){_STOP}", _I),
        against=compile_later(rf"\b(?:{against}){_STOP}", _I),
    )


NUMBERS_ES = (
    r"(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|veinte|treinta|cien"
    r"|mil)"
)
_PEOPLE_ES = (
    r"(?:pacientes?|enferm[oa]s?|personas?|mujer(?:es)?|hombres?|niñ[oa]s?|adult[oa]s?|lactantes"
    r"|bebés?|recién nacidos|embarazadas|fumador\w*|adolescentes|ratones|ratas|perros|monos|cerdos"
    r"|animal(?:es)?|roedores|voluntari[oa]s|participantes|diabétic[oa]s|prematuros|deportistas"
    r"|ancian[oa]s|mayores|quienes|jóvenes|varones|menores)"
)
SPANISH = _compile_words(
    denies_near=r"no|nunca|jamás|sin|ni|tampoco|ningun[oa]?|ningún|nadie|nada|apenas|pocos|pocas"
    r"|raramente|rara|sol[oa]|sólo|solamente|únicamente|algun[oa]s|ciert[oa]s|casi|salvo|excepto"
    r"|evit\w*|supuest\w*",
    new_clause=r"y|pero|porque|pues|cuy[oa]s?|mientras|ya que|sino|así que",
    introduces=r"(?:de |en |a )?que,?|si,?|cómo,?|cuánto,?",
    doubts=r"no|nunca|jamás|ningun[oa]?|ningún|nadie|nada|poc[oa]s?|insuficientes?|ni|fals[oa]s?"
    r"|falsamente|error(?:es)?|erróne\w*|equivocad\w*|mitos?|leyendas?|rumor(?:es)?|idea"
    r"|creencias?|desconoc\w*|inciert[oa]s?|dud[ao]\w*|improbables?|discut\w*|controver\w*"
    r"|debat\w*|hipótesis|supon\w*|supuso|supuest\w*|pensab\w*|piensan|cre[íe]\w*|creen|cree"
    r"|pretend\w*|alega\w*|afirman|sospech\w*|especul\w*|esper\w*|tem(?:e|en|ía|ían|or|ores)"
    r"|antes|antiguamente|antaño|refut\w*|desmint\w*|desment\w*|nieg\w*|neg(?:ó|aba|aron)"
    r"|cuestion\w*|posible|plausible|imagin\w*|alguno?s|algunas|críticos|partidarios"
    r"|fabricantes?|demasiado pronto|prematuro|ratones|ratas|animal(?:es)?|preliminar\w*"
    r"|un solo|un único|una única|pequeño estudio|si(?=\s*$)|sin|apenas|lejos|parecía|sostuv\w*"
    r"|sostenían|descart\w*|puede ser|podría ser",
    vouches=r"acuerd\w*|unánim\w*|mostr\w*|muestra\w*|demostr\w*|demuestr\w*|recomiend\w*"
    r"|recomend\w*|confirm\w*|inform\w*|indic\w*|sabe\w*|sabid[oa]|conocid[oa]|establec\w*"
    r"|conclu\w*|señal\w*|record\w*|recuerd\w*|subray\w*|precis\w*|constat\w*|revel\w*|adviert\w*"
    r"|advirti\w*|aconsej\w*|anunci\w*|explic\w*|importante|esencial|fundamental|signific\w*|dijo"
    r"|dice\w*|encontr\w*|encuentr\w*|hall\w*|prob(?:ó|ado|aron)|prueba\w*|verdad|cierto|clar[oa]"
    r"|evidente|observ\w*|declar\w*|descubr\w*|notific\w*|exig\w*|pid\w*|describ\w*|hecho|así"
    r"|dado|puesto|para|bien|sugier\w*|sugir\w*|estim\w*|consider\w*|destac\w*|conviene|hay"
    r"|calcul\w*|document\w*|report\w*|acept\w*|admit\w*|ten\w+ en cuenta|tenga en cuenta|visto"
    r"|vio|concretamente|asegúr\w*|document\w*|expus\w*|expon\w*|aclar\w*|coincid\w*|afirm(?:a|ó)"
    r"|sosti\w*|cabe|detall\w*|resalt\w*|añad\w*|apunt\w*|escrib\w*",
    fronted=r"(?:(?:pero|y|sin embargo|no obstante),?\s+)?(?:(?:si|salvo|a menos|siempre que"
    r"|siempre y cuando|mientras|hasta|cuando|una vez|en cuanto|tan pronto|antes de (?!nada|todo)"
    r"|después de|con tal|excepto|fuera de|sin (?!duda|embargo)|a falta|en lugar|en vez"
    r"|contrariamente a (?:la|lo que se)|en contra de (?:la|lo)|en teoría|teóricamente"
    r"|supuestamente|presuntamente|quizás?|tal vez|probablemente|posiblemente|acaso|antiguamente"
    r"|antes,|raramente|rara vez|en raras|raras veces|a veces|en ocasiones|excepcionalmente|solo"
    r"|sólo|solamente|únicamente|sin tratar|en ausencia|en caso|en (?:algunos|ciertos|pocos"
    r"|determinados|los) casos|en las formas|en los casos (?:graves|raros)|in vitro"
    r"|en el laboratorio|en cultivos|a (?:dosis|altas|bajas)|en dosis|por encima|por debajo|nunca"
    r"|jamás|en ningún|bajo ning\w+|con excepción|a excepción|aparte de|de no|no fue hasta"
    r"|según (?:el |la |los |las |un |una |sus |viej[oa] |antigu[oa] |algunos "
    r"|ciertos )*(?:fabricantes?|partidarios|críticos"
    r"|detractores|publicidad|tradición|leyenda|creencia))"
    rf"|(?:en|para|entre|con) (?:\w+ ){{0,3}}{_PEOPLE_ES})",
    counts=r"(?:muy |solo |sólo |solamente |apenas |cerca de |alrededor de |casi |menos de |como "
    r"mucho |únicamente )*(?:ningun[oa]?|ningún|nadie|nada|ni|poc[oa]s|algun[oa]s|ciert[oa]s"
    r"|no tod[oa]s|una minoría|un (?:tercio|cuarto|quinto|décimo)|una? (?:tercera|cuarta|quinta"
    r"|décima|pequeña) parte|la mitad|la cuarta parte|la tercera parte"
    rf"|un[oa]? \w+ de cada|un[oa]? de (?:cada|los|las)|{NUMBERS_ES} de (?:cada|los|las)"
    rf"|{NUMBERS_ES} \w+ de cada|(?:el |un )?\d+(?:,\d+)? ?(?:%|por ciento)|\d+ de|menos|sol[oa]"
    r"|sólo|únicamente|apenas|como mucho|rar[oa]s son|raramente)",
    hedges=r"podrían?|pueden? que|parecen?|parecían?|sería(?:n)?|debería(?:n)? en teoría"
    r"|evit(?:e|a|ar|an|en|ó)|impid\w*|impedir|previen\w*|prevenir|absténgase de|dejen? de"
    r"|dejar de|abandon\w+|prohibid[oa]|prohíb\w*|desaconsej\w*|contraindicad[oa]s?(?: en)?"
    r"|se neg\w+ a|rechaz\w+|omit\w+|en lugar de|en vez de|contra|protegen? (?:de|contra)|quizás?"
    r"|tal vez|no|inútil|innecesario|renunci\w+ a|suspend\w+|fracas\w+ en|no sirven? (?:de nada )?"
    r"para|supuestamente|presuntamente|posiblemente|probablemente",
    article=r"el|la|los|las|un|una|tod[oa]s? (?:los|las)?",
    more_number=rf"(?:al?|o|y|de|sobre|por|entre|en|de cada)\s+(?:el |los |las |cada )?(?:\d"
    rf"|{NUMBERS_ES}|más|menos|mayores)|por (?:ciento|cada|mil)|veces|millones|millón|de (?:los"
    r"|las|cada)|días?|semanas?|mes(?:es)?|años?|horas?|minutos?|segundos?|gotas?|comprimidos?"
    r"|pastillas?|cápsulas?|unidades|grados|miligramos|mil|niños|pacientes|personas",
    how_often=rf"(?:una|dos|tres|cuatro|\d+) veces|una vez|al (?:día|mes|año|acostarse)"
    rf"|a la semana|por (?:día|semana|kilo\w*|vía|la)|cada|diari\w+|semanal\w*|o (?:más|menos)"
    rf"|en (?:\d|{NUMBERS_ES})|durante|en dosis",
    unit=r"mg|g|µg|μg|mcg|ml|l|ui|unidades|gotas?|comprimidos?|pastillas?|cápsulas?|mmhg|°c|dosis"
    r"|tableta|cucharada|miligramos|gramos|litros?|microgramos",
    condition=r"si(?! bien es cierto)|salvo|a menos|a no ser|siempre que|siempre y cuando"
    r"|mientras|con tal|excepto|exceptuando|a excepción|con excepción|fuera de|solo|sólo"
    r"|solamente|únicamente|pero (?:solo|sólo|solamente|no|nunca|menos|raramente|únicamente)"
    r"|aunque|si bien|excluid\w+|y no|sino|en (?:ratones|ratas|animales|perros|monos)|falso"
    r"|un mito|es falso|cuando|hasta",
    claimed=r"puede[ns]?|podemos|debe[ns]?|debería\w*|hay que|recomiend\w*|recomend\w*|autoriz\w*"
    r"|permit\w*|permis\w*|prohib\w*|necesari\w*|innecesari\w*|inútil(?:es)?|imprescindibles?"
    r"|segur[oa]s?|eficac(?:es)?|eficaz|efectiv\w*|posibles?|indicad\w*|aconsej\w*|desaconsej\w*"
    r"|aprobad\w*|ayuda\w*|alivi\w*|reduc\w*|reduj\w*|disminuy\w*|baj\w+|previen\w*|proteg\w*"
    r"|mejor\w*|cur\w+|aument\w*|elev\w*|duplic\w*|prolong\w*|acort\w*|aceler\w*|impid\w*"
    r"|frecuentes?|rar[oa]s?|benign\w*|mortal(?:es)?|contagios\w*|recuper\w*|sobreviv\w*"
    r"|muri\w+|muer\w+|superior(?:es)?|inferior(?:es)?|suficientes?|bast\w+|útil(?:es)?|fiables?"
    r"|precis[oa]s?|descart\w*|tom[ea]\w*|dé|beb[ae]|com[ae]|us[ea]|suspend\w*|evit\w*"
    r"|peligros\w*|dañin\w*|perjudicial\w*|toler\w*|desaparec\w*|sirven?|actúan?|negativ\w*"
    r"|positiv\w*|buen[oa]s?|normal(?:es)?|probables?|tod[oa]s?|siempre|dura\w*|sube|baja|absorb\w*"
    r"|administr\w*|aplic\w*|necesit\w*|requier\w*|salv\w*|fiabilidad|cae|vuelv\w*|volver",
    denied=r"no|ningun[oa]?|ningún|nunca|jamás|sin|ni|nadie|nada|sol[oa]|sólo|pocas?|pocos"
    r"|raramente|tampoco",
    limits_after_comma=r"en cuanto|una vez|hasta|antes|después|cuando|mientras|más allá|por debajo"
    r"|durante|tras|al menos|como (?:mucho|máximo|mínimo)|en comparación|comparad\w+|frente a"
    r"|siempre",
    limits=r"contra|en|a|al|para|con|bajo|sin|según|entre|dos veces|más|menos|asociad[oa]s?"
    r"|sol[oa]s?|que|por (?:debajo|encima|vía|menos|más)|del?|desde|dentro|fuera|solo",
    goes_on=r"y|e|o|u|ni|porque|pues|ya que|puesto que|gracias|mediante|a través|por (?!debajo"
    r"|encima|vía|menos|más|ciento)|como|así|para que|mientras|debido|a causa|en (?:18|19|20)\d\d"
    r"|en (?:españa|méxico|argentina|chile|colombia|perú|europa|general|promedio|todo el mundo"
    r"|todo el|el mundo|la mayoría|un estudio|nuestro|este|su|sus|la historia|el brazo|la piel"
    r"|los pulmones|el hígado)|con (?:una?|su|sus|el|la|los|las|ayuda)|según (?:el|la|los|las)"
    r"|segur[oa]s?|barat[oa]s?|que (?:se|causa|provoca|afecta|produce|es|son|ha|han)"
    r"|a (?:lo largo|nivel|partir de (?:19|20)\d\d)|al (?:tiempo|igual|\w+[aei]r)|de (?:la|las"
    r"|los|una?|su)"
    r"|del",
    dangles=r"no|nunca|sin|que|de|del|al?|el|la|los|las|una?|con|para|más|menos|casi|ni|entre"
    r"|contra|unos|sobre|muy|por|en|solo|sólo|tan",
    takes_back=r"refutad\w*|retractad\w*|retirad[oa] (?:después|posteriormente)|erróne\w*"
    r"|fals(?:o|a|os|as|amente)|equivocad\w*|no (?:se )?(?:ha |han |pudo |fue |fueron )?(?:sido )?"
    r"(?:confirm|demostr|prob|reprodu|replic|signific)\w*|mito|bulo|idea errónea|obsolet\w*"
    r"|ningun[oa] diferencia|ninguna diferencia|según (?:el fabricante|la publicidad|sus"
    r" defensores|la leyenda)|controvertid\w*|discutid\w*|dudos\w*|sigue sin|desmentid\w*"
    r"|creen algunos|afirman (?:algunos|sus)|se creía|se pensaba|está por ver|antiguamente",
    turns=r"pero|sin embargo|no obstante|aunque|mientras que|lo que|si bien|cosa que",
    against=r"no|ningun[oa]?|ningún|solo|sólo|solamente|nunca|menos|reca[íy]\w*|desapar\w*"
    r"|perd\w*|pierd\w*|más (?:alt[oa]|baj[oa]|grave|frecuente)\w*|inferior\w*|superior\w*"
    r"|raramente|inciert\w*|controver\w*|máximo|mínimo|reaparec\w*|volv\w*|azar|sesg\w*|refut\w*"
    r"|pequeñ\w*|fals\w*|peor\w*|empeor\w*|a corto plazo|a expensas|mientras que",
)

NUMBERS_IT = (
    r"(?:due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|quindici|venti|trenta"
    r"|cento|mille)"
)
_PEOPLE_IT = (
    r"(?:pazient[ei]|malat[oi]|person[ae]|donn[ae]|uomini|bambin[oiae]|adult[oi]|lattanti|neonati"
    r"|gravidanza|fumator\w*|adolescenti|topi|topo|ratt[oi]|can[ei]|scimmie|maiali|animal[ei]"
    r"|roditori|volontari|partecipanti|diabetic[oi]|prematuri|sportivi|anzian[oi]|coloro|chi"
    r"|giovani|maschi|ragazz[ei]|soggetti)"
)
ITALIAN = _compile_words(
    denies_near=r"non|mai|senza|né|neanche|nemmeno|nessun[oa]?|nulla|niente|appena|poch[ie]"
    r"|raramente|sol[oa]|soltanto|solamente|unicamente|alcun[ie]|cert[ie]|quasi|salvo|tranne"
    r"|evit\w*|presunt\w*",
    new_clause=r"e|ma|perché|poiché|il cui|la cui|mentre|bensì|quindi",
    introduces=r"(?:di |a )?che,?|se,?|come,?|quanto,?|(?:un|l|c)['’]",
    doubts=r"non|mai|nessun[oa]?|nulla|niente|poc[oa]|poch[ie]|insufficient\w*|né|fals[oaie]"
    r"|error[ei]|erron\w*|sbagliat\w*|mit[oi]|leggend[ae]|diceri[ae]|idea|convinzion[ei]"
    r"|credenz[ae]|ignot\w*|sconosciut\w*|incert\w*|dubb\w*|dubit\w*|improbabil\w*|discut\w*"
    r"|discuss\w*|controvers\w*|dibatt\w*|ipotesi|ipotizz\w*|suppo\w*|suppost\w*|pensav\w*|pensano"
    r"|crede\w*|credono|ritenev\w*|pretend\w*|sostengono|sostenev\w*|affermano|sospett\w*"
    r"|specul\w*|sper\w*|tem(?:e|ono|eva|evano|uto|ore)|un tempo|in passato|una volta|confutat\w*"
    r"|smentit\w*|nega\w*|contest\w*|possibile|plausibile|immagin\w*|alcuni|alcune|critici"
    r"|sostenitori|produttor[ei]|troppo presto|prematuro|topi|ratti|animal[ei]|preliminar\w*"
    r"|un solo|un unico|una sola|piccolo studio|se(?=\s*$)|senza|lungi|sembrava|esclus\w*"
    r"|da dimostrare",
    vouches=r"accord\w*|unanim\w*|mostr\w*|dimostr\w*|raccomand\w*|conferm\w*|riport\w*|rifer\w*"
    r"|indic\w*|sa(?:ppiamo|nno)?|si sa|not[oa]|risaput\w*|stabilit\w*|conclu\w*|segnal\w*"
    r"|ricord\w*"
    r"|sottoline\w*|precis\w*|constat\w*|rivel\w*|avvert\w*|consigli\w*|annunci\w*|spieg\w*"
    r"|important\w*|essenziale|fondamentale|signific\w*|disse|dice\w*|dett\w*|trov\w*|prov(?:a"
    r"|ato|ano)|ver[oa]|cert[oa]|chiar[oa]|evidente|osserv\w*|dichiar\w*|scop\w*|richied\w*"
    r"|chied\w*|descri\w*|fatto|così|dato|visto|affinché|bene|suggeri\w*|stim\w*|evidenz\w*"
    r"|opportuno|document\w*|accett\w*|ammess\w*|calcol\w*|tenga|present|consider\w*|emers\w*"
    r"|rilev\w*|accert\w*|scritt\w*|scriv\w*|afferma|sostiene|ribad\w*|aggiung\w*|specific\w*"
    r"|riconosc\w*|assicur\w*|tenere|noto",
    fronted=r"(?:(?:ma|e|tuttavia|però),?\s+)?(?:(?:se|salvo|a meno|a condizione|purché|finché"
    r"|fino a (?!oggi)|quando|una volta che|appena|non appena|prima (?:di (?!tutto)|che)|dopo"
    r" (?:che|aver)|tranne|eccetto|al di fuori|senza (?!dubbio)|in mancanza|invece di|anziché"
    r"|contrariamente a|al contrario di|in teoria|teoricamente|presumibilmente|presunt\w+|forse"
    r"|probabilmente|possibilmente|un tempo|in passato|raramente|di rado|talvolta|a volte"
    r"|eccezionalmente|solo|soltanto|unicamente|non trattat[oaie]|in assenza|in caso|qualora"
    r"|in (?:rari|alcuni|certi|pochi|determinati|taluni) casi|nei casi|nelle forme|in vitro"
    r"|in laboratorio|in coltura|a (?:dosi|alte|basse)|ad alte dosi|al di sopra|al di sotto|oltre"
    r"|mai|in nessun|per nessun|ad eccezione|a parte|fatta eccezione"
    r"|secondo (?:il |la |i |le |un |una |antica |vecchia |alcuni |certi )*(?:produttor[ei]"
    r"|sostenitori|critici|detrattori"
    r"|pubblicità|tradizione|leggenda|credenza))"
    rf"|(?:in|nei|negli|nelle|nella|nel|per|tra|fra|con|per gli|per i|per le) (?:\w+ ){{0,3}}"
    rf"{_PEOPLE_IT})",
    counts=r"(?:molto |solo |soltanto |appena |circa |quasi |meno (?:di|del|della) |al massimo )*"
    r"(?:nessun[oa]?|nulla|né|poch[ie]|alcun[ie]|cert[ie]|non tutt[ie]|una minoranza"
    r"|un (?:terzo|quarto|quinto|decimo)|(?:la )?metà|una (?:piccola )?parte"
    rf"|un[oa]? \w+ su|un[oa] su|{NUMBERS_IT} (?:\w+ )?su|{NUMBERS_IT} (?:dei|delle|degli)"
    r"|un[oa] (?:dei|delle|degli)|(?:il |l['’])?\d+(?:,\d+)? ?(?:%|per cento)|\d+ (?:\w+ )?su"
    r"|\d+ (?:dei|delle|degli)|meno|sol[oa]|soltanto|appena|al massimo|rar[ie] sono|raramente)",
    hedges=r"potrebbe(?:ro)?|sembra(?:no)?|pare|sarebbe(?:ro)?|dovrebbe(?:ro)? in teoria|evit\w+(?:"
    r" di)?|impedi\w+(?: di)?|impedisc\w*|previen\w*|prevenire|si astenga da(?:l|llo)?|smett\w+ di"
    r"|vietat[oa]|vieta|proibi\w*|sconsigli\w*(?: di)?|controindicat[oaie] (?:in|nei|negli|nelle)?"
    r"|rifiut\w+(?: di)?|omesso di|invece di|anziché|contro|protegg\w+ (?:da|contro|dal|dalla)"
    r"|forse|non|inutile|rinunc\w+ a|interromp\w+|sospend\w+|fallit\w* (?:nel|nello)|non serve a?"
    r"|presumibilmente|probabilmente",
    article=r"il|lo|la|i|gli|le|l['’]|un|uno|una|ogni|tutt[ie] (?:i|gli|le)?",
    more_number=rf"(?:a|al|o|e|su|per|tra|fra|di|in)\s+(?:\d|{NUMBERS_IT}|più|meno|oltre)"
    r"|per (?:cento|mille|ogni)|volte|milioni?|miliardi|su|(?:dei|delle|degli)|giorn[oi]"
    r"|settiman[ae]|mes[ei]|ann[oi]|or[ae]|minut[oi]|second[oi]|gocc[ei]a?|compress[ae]|capsul[ae]"
    r"|unità|gradi|milligrammi|mila|bambini|pazienti|person[ae]|donne|uomini",
    how_often=rf"(?:una|due|tre|quattro|\d+) volt[ea]|al (?:giorno|mese|dì)|alla settimana"
    rf"|all['’]anno|per (?:chilo\w*|via|\d|{NUMBERS_IT})|ogni|giornalier\w*|quotidian\w*"
    rf"|settimanal\w*|o (?:più|meno)|in (?:\d|{NUMBERS_IT})|durante|a stomaco|la sera|al mattino",
    unit=r"mg|g|µg|μg|mcg|ml|l|ui|unità|gocce|compress[ae]|capsul[ae]|mmhg|°c|dose|cucchiaio"
    r"|cucchiai|milligrammi|grammi|litr[oi]|microgrammi|puff",
    condition=r"se|salvo|a meno|a condizione|purché|finché|fino a (?:quando|che)|tranne|eccetto"
    r"|ad eccezione|fatta eccezione|fuorché|solo|soltanto|solamente|unicamente"
    r"|ma (?:solo|soltanto|non|mai|meno|raramente|unicamente)|anche se|sebbene|benché|seppure"
    r"|escluso|esclus[ie]|e non|bensì|(?:nei|negli) (?:topi|ratti|animali|cani)|falso|un mito"
    r"|quando"
    r"|qualora",
    claimed=r"può|possono|possiamo|deve|devono|dovrebb\w*|bisogna|raccomand\w*|autorizz\w*"
    r"|permess\w*|consent\w*|vietat\w*|necessari\w*|inutil[ei]|indispensabil[ei]|sicur[oaie]"
    r"|efficac[ei]|possibil[ei]|indicat\w*|consigli\w*|sconsigli\w*|approvat\w*|aiut\w*|allevi\w*"
    r"|riduc\w*|ridott\w*|ridusse\w*|diminu\w*|abbass\w*|prev[ie]\w*|protegg\w*|migliora\w*"
    r"|miglior[ei]|guari\w*|bass[oaie]|alt[oaie]|cur[ao]\w*|aument\w*|elev\w*|raddoppi\w*"
    r"|prolung\w*|abbrevi\w*"
    r"|acceler\w*|impedisc\w*|frequent[ei]|rar[oaie]|benign\w*|mortal[ei]|contagios\w*|sopravviv\w*"
    r"|mor(?:ì|irono|to|ti|ta|te)|superior[ei]|inferior[ei]|sufficient\w*|basta\w*|util[ei]"
    r"|affidabil[ei]|precis[oaie]|esclud\w*|prend\w*|assum\w*|bev\w*|mang\w*|us[ai]|sospend\w*"
    r"|evit\w*|pericolos\w*|dannos\w*|noc\w*|toller\w*|scomp\w*|serv\w*|agisc\w*|negativ\w*"
    r"|positiv\w*|buon[oaie]?|normal[ei]|probabil[ei]|tutt[oaie]|sempre|dura\w*|sal[eiv]\w*"
    r"|assorb\w*|somministr\w*|appli\w*|richied\w*|salv\w*|torn\w*|scend\w*",
    denied=r"non|nessun[oa]?|mai|senza|né|nulla|niente|sol[oa]|soltanto|poch[ie]|raramente"
    r"|neanche|nemmeno",
    limits_after_comma=r"appena|non appena|una volta che|fino|prima|dopo|quando|mentre|oltre"
    r"|al di sotto|durante|almeno|al massimo|al più|rispetto|in confronto|sempre",
    limits=r"contro|in|a|al|ai|agli|alle|alla|per|con|sotto|sopra|senza|secondo|tra|fra|due volte"
    r"|più|meno|associat[oaie]|da sol[oaie]|nei|nelle|negli|nel|nella|entro|fuori|che|di (?:più"
    r"|meno|notte)|del|dello|della|dei|degli|delle|da|dal|dalla",
    goes_on=r"e|ed|o|oppure|né|perché|poiché|giacché|grazie|mediante|attraverso|tramite|come|così"
    r"|affinché|mentre|a causa|per (?:questo|via del|il fatto)|nel (?:18|19|20)\d\d|nel mondo"
    r"|in (?:italia|europa|svizzera|generale|media|tutto)|nella maggior|in uno studio"
    r"|nel (?:nostro|suo|braccio)|nella (?:sua|storia|pelle)|con (?:un[oa]?|l['’]aiuto|il|la|i|le)"
    r"|secondo (?:il|la|i|le)|l['’]|sicur[oaie]|economic[oaie]"
    r"|che (?:si|causa|provoca|colpisce|produce|è|sono|ha|hanno)|a livello|del|dello|della|dei"
    r"|degli|delle|dal|dalla|dai|dalle",
    dangles=r"non|mai|senza|che|di|del|della|dei|delle|al?|il|lo|la|i|gli|le|un|uno|una|con|per"
    r"|più|meno|quasi|né|tra|fra|contro|circa|su|molto|da|in|solo",
    takes_back=r"confutat\w*|smentit\w*|ritrattat\w*|ritirat[oa] (?:in seguito|poi|successiva\w*)"
    r"|erron\w*|a torto|fals(?:o|a|i|e|amente)|sbagliat\w*|non (?:è |sono |fu "
    r"|furono )?(?:stat[oaie]"
    r" )?(?:mai )?(?:conferma|dimostra|prova|riprodo|replica|significa)\w*|mito|bufala|superat[oa]"
    r"|nessuna differenza|secondo (?:il produttore|la pubblicità|i sostenitori|la leggenda)"
    r"|controvers\w*|discutibil\w*|dubbi[oa]|ancora incert\w*|credono alcuni|sostengono"
    r"|si (?:credeva|pensava|riteneva)|obsolet\w*",
    turns=r"ma|però|tuttavia|mentre|anche se|il che|benché|sebbene|cosa che",
    against=r"non|nessun[oa]?|solo|soltanto|mai|meno|ricad\w*|ricomp\w*|scompa\w*|perd\w*"
    r"|più (?:alt|bass|grav|frequent)\w*|inferior\w*|superior\w*|raramente|incert\w*|controvers\w*"
    r"|massimo|minimo|ritorn\w*|tornat\w*|caso|distors\w*|confut\w*|piccol\w*|fals\w*|peggi\w*"
    r"|a scapito",
)

NUMBERS_PT = (
    r"(?:dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|quinze|vinte|trinta|cem|mil)"
)
_PEOPLE_PT = (
    r"(?:pacientes?|doentes?|pessoas?|mulher(?:es)?|homens?|crianças?|adult[oa]s?|lactentes|bebés"
    r"|bebês|recém-nascidos|grávidas|gestantes|fumantes|fumadores|adolescentes|camundongos|ratos"
    r"|ratinhos|cães|macacos|porcos|anima(?:l|is)|roedores|voluntári[oa]s|participantes"
    r"|diabétic[oa]s|prematuros|atletas|idos[oa]s|quem|jovens|meninos|meninas|rapazes|raparigas)"
)
PORTUGUESE = _compile_words(
    denies_near=r"não|nunca|jamais|sem|nem|tampouco|nenhum[a]?|ninguém|nada|mal|pouc[oa]s"
    r"|raramente|só|somente|apenas|unicamente|algun?s|algumas|cert[oa]s|quase|salvo|exceto"
    r"|evit\w*|supost\w*",
    new_clause=r"e|mas|porque|pois|cuj[oa]s?|enquanto|já que|senão|então",
    introduces=r"(?:de |em |a )?que,?|se,?|como,?|quanto,?",
    doubts=r"não|nunca|jamais|nenhum[a]?|ninguém|nada|pouc[oa]s?|insuficientes?|nem|fals[oa]s?"
    r"|falsamente|erros?|errône\w*|erróne\w*|errad\w*|mitos?|lendas?|boatos?|rumor(?:es)?|ideia"
    r"|crenças?|desconhec\w*|incert\w*|dúvid\w*|duvid\w*|improvável|improváveis|discut\w*"
    r"|controvers\w*|debat\w*|hipóteses?|supo\w*|supunha\w*|pensava\w*|pensam|acredit\w*|crê\w*"
    r"|cria-se|pretend\w*|alega\w*|afirmam|suspeit\w*|especul\w*|esper\w*|tem(?:ia|iam|e-se|or)"
    r"|antigamente|outrora|refut\w*|desment\w*|nega\w*|contest\w*|question\w*|possível|plausível"
    r"|imagin\w*|alguns|algumas|críticos|defensores|fabricantes?|cedo demais|demasiado cedo"
    r"|prematuro|camundongos|ratos|anima(?:l|is)|preliminar\w*|um só|um único|uma única"
    r"|pequeno estudo|se(?=\s*$)|sem|longe|parecia|sustentavam|por demonstrar|pode ser",
    vouches=r"acord\w*|unânim\w*|mostr\w*|demonstr\w*|recomend\w*|confirm\w*|relat\w*|inform\w*"
    r"|indic\w*|sabe\w*|sabido|conhecid[oa]|estabelec\w*|conclu\w*|assinal\w*|lembr\w*|record\w*"
    r"|sublinh\w*|precis\w*|constat\w*|revel\w*|advert\w*|alert\w*|aconselh\w*|anunci\w*|explic\w*"
    r"|important\w*|essencial|fundamental|signific\w*|disse|diz\w*|encontr\w*|prov(?:a|ou|ado|am)"
    r"|verdade|cert[oa]|clar[oa]|evidente|observ\w*|declar\w*|descobr\w*|notific\w*|exig\w*|ped\w*"
    r"|descrev\w*|fato|facto|assim|dado|visto|para|bem|suger\w*|estim\w*|consider\w*|destac\w*"
    r"|convém|calcul\w*|document\w*|aceit\w*|admit\w*|tenha|atest\w*|verific\w*|escrev\w*|acrescent"
    r"\w*|ressalt\w*|salient\w*|reconhec\w*|not(?:ar|e|ou)|vale|há|afirm(?:a|ou)|garant\w*|realç\w*"
    r"|achou|apur\w*",
    fronted=r"(?:(?:mas|e|porém|contudo|no entanto),?\s+)?(?:(?:se|salvo|a menos|a não ser|desde"
    r" que|contanto|enquanto|até (?!hoje|agora)|quando|uma vez que|assim que|logo que|antes (?:de"
    r" (?!tudo|mais)|que)|depois (?:de|que)|exceto|fora|sem (?!dúvida)|na falta|em vez|ao invés"
    r"|ao contrário do que|contrariamente a|em teoria|teoricamente|supostamente|alegadamente"
    r"|talvez|provavelmente|possivelmente|antigamente|outrora|raramente|às vezes|por vezes"
    r"|ocasionalmente|excecionalmente|excepcionalmente|só|somente|apenas|unicamente"
    r"|não tratad[oa]s?|na ausência|em caso|caso|em (?:raros|alguns|certos|poucos|determinados)"
    r" casos|nos casos|nas formas|in vitro|em laboratório|no laboratório|em cultura|em doses|em"
    r" altas|em baixas|acima|abaixo|nunca|jamais|em nenhum\w*|de modo algum|com exceção|à exceção"
    r"|à parte|segundo (?:o |a |os |as |um |uma |antiga |velha |alguns |certos )*(?:fabricantes?"
    r"|defensores|críticos"
    r"|detratores|publicidade|propaganda|tradição|lenda|crença))"
    rf"|(?:em|nos|nas|para|entre|com|no|na) (?:\w+ ){{0,3}}{_PEOPLE_PT})",
    counts=r"(?:muito |só |somente |apenas |cerca de |quase |menos de |no máximo |perto de )*"
    r"(?:nenhum[a]?|ninguém|nada|nem|pouc[oa]s|algun?s|algumas|cert[oa]s|nem tod[oa]s"
    r"|uma minoria|um (?:terço|quarto|quinto|décimo)|(?:a )?metade|uma (?:pequena )?parte"
    rf"|um[a]? \w+ em cada|um[a]? em cada|um[a]? d[oa]s|{NUMBERS_PT} d[oa]s|{NUMBERS_PT} (?:\w+ )?"
    r"em cada|(?:os )?\d+(?:,\d+)? ?(?:%|por cento)|\d+ (?:\w+ )?em|\d+ d[oa]s|menos|só|somente"
    r"|apenas|no máximo|rar[oa]s são|raramente)",
    hedges=r"poderia(?:m)?|parece(?:m)?|seria(?:m)?|deveria(?:m)? em teoria|evit\w+|imped\w+"
    r"|previn\w*|prevenir|abstenha-se de|deix\w+ de|par\w+ de|proibid[oa]|proíb\w*|desaconselh\w*"
    r"|contraindicad[oa]s? (?:em|nos|nas)?|recus\w+(?: a)?|em vez de|ao invés de|contra"
    r"|proteg\w+ (?:de|contra|d[oa])|talvez|não|inútil|desnecessário|renunci\w+ a|suspend\w+"
    r"|interromp\w+|falh\w+ em|não serve(?: de nada)?(?: para)?|supostamente|alegadamente"
    r"|possivelmente|provavelmente",
    article=r"o|a|os|as|um|uma|tod[oa]s? (?:os|as)?",
    more_number=rf"(?:a|até|ou|e|de|sobre|por|em|entre)\s+(?:cada )?(?:\d|{NUMBERS_PT}|mais|menos)"
    r"|por (?:cento|cada|mil)|em cada|vezes|milh(?:ão|ões)|d[oa]s|de cada|dias?|semanas?"
    r"|m[eê]s(?:es)?|anos?|horas?|minutos?|segundos?|gotas?|comprimidos?|cápsulas?|unidades|graus"
    r"|miligramas|mil|crianças|pacientes|pessoas|doentes",
    how_often=rf"(?:uma|duas|três|quatro|\d+) vez(?:es)?|ao (?:dia|deitar)|por (?:dia|semana|mês"
    rf"|ano|quilo\w*|via|\d|{NUMBERS_PT})|à noite|a cada|cada|de \d+ em|de {NUMBERS_PT} em"
    rf"|diári\w*|diariamente|semanal\w*|ou (?:mais|menos)|em (?:\d|{NUMBERS_PT})|durante",
    unit=r"mg|g|µg|μg|mcg|ml|l|ui|unidades|gotas?|comprimidos?|cápsulas?|mmhg|°c|dose|colher"
    r"|miligramas|gramas|litros?|microgramas",
    condition=r"se|salvo|a menos|a não ser|desde que|contanto|exceto|excetuando|à exceção"
    r"|com exceção|só|somente|apenas|unicamente|mas (?:só|somente|apenas|não|nunca|menos"
    r"|raramente)|embora|ainda que|apesar de|se bem que|excluíd\w+|e não|enquanto|até (?:que|ao?"
    r"|os|as|desaparecer\w*)|em (?:camundongos|ratos|animais|cães)|falso|um mito|é falso|quando"
    r"|caso",
    claimed=r"pode[m]?|podemos|dev[ae]m?|deveria\w*|é preciso|recomend\w*|autoriz\w*|permit\w*"
    r"|proib\w*|necessári\w*|desnecessári\w*|inút(?:il|eis)|indispensáve(?:l|is)|segur[oa]s?"
    r"|eficaz(?:es)?|efica(?:z|zes)|possíve(?:l|is)|indicad\w*|aconselh\w*|desaconselh\w*"
    r"|aprovad\w*"
    r"|ajud\w*|alivi\w*|reduz\w*|diminu\w*|baix\w+|previn\w*|preven\w*|proteg\w*|melhor\w*"
    r"|cur[aeo]\w*"
    r"|aument\w*|elev\w*|duplic\w*|dobr\w*|prolong\w*|encurt\w*|aceler\w*|imped\w*|frequentes?"
    r"|rar[oa]s?|benign\w*|morta(?:l|is)|contagios\w*|recuper\w*|sobreviv\w*|morr\w+"
    r"|superior(?:es)?"
    r"|inferior(?:es)?|suficientes?|basta\w*|úte?(?:il|eis)|útil|fiáve(?:l|is)|confiáve(?:l|is)"
    r"|precis[oa]s?|exclu\w*|tom[ea]\w*|dê|beb[ae]|com[ae]|us[ea]|suspend\w*|evit\w*|perigos\w*"
    r"|nociv\w*|prejudicia\w*|toler\w*|desaparec\w*|serve[m]?|age[m]?|negativ\w*|positiv\w*"
    r"|bo(?:m|a|ns|as)|norma(?:l|is)|prováve(?:l|is)|tod[oa]s?|sempre|dura\w*|absorv\w*"
    r"|administr\w*|aplic\w*|requer\w*|salva\w*|volt\w*|cai",
    denied=r"não|nenhum[a]?|nunca|jamais|sem|nem|ninguém|nada|só|apenas|somente|pouc[oa]s"
    r"|raramente",
    limits_after_comma=r"assim que|logo que|uma vez|até|antes|depois|após|quando|enquanto|além"
    r"|abaixo|durante|pelo menos|no máximo|no mínimo|em comparação|comparad\w+|face a|sempre",
    limits=r"contra|em|a|à|ao|aos|às|para|com|sob|sem|segundo|entre|duas vezes|mais|menos"
    r"|associad[oa]s?|sozinh[oa]s?|no|na|nos|nas|dentro|fora|que|por (?:via|menos|mais)|d[oa]s?|de"
    r"|desde",
    goes_on=r"e|ou|nem|porque|pois|já que|visto que|graças|mediante|através|por (?!via|menos|mais"
    r"|cento)|pel[oa]s?|como|assim|para que|enquanto|devido|em (?:18|19|20)\d\d"
    r"|em (?:portugal|geral|média|todo)|n[oa] (?:brasil|europa|mundo|maioria|sua|seu|braço|pele"
    r"|fígado)|num estudo|em um estudo|neste|nesta|com (?:um[a]?|o|a|os|as|seu|sua|ajuda)"
    r"|segundo (?:o|a|os|as)|segur[oa]s?|barat[oa]s?|que (?:se|causa|provoca|afeta|produz|é|são"
    r"|tem|têm)|ao (?:longo|nível|mesmo|\w+[aei]r)|d[oa]s?|dum[a]?",
    dangles=r"não|nunca|sem|que|de|d[oa]s?|ao?|os?|as|um|uma|com|para|mais|menos|quase|nem|entre"
    r"|contra|cerca|sobre|muito|por|em|só|apenas|tão",
    takes_back=r"refutad\w*|desmentid\w*|retratad\w*|retirad[oa] (?:depois|posteriormente)"
    r"|errône\w*|erróne\w*|fals(?:o|a|os|as|amente)|errad\w*|não (?:se )?(?:foi |foram |pôde "
    r"|está )?"
    r"(?:ser )?(?:confirm|demonstr|provad|comprov|reprodu|replic|significa)\w*|mito|boato"
    r"|obsolet\w*|nenhuma diferença|segundo (?:o fabricante|a publicidade|a propaganda"
    r"|os defensores|a lenda)|controvers\w*|discutíve\w*|duvidos\w*|continua incert\w*|acreditam"
    r"(?: alguns)?|afirmam|(?:acreditava|pensava)-se|se (?:acreditava|pensava)",
    turns=r"mas|porém|contudo|no entanto|embora|enquanto|o que|todavia|coisa que",
    against=r"não|nenhum[a]?|só|somente|apenas|nunca|menos|reca[íi]\w*|desaparec\w*|perd\w*"
    r"|mais (?:alt|baix|grav|frequent)\w*|inferior\w*|superior\w*|raramente|incert\w*|controvers\w*"
    r"|máximo|mínimo|reaparec\w*|volt\w*|acaso|vi[ée]s\w*|refut\w*|pequen\w*|fals\w*|pior\w*"
    r"|à custa",
)

NUMBERS_NL = (
    r"(?:twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|vijftien|twintig|dertig|honderd"
    r"|duizend)"
)
_PEOPLE_NL = (
    r"(?:patiënten|zieken|mensen|personen|vrouwen|mannen|kinderen|volwassenen|zuigelingen"
    r"|baby['’]?s"
    r"|pasgeborenen|zwangeren|zwangere|rokers|jongeren|tieners|muizen|ratten|honden|apen|varkens"
    r"|dieren|knaagdieren|vrijwilligers|deelnemers|diabetici|sporters|ouderen|wie|degenen|jongens"
    r"|meisjes|proefdieren)"
)
DUTCH = _compile_words(
    denies_near=r"niet|geen|nooit|zonder|noch|niemand|niets|nauwelijks|amper|zelden|alleen|slechts"
    r"|enkel|weinig|enkele|sommige|bepaalde|bijna|haast|behalve|vermijd\w*|hoogstens|zogenaamd\w*"
    r"|vermeend\w*|ongevaccineerde|onbehandelde",
    new_clause=r"en|maar|omdat|want|die|dat|terwijl|waarvan|zodat|dus",
    introduces=r"dat,?|of,?|hoe(?:veel)?,?|wanneer,?",
    doubts=r"niet|geen|nooit|niemand|niets|weinig|nauwelijks|noch|of(?=\W*$)|onduidelijk|onbekend"
    r"|onzeker|omstreden|twijfel\w*|betwijf\w*|onwaarschijnlijk|vergis\w*|misverstand|mythe\w*"
    r"|fabel\w*|legende|gerucht\w*|fabeltje|onwaar|onjuist|onterecht|ten onrechte|beweer\w*|beweren"
    r"|vermoed\w*|hypothese\w*|aanname\w*|veronderstel\w*|speculeer\w*|speculatie|vroeger|ooit|ooit"
    r"|lang(?:e tijd)?|hop\w*|hoop\w*|vrees\w*|vrezen|weerleg\w*|ontken\w*|betwist\w*|denkbaar"
    r"|mogelijk|sommige\w*|critici|voorstanders|fabrikant\w*|te vroeg|voorbarig|muizen|ratten"
    r"|dieren|proefdier\w*|dierproe\w*|voorlopig\w*|één enkele?|kleine studie|klein onderzoek"
    r"|gelo\w*"
    r"|dacht\w*|denken|idee|opvatting|zonder|verre",
    vouches=r"aangetoond|toon\w*|toont|blijk\w*|bleek|bleken|bewezen|bewijst|bevestig\w*|meld\w*"
    r"|gemeld|aanbevol\w*|aanbeveelt|beveelt|bevelen|vast(?:stel\w*|gesteld)?|stel\w*|bekend|weten"
    r"|weet|benadruk\w*|belangrijk|bedenk|houd|let|wijs\w*|wijzen|gewezen|zeker|duidelijk|beschr\w*"
    r"|verklaar\w*|leg\w*|uit\w*|beteken\w*|vond\w*|gevonden|conclu\w*|zegt|zei|zeggen|gezegd|feit"
    r"|herinner\w*|vereis\w*|waarschuw\w*|raadt|raden|adviseer\w*|advies|mee\w*|waargenomen"
    r"|ontdek\w*"
    r"|zorg\w*|eens|volgt|schat\w*|noteer\w*|vermeld\w*|schrij\w*|schreef|laat|lieten|liet|waar"
    r"|rapporteer\w*|onderstreep\w*|beklemtoon\w*|besefte?|onthoud\w*|daarom|ervoor|zie\w*|zag\w*"
    r"|staat|leer\w*|geldt|kortom|kennis",
    fronted=r"(?:(?:maar|en|toch|echter),?\s+)?(?:(?:als|indien|mits|tenzij|zolang|zodra|voor zover"
    r"|behalve|uitgezonderd|voordat|totdat|tot(?! nu toe| op heden| voor kort| slot)|nadat|wanneer"
    r"|aangenomen|alleen|pas|slechts|enkel|zonder (?!twijfel)|in plaats van|anders dan|in"
    r" tegenstelling tot wat|mocht|mochten|onbehandeld|ongevaccineerd|theoretisch|in theorie"
    r"|naar verluidt|zogenaamd|vermoedelijk|mogelijk|misschien|wellicht|waarschijnlijk|vroeger"
    r"|voorheen|zelden|soms|af en toe|bij uitzondering|afgezien van|met uitzondering"
    r"|in (?:zeldzame|enkele|sommige|ernstige|bepaalde|uitzonderlijke) gevallen|in dierproeven"
    r"|in het laboratorium|in het lab|in vitro|in celkweek|in hoge dos\w*|bij hoge dos\w*"
    r"|bij (?:een )?(?:hoge|lage|langdurig|verminderde|ernstige|herhaald|gelijktijdig)\w*|in geval"
    r"|onder geen|in geen geval|nooit|boven de|onder de|volgens (?:de |het |een |oude? "
    r"|sommige )*(?:fabrikant\w*"
    r"|voorstanders|critici|volksgeloof|reclame|overlevering|legende))"
    rf"|(?:bij|voor|onder|van|in) (?:\w+ ){{0,3}}{_PEOPLE_NL})",
    counts=r"(?:maar |slechts |minder dan |hooguit |hoogstens |ongeveer |zo['’]n |bijna |nog geen "
    r"|alleen )*(?:geen|noch|niemand|niets|weinig|enkele|sommige|bepaalde|niet alle|niet elke"
    r"|een minderheid|een (?:derde|kwart|vijfde|tiende|klein deel)|de helft"
    rf"|één op|een op|één van|een van de {NUMBERS_NL}|{NUMBERS_NL} (?:op|van)|\d+(?:,\d+)? ?(?:%"
    r"|procent)|\d+ (?:op|van)|slechts|minder|hooguit|hoogstens|nauwelijks|zelden|alleen|enkel)",
    hedges=r"zou(?:den)?|lijk(?:t|en)|schijn(?:t|en)|mogelijk|misschien|wellicht|vermoedelijk"
    r"|waarschijnlijk|voorkom(?:t|en)?|vermijd(?:t|en)?|afgeraden(?: om)?|afraden|verbod(?: op)?"
    r"|verbied\w*|verboden(?: om)?|stop(?:t|pen)? met|af(?:zien)? van|weiger\w*(?: om)?"
    r"|in plaats van"
    r"|tegen|beschermt tegen|niet|onnodig(?: om)?|zinloos(?: om)?|gecontra-indiceerd(?: bij)?"
    r"|nagelaten(?: om)?|naar verluidt|zogenaamd|ontraden(?: om)?",
    article=r"de|het|een|elke|alle",
    more_number=rf"(?:tot|à|van|op|of|uit|per|en|over|keer)\s+(?:de |elke |iedere )?(?:\d"
    rf"|{NUMBERS_NL}|meer|minder|hoger|lager|ouder|jonger)|van de|op de|keer|maal|per|procent"
    r"|miljoen|miljard|duizend|dag(?:en)?|we(?:ek|ken)|maand(?:en)?|jaar|jaren|u(?:ur|ren)"
    r"|minu(?:ut|ten)|seconden?|druppels?|tablet(?:ten)?|capsules?|eenheden|graden|milligram"
    r"|kinderen|patiënten|mensen",
    how_often=rf"(?:een|één|twee|drie|vier|\d+) ?(?:maal|keer|x)|eenmaal|tweemaal|driemaal"
    rf"|dagelijks"
    rf"|wekelijks|maandelijks|per|om de|elke|iedere|of (?:meer|minder)|in (?:\d|{NUMBERS_NL})"
    rf"|gedurende|via|over \d|voor het slapen|'s (?:avonds|ochtends|morgens)|binnen",
    unit=r"mg|g|µg|μg|mcg|ml|l|ie|eenheden|druppels?|tablet(?:ten)?|capsules?|mmhg|°c|dosis|lepel"
    r"|milligram|gram|liter|microgram|pufjes?",
    condition=r"als|indien|mits|tenzij|zolang|voor zover|behalve|uitgezonderd|met uitzondering"
    r"|afgezien van|op voorwaarde|alleen|slechts|enkel|mits|maar (?:alleen|niet|nooit|pas|minder"
    r"|zelden|slechts|enkel)|hoewel|ofschoon|al (?:is|zijn|geldt|werkt|was|waren)|doch|en niet"
    r"|niet bij|bij (?:muizen|ratten|dieren|honden)|onjuist|een fabel|een mythe|dat is onjuist"
    r"|wanneer|totdat",
    claimed=r"mag|mogen|kan|kunnen|kunt|moet\w*|zou\w*|hoeft?|aanbevolen|aangeraden|raadzaam"
    r"|toegestaan|verboden|noodzakelijk|nodig|onnodig|overbodig|veilig|werkzaam|effectief"
    r"|doeltreffend|onschadelijk|ongevaarlijk|geschikt|goedgekeurd|geregistreerd|geïndiceerd"
    r"|helpt|helpen|hielp|werkt?|werken|verlaag\w*|verlag\w*|verminder\w*|voorkom\w*|bescherm\w*"
    r"|verbeter\w*|genees\w*|genez\w*|verkort\w*|verhoog\w*|verdubbel\w*|verleng\w*|verlicht\w*"
    r"|halveer\w*|mogelijk|vaak|vaker|zelden|goedaardig|dodelijk|besmettelijk|herstel\w*"
    r"|overleef\w*|laag|hoog|klein|groot"
    r"|overle[dv]\w*|stie[gr]\w*|daal\w*|nam\w*|verdwe\w*|verdwij\w*|beter|best|slechter|hoger"
    r"|lager"
    r"|superieur|voldoende|genoeg|nuttig|nauwkeurig|betrouwbaar|sluit\w*|procent|neem\w*|geef|geeft"
    r"|drink\w*|eet|gebruik\w*|stop\w*|gevaarlijk|schadelijk|verdragen|normaal|goed|gering"
    r"|waarschijnlijk|elke|alle|altijd|meest\w*|duurt|red\w*|opgenomen|ingespoten|vereist"
    r"|terugkeer\w*|voorkeur|keus|blijf\w*|breng\w*|wordt aan\w*",
    denied=r"niet|geen|nooit|niemand|niets|zonder|noch|nauwelijks|alleen|slechts|zelden|weinig",
    limits_after_comma=r"zodra|tot|voordat|nadat|terwijl|buiten|binnen|zonder|pas|ook|minstens"
    r"|ten minste|hoogstens|ten opzichte|vergeleken|in vergelijking|mits",
    limits=r"bij|in|tegen|na|voor|onder|boven|met|op|tussen|om|sinds|vanaf|aan|via|gedurende"
    r"|tijdens|eenmaal|tweemaal|dagelijks|langer|korter|meer|minder|dan|als|mits|alleen|binnen",
    goes_on=r"en|of|alsook|omdat|want|doordat|door|dankzij|wegens|vanwege|zoals|in (?:18|19|20)\d\d"
    r"|in (?:nederland|belgië|vlaanderen|europa|het algemeen|de regel|de meeste|een onderzoek)"
    r"|op (?:basis|grond|de arm|het been)|aan de|met (?:een|de|het|zijn|haar|hulp|behulp)"
    r"|volgens|via|onder (?:andere|meer)|wereldwijd|die|dat|zodat|waardoor|in (?:de|het|zijn|haar)"
    r"(?! (?:eerste|laatste|aanbevolen|juiste|subgroep|hoogste|laagste))"
    r"|van",
    dangles=r"niet|geen|nooit|zonder|dan|te|van|de|het|een|met|bij|voor|of|alleen|meer|minder"
    r"|bijna|noch|zowel|tussen|tegen|ongeveer|tot|over|onder|zeer",
    takes_back=r"weerleg\w*|ingetrokken|onterecht|ten onrechte|onjuist|onwaar|onbewezen"
    r"|niet (?:bevestigd|bewezen|aangetoond|herhaald|significant|houdbaar|gereproduceerd)"
    r"|bewe(?:er|re)\w*|zogenaamd|misverstand|mythe|fabel|achterhaald|verouderd|geen verschil"
    r"|geloven (?:velen|sommigen)|denken (?:velen|sommigen)|aldus de fabrikant"
    r"|volgens (?:de fabrikant|de reclame|voorstanders)|omstreden|twijfelachtig|nog onduidelijk"
    r"|dacht men",
    turns=r"maar|echter|doch|hoewel|terwijl|al|wat|daarentegen",
    against=r"niet|geen|alleen|nooit|nauwelijks|minder|verdwe\w*|verlo\w*|pas|lager|hoger|slechter"
    r"|zeldzamer|vaker|hoogstens|maximaal|hooguit|terug\w*|weer|onduidelijk|omstreden|toeval"
    r"|vertek\w*|weerleg\w*|klein\w*|onjuist|slechts",
)
