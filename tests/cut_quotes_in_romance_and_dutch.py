"""Quotes in Spanish, Italian, Portuguese and Dutch that are cut, with and without a change of what
they say.

The first set of each language was written before the rule that it tries: 38, 12, 17 and 17 % of the
cuts that change the meaning were told by the rules of other languages, 96, 96, 92 and 92 % by the
first of its own. Of the second set 91, 90, 100 and 85 % were told at once, and of what says the
same nothing in either. A line is a sentence of a
page; the quote stands between the bars.
"""

from __future__ import annotations

SPANISH_CHANGED = """
|El tratamiento precoz reduce el riesgo de muerte en un 60| al 90 %.
|La dosis habitual es de 500 mg| cada ocho horas.
|No conduzca| hasta que las crisis estén controladas.
|Puede volver al trabajo| cuando las lesiones hayan formado costra.
|Beba abundante agua| salvo que padezca insuficiencia cardíaca.
|El medicamento está indicado| en adultos con enfermedad renal avanzada.
No hay pruebas de que |la vitamina C prevenga el resfriado|.
|No se recomienda la radiografía| durante el primer mes de dolor lumbar.
Es un mito que |las vacunas causan autismo|.
Menos de la mitad de los |pacientes siguieron el tratamiento completo|.
|Los síntomas desaparecen en 3| de cada 10 niños.
|El dolor mejoró con el fármaco|, pero no más que con placebo.
|El cribado salva vidas|, aunque solo en mayores de 50 años.
Si aparece fiebre, |suspenda el medicamento|.
Se desconoce si |el fármaco pasa a la leche materna|.
|La aspirina previene los infartos| excepto en personas sin factores de riesgo.
|Tome dos comprimidos| si el dolor persiste.
Ni la fiebre ni la tos |distinguen una infección de otra|.
|Los antibióticos no acortan la enfermedad| a menos que haya una infección bacteriana.
|La vacuna es menos eficaz| que la de una generación anterior en menores de dos años.
Algunos autores sostuvieron erróneamente que |el reposo en cama cura la ciática|.
|La tensión debe mantenerse por debajo de 140| sobre 90 mmHg.
Nunca |se debe partir la cápsula|.
|El hierro se absorbe mejor| en ayunas.
"""

SPANISH_SAME = """
Según la guía de 2023, |la metformina es el tratamiento de primera línea de la diabetes tipo 2|.
|La hipertensión no suele causar síntomas|, por lo que muchas personas no saben que la tienen.
|El asma es una inflamación crónica de las vías respiratorias|, que afecta a millones de personas.
Además, |el tabaco aumenta el riesgo de cáncer de pulmón|.
|La varicela se transmite por el aire| y por contacto directo con las lesiones.
|Los efectos adversos más frecuentes son náuseas y diarrea| (véase la tabla 2).
|El paracetamol alivia el dolor y baja la fiebre|; se vende sin receta.
|La gota se debe al depósito de cristales de urato en las articulaciones|, como las del pie.
Cabe señalar que |la lactancia materna protege contra las infecciones|.
|El ictus es una urgencia médica|. [12]
Por lo tanto, |se aconseja medir la glucosa en ayunas|.
|La migraña es más frecuente en mujeres|, según la Sociedad Española de Neurología.
|La artrosis desgasta el cartílago de las articulaciones|, lo que provoca dolor y rigidez.
En España, |la esperanza de vida es de 83 años|.
|El dengue lo transmiten mosquitos del género Aedes|, sobre todo Aedes aegypti.
Como ya se ha dicho, |la insulina se inyecta bajo la piel|.
|La anemia por falta de hierro causa cansancio y palidez|, entre otros síntomas.
|El sarampión puede prevenirse con una vacuna| segura y barata.
|La epilepsia se diagnostica por la historia clínica|, apoyada por el electroencefalograma.
Un estudio publicado en 2019 mostró que |el ejercicio reduce las caídas en ancianos|.
|La psoriasis es una enfermedad crónica de la piel|, no contagiosa.
Hoy en día |la mayoría de los cánceres de testículo se curan|.
|Los betabloqueantes reducen la frecuencia cardíaca|, entre ellos el bisoprolol y el metoprolol.
|Lávese las manos con agua y jabón|, preferiblemente durante 20 segundos.
"""

ITALIAN_CHANGED = """
|La terapia precoce riduce il rischio di morte del 60| - 90 %.
|La dose abituale è di 500 mg| ogni otto ore.
|Non deve guidare| finché le crisi non sono controllate.
|Può tornare al lavoro| quando le vescicole si sono seccate.
|Beva molta acqua| a meno che non abbia uno scompenso cardiaco.
|Il farmaco è indicato| negli adulti con insufficienza renale grave.
Non ci sono prove che |la vitamina C prevenga il raffreddore|.
|La radiografia non è raccomandata| nelle prime sei settimane di mal di schiena.
È falso che |i vaccini causano l'autismo|.
Meno della metà dei |pazienti ha completato la terapia|.
|I sintomi scompaiono in 3| bambini su 10.
|Il dolore è diminuito con il farmaco|, ma non più che con il placebo.
|Lo screening salva vite|, anche se solo dopo i 50 anni.
Se compare febbre, |sospenda il medicinale|.
Non è noto se |il farmaco passi nel latte materno|.
|L'aspirina previene l'infarto| tranne che nelle persone senza fattori di rischio.
|Prenda due compresse| se il dolore persiste.
Né la febbre né la tosse |distinguono un'infezione dall'altra|.
|Gli antibiotici non abbreviano la malattia| se non in caso di infezione batterica.
Si pensava che |il riposo a letto guarisse la sciatica|.
|La pressione va mantenuta sotto 140| su 90 mmHg.
Evitare di |aprire la capsula prima dell'uso|.
|Il ferro si assorbe meglio| a stomaco vuoto.
Solo il 10 % delle |infezioni guarisce senza antibiotico|.
"""

ITALIAN_SAME = """
Secondo le linee guida del 2023, |la metformina è il farmaco di prima scelta nel diabete|.
|L'ipertensione di solito non dà sintomi|, perciò molte persone non sanno di averla.
|L'asma è una infiammazione cronica delle vie respiratorie|, che colpisce milioni di persone.
Inoltre, |il fumo aumenta il rischio di tumore del polmone|.
|La varicella si trasmette per via aerea| e per contatto diretto con le lesioni.
|Gli effetti indesiderati più comuni sono nausea e diarrea| (vedi tabella 2).
|Il paracetamolo allevia il dolore e abbassa la febbre|; si vende senza ricetta.
|La gotta è dovuta al deposito di cristalli di urato nelle articolazioni|, come quelle del piede.
Va ricordato che |l'allattamento al seno protegge dalle infezioni|.
|L'ictus è un'emergenza medica|. [12]
Pertanto |si consiglia di misurare la glicemia a digiuno|.
|L'emicrania è più frequente nelle donne|, secondo la Società Italiana di Neurologia.
|L'artrosi consuma la cartilagine delle articolazioni|, il che provoca dolore e rigidità.
In Italia |l'aspettativa di vita è di 83 anni|.
|La dengue è trasmessa da zanzare del genere Aedes|, soprattutto Aedes aegypti.
Come già detto, |l'insulina si inietta sotto la pelle|.
|L'anemia da carenza di ferro causa stanchezza e pallore|, tra gli altri sintomi.
|Il morbillo si può prevenire con un vaccino| sicuro ed economico.
|L'epilessia si diagnostica con la storia clinica|, con l'aiuto dell'elettroencefalogramma.
Uno studio pubblicato nel 2019 ha mostrato che |l'esercizio riduce le cadute negli anziani|.
|La psoriasi è una malattia cronica della pelle|, non contagiosa.
Oggi |la maggior parte dei tumori del testicolo guarisce|.
|I betabloccanti riducono la frequenza cardiaca|, tra cui bisoprololo e metoprololo.
|Si lavi le mani con acqua e sapone|, preferibilmente per 20 secondi.
"""

PORTUGUESE_CHANGED = """
|O tratamento precoce reduz o risco de morte em 60| a 90 %.
|A dose habitual é de 500 mg| a cada oito horas.
|Não conduza| até que as crises estejam controladas.
|Pode voltar ao trabalho| quando as lesões tiverem crosta.
|Beba bastante água| a menos que tenha insuficiência cardíaca.
|O medicamento está indicado| em adultos com doença renal avançada.
Não há evidência de que |a vitamina C previna a gripe|.
|Não se recomenda a radiografia| nas primeiras seis semanas de dor lombar.
É um mito que |as vacinas causam autismo|.
Menos de metade dos |doentes completou o tratamento|.
|Os sintomas desaparecem em 3| de cada 10 crianças.
|A dor melhorou com o fármaco|, mas não mais do que com placebo.
|O rastreio salva vidas|, embora apenas acima dos 50 anos.
Se surgir febre, |suspenda o medicamento|.
Não se sabe se |o fármaco passa para o leite materno|.
|A aspirina previne o enfarte| exceto em pessoas sem fatores de risco.
|Tome dois comprimidos| se a dor persistir.
Nem a febre nem a tosse |distinguem uma infecção da outra|.
|Os antibióticos não encurtam a doença| salvo se houver infecção bacteriana.
Acreditava-se que |o repouso na cama curava a ciática|.
|A pressão deve manter-se abaixo de 140| por 90 mmHg.
Evite |abrir a cápsula antes de usar|.
|O ferro é mais bem absorvido| em jejum.
Apenas 10 % das |infecções curam sem antibiótico|.
"""

PORTUGUESE_SAME = """
Segundo a norma de 2023, |a metformina é o tratamento de primeira linha da diabetes tipo 2|.
|A hipertensão geralmente não causa sintomas|, por isso muitas pessoas não sabem que a têm.
|A asma é uma doença inflamatória crónica das vias respiratórias|, que afeta milhões de pessoas.
Além disso, |o tabaco aumenta o risco de cancro do pulmão|.
|A varicela transmite-se pelo ar| e por contacto direto com as lesões.
|Os efeitos indesejáveis mais frequentes são náuseas e diarreia| (ver tabela 2).
|O paracetamol alivia a dor e baixa a febre|; vende-se sem receita.
|A gota deve-se à deposição de cristais de urato nas articulações|, como as do pé.
Vale lembrar que |o aleitamento materno protege contra infeções|.
|O AVC é uma emergência médica|. [12]
Portanto, |recomenda-se medir a glicemia em jejum|.
|A enxaqueca é mais frequente nas mulheres|, segundo a Sociedade Portuguesa de Neurologia.
|A artrose desgasta a cartilagem das articulações|, o que provoca dor e rigidez.
Em Portugal, |a esperança de vida é de 81 anos|.
|A dengue é transmitida por mosquitos do género Aedes|, sobretudo o Aedes aegypti.
Como já foi dito, |a insulina é injetada sob a pele|.
|A anemia por falta de ferro causa cansaço e palidez|, entre outros sintomas.
|O sarampo pode ser prevenido com uma vacina| segura e barata.
|A epilepsia é diagnosticada pela história clínica|, com apoio do eletroencefalograma.
Um estudo publicado em 2019 mostrou que |o exercício reduz as quedas nos idosos|.
|A psoríase é uma doença crónica da pele|, não contagiosa.
Atualmente |a maioria dos cancros do testículo tem cura|.
|Os betabloqueadores reduzem a frequência cardíaca|, entre eles o bisoprolol e o metoprolol.
|Lave as mãos com água e sabão|, de preferência durante 20 segundos.
"""

DUTCH_CHANGED = """
|Vroege behandeling verlaagt het risico op overlijden met 60| tot 90 %.
|De gebruikelijke dosis is 500 mg| om de acht uur.
|U mag niet autorijden| totdat de aanvallen onder controle zijn.
|U kunt weer aan het werk| zodra de blaasjes zijn ingedroogd.
|Drink veel water| tenzij u hartfalen heeft.
|Het middel is geregistreerd| voor volwassenen met ernstig nierfalen.
Er is geen bewijs dat |vitamine C verkoudheid voorkomt|.
|Een röntgenfoto wordt niet aanbevolen| in de eerste zes weken van rugpijn.
Het is een fabel dat |vaccins autisme veroorzaken|.
Minder dan de helft van de |patiënten maakte de behandeling af|.
|De klachten verdwijnen bij 3| van de 10 kinderen.
|De pijn nam af met het middel|, maar niet meer dan met placebo.
|De screening redt levens|, hoewel alleen boven de 50 jaar.
Als er koorts optreedt, |stop dan met het middel|.
Het is onbekend of |het middel in de moedermelk komt|.
|Aspirine voorkomt een hartinfarct| behalve bij mensen zonder risicofactoren.
|Neem twee tabletten| als de pijn aanhoudt.
Noch koorts noch hoest |onderscheidt de ene infectie van de andere|.
|Antibiotica verkorten de ziekte niet| tenzij er een bacteriële infectie is.
Vroeger dacht men dat |bedrust ischias genas|.
|De bloeddruk moet onder de 140| over 90 mmHg blijven.
Vermijd |het openen van de capsule|.
|IJzer wordt beter opgenomen| op een lege maag.
Slechts 10 % van de |infecties geneest zonder antibioticum|.
"""

DUTCH_SAME = """
Volgens de richtlijn van 2023 |is metformine de eerste keus bij diabetes type 2|.
|Hoge bloeddruk geeft meestal geen klachten|, waardoor veel mensen niet weten dat ze het hebben.
|Astma is een chronische ontsteking van de luchtwegen|, die miljoenen mensen treft.
Bovendien |verhoogt roken de kans op longkanker|.
|Waterpokken verspreiden zich via de lucht| en door direct contact met de blaasjes.
|De meest voorkomende bijwerkingen zijn misselijkheid en diarree| (zie tabel 2).
|Paracetamol verlicht pijn en verlaagt koorts|; het is zonder recept te koop.
|Jicht ontstaat door neerslag van uraatkristallen in gewrichten|, zoals die van de voet.
Belangrijk is dat |borstvoeding beschermt tegen infecties|.
|Een beroerte is een medisch spoedgeval|. [12]
Daarom |wordt aangeraden de nuchtere glucose te meten|.
|Migraine komt vaker voor bij vrouwen|, aldus de Nederlandse Vereniging voor Neurologie.
|Artrose tast het kraakbeen van de gewrichten aan|, wat pijn en stijfheid geeft.
In Nederland |is de levensverwachting 82 jaar|.
|Dengue wordt overgebracht door muggen van het geslacht Aedes|, vooral Aedes aegypti.
Zoals gezegd |wordt insuline onder de huid gespoten|.
|Bloedarmoede door ijzertekort geeft vermoeidheid en bleekheid|, naast andere klachten.
|Mazelen zijn te voorkomen met een vaccin| dat veilig en goedkoop is.
|Epilepsie wordt vastgesteld op grond van het verhaal|, met hulp van een eeg.
Een onderzoek uit 2019 toonde aan dat |bewegen het aantal valpartijen bij ouderen vermindert|.
|Psoriasis is een chronische huidziekte|, die niet besmettelijk is.
Tegenwoordig |geneest het merendeel van de zaadbalkankers|.
|Bètablokkers verlagen de hartslag|, waaronder bisoprolol en metoprolol.
|Was uw handen met water en zeep|, bij voorkeur 20 seconden lang.
"""

# -- leaflets, abstracts and newspapers, written when the rule stood, without a look at it ------

SPANISH_CHANGED_LATER = """
|Los pacientes pueden conducir| una vez transcurridos seis meses sin crisis.
|El ensayo mostró una menor mortalidad| solo en el subgrupo de pacientes jóvenes.
|La inyección se repite a los 14| o 21 días.
Apenas un tercio de los |casos se cura por completo|.
La agencia desmintió que |la vacuna provoque infertilidad|.
Durante años se creyó que |la úlcera se debía al estrés|.
Hasta la fecha, ningún ensayo ha demostrado que |el ayuno cure el cáncer|.
|El supositorio baja la fiebre| en menos de una hora si se aplica entero.
Si está embarazada, |no tome este medicamento|.
|Este medicamento no produce somnolencia| a las dosis recomendadas.
Está contraindicado |el uso conjunto de ambos fármacos|.
Uno de cada cinco |pacientes abandonó el estudio|.
En ratones, |el compuesto restauró la audición|.
|La prueba detecta el 95| % de los tumores.
|Se administran 10 ml| por vía oral dos veces al día.
|El tratamiento fue eficaz|, pero los beneficios desaparecieron al cabo de un año.
|La cirugía mejora la supervivencia|, según el fabricante del robot.
Pocos médicos recomiendan que |los niños tomen aspirina|.
Es dudoso que |la homeopatía alivie la alergia|.
|El riesgo de trombosis es bajo| en mujeres que no fuman.
Deje de |tomar anticonceptivos antes de la operación|.
Nadie ha podido confirmar que |el virus saliera de un laboratorio|.
"""

SPANISH_SAME_LATER = """
|La celiaquía es una enfermedad autoinmune|, desencadenada por el gluten.
Los autores concluyen que |la terapia cognitiva alivia el insomnio crónico|.
|El páncreas produce insulina| y enzimas digestivas.
En 1928, |Alexander Fleming descubrió la penicilina|.
|El mosquito pica sobre todo al amanecer y al atardecer|, por lo que conviene usar repelente.
El prospecto indica que |el jarabe contiene sacarosa|.
|La diabetes gestacional aparece durante el embarazo| y suele desaparecer tras el parto.
Conviene saber que |el sol envejece la piel|.
|La tos ferina es muy contagiosa|, como recuerda la Asociación Española de Pediatría.
De hecho, |el colesterol elevado no duele|.
|La clamidia es una infección de transmisión sexual|; a menudo pasa inadvertida.
|El glaucoma daña el nervio óptico|, generalmente por un aumento de la presión ocular.
|El hígado filtra la sangre| (véase la figura 4).
Por ejemplo, |el ibuprofeno irrita la mucosa del estómago|.
A diferencia de la gripe, |el resfriado rara vez causa fiebre alta|.
|La bronquiolitis afecta a los lactantes|, principalmente en invierno.
La OMS estima que |cada año mueren 600 000 personas por malaria|.
|La fibromialgia causa dolor generalizado|, cansancio y trastornos del sueño.
Cada vez hay más pruebas de que |la contaminación daña el corazón|.
|Los riñones eliminan el exceso de agua|, además de regular la tensión arterial.
Afortunadamente, |la mayoría de los pacientes se recupera por completo|.
|La rubéola es leve en los niños|, con fiebre y erupción.
"""

ITALIAN_CHANGED_LATER = """
|I pazienti possono guidare| dopo sei mesi senza crisi.
|Lo studio ha mostrato una minore mortalità| solo nel sottogruppo dei giovani.
|L'iniezione si ripete dopo 14| o 21 giorni.
L'agenzia ha smentito che |il vaccino provochi infertilità|.
Per anni si è creduto che |l'ulcera fosse dovuta allo stress|.
Finora nessuno studio ha dimostrato che |il digiuno guarisca il cancro|.
Se è in gravidanza, |non prenda questo medicinale|.
|Questo medicinale non dà sonnolenza| alle dosi raccomandate.
È controindicato |l'uso contemporaneo dei due farmaci|.
Un paziente su cinque |ha abbandonato lo studio|.
Nei topi |il composto ha ripristinato l'udito|.
|Il test individua il 95| % dei tumori.
|Si somministrano 10 ml| per bocca due volte al giorno.
|La terapia è stata efficace|, ma i benefici sono scomparsi dopo un anno.
|L'intervento migliora la sopravvivenza|, secondo il produttore del robot.
Pochi medici consigliano che |i bambini prendano l'aspirina|.
È dubbio che |l'omeopatia allevi l'allergia|.
|Il rischio di trombosis è basso| nelle donne che non fumano.
Smetta di |prendere la pillola prima dell'operazione|.
Nessuno è riuscito a confermare che |il virus sia uscito da un laboratorio|.
"""

ITALIAN_SAME_LATER = """
|La celiachia è una malattia autoimmune|, scatenata dal glutine.
Gli autori concludono che |la terapia cognitiva allevia l'insonnia cronica|.
|Il pancreas produce insulina| ed enzimi digestivi.
Nel 1928 |Alexander Fleming scoprì la penicillina|.
|La zanzara punge soprattutto all'alba e al tramonto|, perciò conviene usare un repellente.
Il foglio illustrativo indica che |lo sciroppo contiene saccarosio|.
|Il diabete gestazionale compare in gravidanza| e di solito scompare dopo il parto.
È bene sapere che |il sole invecchia la pelle|.
|La pertosse è molto contagiosa|, come ricorda la Società Italiana di Pediatria.
Infatti |il colesterolo alto non fa male|.
|La clamidia è un'infezione a trasmissione sessuale|; spesso passa inosservata.
|Il glaucoma danneggia il nervo ottico|, di solito per un aumento della pressione oculare.
|Il fegato filtra il sangue| (vedi figura 4).
Per esempio |l'ibuprofene irrita la mucosa dello stomaco|.
A differenza dell'influenza, |il raffreddore raramente causa febbre alta|.
|La bronchiolite colpisce i lattanti|, soprattutto in inverno.
L'OMS stima che |ogni anno muoiano di malaria 600 000 persone|.
|La fibromialgia causa dolore diffuso|, stanchezza e disturbi del sonno.
|I reni eliminano l'acqua in eccesso|, oltre a regolare la pressione.
Per fortuna |la maggior parte dei pazienti guarisce del tutto|.
"""

PORTUGUESE_CHANGED_LATER = """
|Os doentes podem conduzir| após seis meses sem crises.
|O ensaio mostrou menor mortalidade| apenas no subgrupo dos jovens.
|A injeção repete-se aos 14| ou 21 dias.
A agência desmentiu que |a vacina provoque infertilidade|.
Durante anos acreditou-se que |a úlcera se devia ao estresse|.
Até hoje nenhum ensaio demonstrou que |o jejum cure o cancro|.
Se estiver grávida, |não tome este medicamento|.
|Este medicamento não causa sonolência| nas doses recomendadas.
Está contraindicado |o uso conjunto dos dois fármacos|.
Um em cada cinco |pacientes abandonou o estudo|.
Em camundongos, |o composto restaurou a audição|.
|O teste deteta 95| % dos tumores.
|Administram-se 10 ml| por via oral duas vezes ao dia.
|O tratamento foi eficaz|, mas os benefícios desapareceram após um ano.
|A cirurgia melhora a sobrevida|, segundo o fabricante do robô.
Poucos médicos recomendam que |as crianças tomem aspirina|.
É duvidoso que |a homeopatia alivie a alergia|.
|O risco de trombose é baixo| em mulheres que não fumam.
Pare de |tomar a pílula antes da operação|.
Ninguém conseguiu confirmar que |o vírus tenha saído de um laboratório|.
"""

PORTUGUESE_SAME_LATER = """
|A doença celíaca é autoimune|, desencadeada pelo glúten.
Os autores concluem que |a terapia cognitiva alivia a insónia crónica|.
|O pâncreas produz insulina| e enzimas digestivas.
Em 1928, |Alexander Fleming descobriu a penicilina|.
|O mosquito pica sobretudo ao amanhecer e ao entardecer|, por isso convém usar repelente.
A bula indica que |o xarope contém sacarose|.
|A diabetes gestacional surge na gravidez| e costuma desaparecer depois do parto.
Convém saber que |o sol envelhece a pele|.
|A coqueluche é muito contagiosa|, como lembra a Sociedade Brasileira de Pediatria.
De facto, |o colesterol alto não dói|.
|A clamídia é uma infeção sexualmente transmissível|; muitas vezes passa despercebida.
|O glaucoma danifica o nervo ótico|, geralmente por aumento da pressão ocular.
|O fígado filtra o sangue| (ver figura 4).
Por exemplo, |o ibuprofeno irrita a mucosa do estômago|.
Ao contrário da gripe, |a constipação raramente causa febre alta|.
|A bronquiolite afeta os lactentes|, principalmente no inverno.
A OMS estima que |todos os anos morrem de malária 600 000 pessoas|.
|A fibromialgia causa dor generalizada|, cansaço e perturbações do sono.
|Os rins eliminam o excesso de água|, além de regular a pressão arterial.
Felizmente, |a maioria dos doentes recupera por completo|.
"""

DUTCH_CHANGED_LATER = """
|Patiënten mogen weer autorijden| na zes maanden zonder aanvallen.
|Het onderzoek liet een lagere sterfte zien| alleen in de subgroep van jongeren.
|De injectie wordt na 14| of 21 dagen herhaald.
Het bureau ontkende dat |het vaccin onvruchtbaar maakt|.
Jarenlang werd gedacht dat |een maagzweer door stress ontstond|.
Tot nu toe heeft geen enkel onderzoek aangetoond dat |vasten kanker geneest|.
Als u zwanger bent, |neem dit middel dan niet in|.
|Dit middel maakt niet slaperig| in de aanbevolen dosering.
Een op de vijf |patiënten verliet het onderzoek|.
Bij muizen |herstelde de stof het gehoor|.
|De test vindt 95| % van de tumoren.
|Geef 10 ml| via de mond, tweemaal per dag.
|De behandeling was effectief|, maar het voordeel was na een jaar verdwenen.
|De operatie verbetert de overleving|, aldus de fabrikant van de robot.
Weinig artsen adviseren dat |kinderen aspirine slikken|.
Het is twijfelachtig of |homeopathie hooikoorts verlicht|.
|Het risico op trombose is laag| bij vrouwen die niet roken.
Stop met |het slikken van de pil voor de operatie|.
Niemand kon bevestigen dat |het virus uit een laboratorium kwam|.
Volgens een oud volksgeloof |geneest uiensap oorpijn|.
"""

DUTCH_SAME_LATER = """
|Coeliakie is een auto-immuunziekte|, die door gluten wordt uitgelokt.
De auteurs concluderen dat |cognitieve therapie chronische slapeloosheid verlicht|.
|De alvleesklier maakt insuline| en spijsverteringsenzymen.
In 1928 |ontdekte Alexander Fleming penicilline|.
|De mug steekt vooral in de schemering|, dus is een muggenmiddel verstandig.
De bijsluiter vermeldt dat |de siroop sacharose bevat|.
|Zwangerschapsdiabetes ontstaat tijdens de zwangerschap| en verdwijnt meestal na de bevalling.
Het is goed te weten dat |de zon de huid veroudert|.
|Kinkhoest is zeer besmettelijk|, zo benadrukt de Vereniging voor Kindergeneeskunde.
In feite |doet een hoog cholesterol geen pijn|.
|Chlamydia is een seksueel overdraagbare infectie|; vaak blijft ze onopgemerkt.
|Glaucoom beschadigt de oogzenuw|, meestal door een verhoogde oogdruk.
|De lever filtert het bloed| (zie figuur 4).
Zo |prikkelt ibuprofen bijvoorbeeld het maagslijmvlies|.
|Bronchiolitis treft zuigelingen|, vooral in de winter.
De WHO schat dat |jaarlijks 600.000 mensen aan malaria overlijden|.
|Fibromyalgie geeft pijn in het hele lichaam|, vermoeidheid en slaapproblemen.
|De nieren verwijderen overtollig water|, naast het regelen van de bloeddruk.
Gelukkig |herstelt het merendeel van de patiënten volledig|.
|Rodehond verloopt bij kinderen mild|, met koorts en uitslag.
"""

# -- all four languages, when the two sets before had been mended: 16 of 20 told, 1 of 24 not cut --

CHANGED_LAST = """
|El fármaco alivia el dolor| en la mitad de los casos.
|Il farmaco allevia il dolore| nella metà dei casi.
|O fármaco alivia a dor| em metade dos casos.
|Het middel verlicht de pijn| bij de helft van de mensen.
No es cierto que |el azúcar cause hiperactividad|.
Non è vero che |lo zucchero renda iperattivi|.
Não é verdade que |o açúcar cause hiperatividade|.
Het is niet waar dat |suiker druk maakt|.
|Puede beber alcohol| 48 horas después de la última dosis.
|Può bere alcolici| 48 ore dopo l'ultima dose.
|Pode beber álcool| 48 horas depois da última dose.
|U mag alcohol drinken| 48 uur na de laatste dosis.
|La biopsia no es necesaria|, salvo si el nódulo crece.
|La biopsia non è necessaria|, a meno che il nodulo cresca.
|A biópsia não é necessária|, a não ser que o nódulo cresça.
|Een biopsie is niet nodig|, tenzij de knobbel groeit.
Entre los fumadores, |el riesgo se duplica|.
Tra i fumatori |il rischio raddoppia|.
Entre os fumantes, |o risco dobra|.
Onder rokers |verdubbelt het risico|.
En los pacientes tratados con litio, |se vigila la función renal cada seis meses|.
"""

SAME_LAST = """
|El colesterol LDL se acumula en las arterias|, formando placas.
La doctora Ruiz explica que |la piel seca pica más en invierno|.
|La enfermedad de Crohn afecta a cualquier parte del tubo digestivo| y cursa en brotes.
Es bien sabido que |el alcohol daña el hígado|.
Gli esperti ricordano che |il diabete può danneggiare la retina|.
|Le statine abbassano il colesterolo| bloccando un enzima del fegato.
Come sottolinea l'AIFA, |i generici contengono lo stesso principio attivo|.
|La tiroide si trova nel collo| e regola il metabolismo.
Negli ultimi anni |i casi di morbillo sono aumentati|.
Os médicos lembram que |o diabetes pode lesar a retina|.
|As estatinas reduzem o colesterol| ao bloquear uma enzima do fígado.
Nos últimos anos |os casos de sarampo aumentaram|.
|A tireoide fica no pescoço| e regula o metabolismo.
De acordo com a Anvisa, |os genéricos contêm o mesmo princípio ativo|.
Artsen benadrukken dat |diabetes het netvlies kan beschadigen|.
|Statines verlagen het cholesterol| door een enzym in de lever te remmen.
De afgelopen jaren |is het aantal gevallen van mazelen gestegen|.
|De schildklier ligt in de hals| en regelt de stofwisseling.
Volgens het CBG |bevatten generieke middelen dezelfde werkzame stof|.
|El virus se detectó por primera vez en 1976| en Sudán y Zaire.
|La vitamina D se forma en la piel| por la acción del sol.
|Il fegato pesa circa un chilo e mezzo| ed è l'organo interno più grande.
|O coração bate cerca de cem mil vezes por dia| num adulto.
|Het hart klopt ongeveer honderdduizend keer per dag| bij een volwassene.
"""
