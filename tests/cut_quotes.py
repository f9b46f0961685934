"""Quotes that are cut so that they say something else, and quotes that are cut and say the same.

Written before the rule that they try. A line is a sentence of a page; the quote is what stands
between the two bars, so that what was left out in front and behind can be read.
"""

from __future__ import annotations

CUT_SHORT = """
|Early treatment lowers the risk of death by 60| to 90%.
|The tablets work within 20| to 40 minutes.
|The dose may be raised to 2| or 3 tablets if the pain persists.
|The cuff is inflated for 5| or more minutes.
|Symptoms return in 3| of 10 children.
|The stone passes by itself in 8| out of 10 adults.
|About 1| in 400 newborns has the defect.
|The course costs 4| million a year.
|The fever rose to 39| or higher in two days.
|People aged 65 years| or younger were left out.
|Give 200 mg| or less to frail patients.
|Give 500 mg| twice a day after food.
|Take 20 mg| daily for a week.
|Infuse 2 g| over 15 minutes through a large vein.
|The level must stay below 5| times the upper limit.
|Between 10| and 15 patients fell ill after the meal.
|One| in three smokers quits within a year.
|Half| of the children had no symptoms.
|The new drug is twice| as likely to cause a rash.
|A blood pressure of 140| over 90 calls for a second reading.
|You must not drive| until your seizures are controlled.
|Patients may return to work| once the rash has crusted over.
|Drink plenty of water| unless you have heart failure.
|The vaccine can be given| if there is no fever.
|The wound needs no stitches| as long as its edges lie together.
|Surgery is advised| when antibiotics have failed.
|The drug may be used in pregnancy| only if nothing else helps.
|Start the pump| provided that the line is free of air.
|Breastfeeding can go on| except during the first day of treatment.
|Take the second tablet| if the first has not helped.
|The test rules out a clot| only in people at low risk.
|The tablets can be crushed|, but not those with a coating.
|Walking is safe|, unless the pain gets worse.
|The cream helps|, but only for a few hours.
|Statins may be continued|, except in the first three months of pregnancy.
|The implant lasts ten years|, although it fails sooner in smokers.
|Exercise is encouraged| after the sixth week.
|Bathing is allowed| from the third day on.
|Antibiotics shorten the illness| only in the elderly.
|About half of all patients do not wear the mask| for more than four hours a night.
|The drug does not harm the kidneys| at low doses.
|Antibiotics do not help| against viruses.
|Do not take the tablets| on an empty stomach.
|The scan does not show a stroke| in the first hours.
|Children must not be given aspirin| for fever or flu.
|There is no need to fast| before this test.
|Vaccinated people never fell severely ill| in the first year.
|Do not stop the tablets| without asking your doctor.
|You cannot catch it| from a handshake.
|No patient died| within thirty days of the operation.
|The pill is not less effective| in women who weigh more.
|Steroids should not be stopped| suddenly.
|The drug is not licensed| for children under six.
|Oxygen is not required| at saturations above 92%.
Neither |the blood test nor the scan can tell infection from disease|.
Neither test |can tell infection from disease|.
No drug tried so far |has slowed the disease|.
None of the trials |showed that it prolongs life|.
Nobody in the treated group |had another stroke|.
Nothing suggests that |the vaccine harms the unborn child|.
Few of the treated children |had a second attack|.
Fewer than half of the |patients were free of pain after a year|.
Only a minority of |carriers ever fall ill|.
Hardly any |of the swimmers caught the infection|.
One in five |patients had a relapse within a year|.
A third of the |deaths occurred at home|.
It is not true that |cracking your knuckles causes arthritis|.
It is a myth that |sugar makes children hyperactive|.
There is little evidence that |honey shortens a cough|.
There is no proof that |magnets relieve pain|.
It is unclear whether |the drug prevents dementia|.
It was once believed that |ulcers are caused by stress|.
Contrary to what many think, |cold weather does not cause colds|.
Some people wrongly believe that |antibiotics cure the flu|.
Critics have claimed that |the vaccine causes infertility|.
The study could not show that |fish oil protects the heart|.
We tested the hypothesis that |vitamin D prevents falls|.
It is unlikely that |the rash is caused by the tablets|.
It is no longer thought that |eggs raise cholesterol|.
The authors doubt that |screening saves lives|.
The drug may |reduce the number of attacks|.
Coffee might |protect against liver disease|.
The treatment failed to |lower the pressure|.
The infusion is unlikely to |cause a fall in pressure|.
Stop |taking the tablets three days before surgery|.
Avoid |lifting heavy loads for six weeks|.
The pump should be used instead of |injecting insulin by hand|.
Patients were advised against |drinking alcohol during the course|.
The device prevents |blood from flowing back|.
The nurse refused to |give the second dose|.
The patient denied |chest pain or shortness of breath|.
In mice, |the compound cured the infection|.
In animals, |high doses caused tumours of the liver|.
If untreated, |the infection is fatal in most cases|.
Unless it is treated early, |the disease leads to blindness|.
Without insulin, |a child with type 1 diabetes dies within weeks|.
Until 1990, |blood was not tested for the virus|.
In theory, |the two drugs could cancel each other out|.
Only in severe cases |is the spleen removed|.
Rarely, |the drug causes liver failure|.
Except in emergencies, |two doctors must sign the form|.
Low-dose |aspirin is safe in pregnancy|.
Inactivated |vaccines can be given during chemotherapy|.
Untreated |high blood pressure damages the kidneys|.
Topical |steroids rarely have effects on the whole body|.
Uncontrolled |diabetes slows the healing of wounds|.
Severe |anaemia calls for a transfusion|.
Oral |vancomycin is not absorbed from the gut|.
Long-term |use of sleeping tablets leads to dependence|.
|The vaccine is safe| in people older than 60 years.
|The treatment is recommended| for severe cases.
|The tablets are effective| in combination with diet.
|The drug is approved| for use in hospitals.
|Paracetamol can be taken| for no more than three days without advice.
|Up to four cups a day are safe| outside pregnancy.
|The implant is as effective| as sterilisation.
|Ketamine acts more quickly| than other antidepressants.
|The generic tablets are less likely| to be taken regularly.
|Patients should not| be left alone after the injection.
|The disease is most often| mild in children.
|The drug lowers the pressure| (in mice).
|Flying is allowed| (not in the first week after surgery).
|The antibody protects against infection| for at most three months.
|Side effects are rare| with short courses.
|The virus dies| above 60 °C.
|The cells were HIV|-negative after treatment.
"""

CUT_AND_SAME = """
|The drug lowers blood pressure and heart rate|, which was shown in several trials.
|Smoking is the main cause of lung cancer|, according to the agency.
However, |the infection clears by itself in most children|.
In addition, |the drug is excreted by the kidneys|.
For example, |lemons and peppers contain vitamin C|.
According to the guideline, |all newborns should be given vitamin K|.
In 2019, |the agency approved the tablets for adults|.
In a trial of 240 adults, |the tablets halved the number of attacks|.
On the other hand, |exercise improves sleep and mood|.
As a result, |the valve narrows and the heart has to work harder|.
The authors conclude that |early walking shortens the stay in hospital|.
The study showed that |the vaccine protects against severe disease|.
Research has shown that |regular exercise lowers blood pressure|.
It is well known that |smoking damages the lungs|.
We found that |children slept longer after the treatment|.
The agency states that |the drug must be kept in a refrigerator|.
The leaflet says that |the tablets should be taken after a meal|.
Doctors recommend that |adults have their blood pressure measured every year|.
|The heart has four chambers|, two atria and two ventricles.
|Iron is found in red meat|, beans and dark green vegetables.
|The main symptoms are fever, cough and tiredness|, and some people lose their sense of smell.
|The disease is caused by a bacterium|, and it is treated with antibiotics.
The disease is caused by a bacterium, and |it is treated with antibiotics|.
|The liver stores sugar|, whereas the kidneys filter the blood.
The liver stores sugar, whereas |the kidneys filter the blood|.
|Insulin lowers the level of glucose in the blood|; glucagon raises it.
Insulin lowers the level of glucose in the blood; |glucagon raises it|.
|The rash usually starts on the face| and then spreads to the body.
|The surgeon removes the appendix| through a small cut.
|The tablets are taken in the morning| with a glass of water.
|Ibuprofen reduces pain and fever| by blocking an enzyme.
|The pain begins suddenly| and spreads to the left arm.
|The kidneys remove waste from the blood| and make urine.
|The infection spreads through the air| when people cough or sneeze.
|Vitamin K is needed for the clotting of blood| because it activates several factors.
|The nerve carries signals from the hand| to the brain.
|Measles is caused by a virus| of the family Paramyxoviridae.
|The thyroid gland lies in the front of the neck| below the voice box.
|Asthma is a chronic disease of the airways| that often begins in childhood.
|Gout is caused by crystals of uric acid| in the joints.
|The cornea is the clear front part of the eye|.
|The vaccine was tested in 30,000 adults| in three countries.
|The patient was seen in the clinic on Monday| and sent home the same day.
|Penicillin was discovered by Alexander Fleming| in 1928.
|The bone heals in about six weeks| (see Figure 2).
|Metformin lowers the production of glucose in the liver| (12).
|Warfarin blocks the recycling of vitamin K| [3, 4].
|The tumour had spread to the lymph nodes|, the liver and the lungs.
|Treatment consists of rest, fluids and paracetamol|, which lowers the fever.
|Malaria is spread by mosquitoes|, mostly at night.
|The trial was stopped after two years|, as planned.
|Blood flows from the right side of the heart to the lungs|, where it takes up oxygen.
|Patients with diabetes should have their eyes checked every year|, even those without complaints.
This is why |the drug is given by injection|.
That means |the wound should be kept dry|.
Therefore |patients should be weighed every week|.
Because the drug makes people sleepy, |it is taken at night|.
Since then, |the number of cases has fallen every year|.
After the operation, |patients are moved to the recovery room|.
During the night, |the airway collapses and breathing stops for a moment|.
To prevent infection, |the skin is cleaned with alcohol|.
By contrast, |viral meningitis is usually mild|.
Together with diet, |exercise is the basis of treatment|.
Dr Ada Smith, who led the trial, said |the results were better than expected|.
The disease, which is inherited, |affects one in 2,000 people|.
Anaemia, a lack of red cells, |makes people tired and pale|.
The second most common cause, after smoking, |is exposure to radon|.
Patients should drink enough and |take the tablets with food|.
The nurse checks the name and |gives the injection into the upper arm|.
The gland is too active, so |the heart beats faster and weight is lost|.
The valve does not close, so |blood flows back into the atrium|.
The test is not painful and |takes about ten minutes|.
The drug is not an antibiotic; |it relieves pain and swelling|.
There was no fever, but |the throat was red and swollen|.
No side effects were seen. |The tablets lowered the pressure in all groups|.
Do not panic. |Call an ambulance and lie down|.
|Do not drive or use machines|.
|The drug must not be given by mouth| because it is destroyed in the stomach.
|Antibiotics do not work against viruses|, so they are of no use in a cold.
|Aspirin is not recommended for children|, since it can cause Reye syndrome.
|The test is not painful| and takes about ten minutes.
|There is no cure for the disease|, but treatment slows it down.
|The virus is not spread by food or water|, and hand washing is enough.
|The gene is not found in mice| or in rats.
|Take 500 mg every 6 hours| with a glass of water.
|Give 10 mL twice daily| by mouth.
|The temperature rose to 39 °C| on the second day.
|In the trial, 12 of 40 patients had a relapse|, the authors report.
|The infection is fatal in 1 of 100 people|, most of them over 80.
|About 60 to 90% of patients recover|.
|The half-life is 5 hours in adults| and 14 hours in newborns.
|Sodium was 128 mmol/L on admission| and 135 mmol/L a day later.
|The risk rises with age|, weight and smoking.
|Symptoms include a runny nose, sneezing and itchy eyes|, often in spring.
|A stroke is caused by a clot| or by bleeding in the brain.
|The doctor listens to the heart and lungs| and feels the belly.
|Handwashing prevents the spread of infections| in hospitals.
|Regular exercise lowers the risk of heart disease|, stroke and diabetes.
|The vaccine causes mild fever in some children|, which passes within two days.
|Heart failure means that the heart pumps too little blood|. It is common in old age.
|High blood pressure damages the vessels of the kidneys| over time.
|The disease is passed on from mother to child| during birth.
|Calcium is needed for strong bones and teeth|, as everyone knows.
|Sunscreen protects the skin against burns| and early ageing.
|Sleep apnoea is treated with a mask|, a machine and a hose.
|The cut is closed with stitches| under local anaesthesia.
|Dehydration causes thirst, a dry mouth and dark urine|, among other signs.
|Pneumonia is an infection of the lungs| caused by bacteria, viruses or fungi.
|The bladder holds about 400 to 600 mL of urine|.
A common belief is confirmed: |fresh air helps against nausea|.
It has been shown beyond doubt that |vaccination does not cause autism|.
|The stent keeps the artery open| and is covered with a drug.
"""


def cases(lines: str) -> list[tuple[str, str, str, str]]:
    """(page, quote, what was left out in front, what was left out behind) of each line."""
    made = []
    for line in filter(None, lines.splitlines()):
        front, quote, behind = line.split("|")
        page = f"The ward opened in May. {front}{quote}{behind}\n\nMore can be read below."
        made.append((page, quote, front.strip(), behind.strip()))
    return made


SPELT = [
    ("anaemia", "anemia"),
    ("haemorrhage", "hemorrhage"),
    ("haemoglobin", "hemoglobin"),
    ("oedema", "edema"),
    ("diarrhoea", "diarrhea"),
    ("oesophagus", "esophagus"),
    ("oestrogen", "estrogen"),
    ("paediatric", "pediatric"),
    ("gynaecology", "gynecology"),
    ("orthopaedic", "orthopedic"),
    ("anaesthesia", "anesthesia"),
    ("leukaemia", "leukemia"),
    ("ischaemia", "ischemia"),
    ("ischaemic", "ischemic"),
    ("hypoglycaemia", "hypoglycemia"),
    ("septicaemia", "septicemia"),
    ("foetus", "fetus"),
    ("foetal", "fetal"),
    ("faeces", "feces"),
    ("caecum", "cecum"),
    ("caesarean", "cesarean"),
    ("coeliac", "celiac"),
    ("dyspnoea", "dyspnea"),
    ("apnoea", "apnea"),
    ("gonorrhoea", "gonorrhea"),
    ("amenorrhoea", "amenorrhea"),
    ("aetiology", "etiology"),
    ("anaesthetise", "anesthetize"),
    ("tumour", "tumor"),
    ("tumours", "tumors"),
    ("colour", "color"),
    ("behaviour", "behavior"),
    ("behavioural", "behavioral"),
    ("labour", "labor"),
    ("favourable", "favorable"),
    ("odour", "odor"),
    ("vapour", "vapor"),
    ("neighbouring", "neighboring"),
    ("hospitalised", "hospitalized"),
    ("randomised", "randomized"),
    ("randomisation", "randomization"),
    ("minimise", "minimize"),
    ("recognised", "recognized"),
    ("organisation", "organization"),
    ("immunisation", "immunization"),
    ("catheterisation", "catheterization"),
    ("stabilising", "stabilizing"),
    ("analyse", "analyze"),
    ("analysed", "analyzed"),
    ("dialysed", "dialyzed"),
    ("paralysed", "paralyzed"),
    ("catalyse", "catalyze"),
    ("centre", "center"),
    ("centres", "centers"),
    ("litre", "liter"),
    ("millilitres", "milliliters"),
    ("metre", "meter"),
    ("centimetre", "centimeter"),
    ("fibre", "fiber"),
    ("titre", "titer"),
    ("titres", "titers"),
    ("goitre", "goiter"),
    ("calibre", "caliber"),
    ("manoeuvre", "maneuver"),
    ("manoeuvres", "maneuvers"),
    ("travelled", "traveled"),
    ("traveller", "traveler"),
    ("labelled", "labeled"),
    ("counselling", "counseling"),
    ("modelling", "modeling"),
    ("signalling", "signaling"),
    ("cancelled", "canceled"),
    ("channelled", "channeled"),
    ("fuelled", "fueled"),
    ("enrolment", "enrollment"),
    ("fulfil", "fulfill"),
    ("skilful", "skillful"),
    ("instil", "instill"),
    ("programme", "program"),
    ("grey", "gray"),
    ("aluminium", "aluminum"),
    ("sulphate", "sulfate"),
    ("sulphonylurea", "sulfonylurea"),
    ("ageing", "aging"),
    ("judgement", "judgment"),
    ("leucocyte", "leukocyte"),
    ("leucopenia", "leukopenia"),
    ("licence", "license"),
    ("defence", "defense"),
    ("practise", "practice"),
    ("mould", "mold"),
    ("homoeopathy", "homeopathy"),
    ("orthopaedics", "orthopedics"),
    ("haematoma", "hematoma"),
    ("toxaemia", "toxemia"),
    ("oestradiol", "estradiol"),
    ("oedematous", "edematous"),
    ("sceptical", "skeptical"),
    ("uraemia", "uremia"),
    ("hyperaemic", "hyperemic"),
    ("anaemic", "anemic"),
    ("faecal", "fecal"),
    ("caesium", "cesium"),
    ("sulphur", "sulfur"),
    ("summarise", "summarize"),
    ("theatre", "theater"),
    ("vigour", "vigor"),
    ("honour", "honor"),
    ("humour", "humor"),
]

ALMOST_SPELT = [
    ("hypoglycaemia", "hyperglycaemia"),
    ("hypotension", "hypertension"),
    ("ileum", "ilium"),
    ("perineal", "peroneal"),
    ("dysphagia", "dysphasia"),
    ("anuria", "aniridia"),
    ("tumour", "humour"),
    ("aerobic", "anaerobic"),
    ("foot", "feet"),
    ("leucocytes", "leucopenia"),
    ("licence", "licensee"),
    ("organised", "organiser"),
    ("analysis", "analyses"),
    ("adhesion", "adhesions"),
    ("fetus", "fetuses"),
    ("metres", "metre"),
]
