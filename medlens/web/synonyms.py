"""Words and phrases of medicine that mean the same, or nearly: one group per line, apart by commas.

Of our own writing and deliberately small: what patients, clinicians and the two Englishes call the
things that pages about health speak of most. A statement's word finds the page's when both stand in
one group. ``-pril`` stands for every word that ends so: the endings of drugs' international names
(WHO, International Nonproprietary Names: the stem book). Differences of spelling alone (oe, ae,
-our, -ise) are no concern of this table.
"""

from __future__ import annotations

GROUPS = """
heart attack, myocardial infarction, mi, coronary event
stroke, cerebrovascular accident, cva, brain attack
clot, thrombus, thrombosis, thrombotic, embolism, blocked vessel
clot removal, thrombectomy, clot retrieval
clot busting, thrombolysis, tpa, alteplase, fibrinolysis
blood thinner, anticoagulant, anticoagulation, anti-clotting, doac, -farin, -xaban, -parin, -gatran
high blood pressure, hypertension, raised blood pressure, hypertensive
low blood pressure, hypotension
irregular heartbeat, arrhythmia, atrial fibrillation, rhythm of the heart, palpitation
heart failure, cardiac failure, weak heart
heart, cardiac, coronary
kidney, renal
kidney function, egfr, glomerular filtration, creatinine clearance
kidney infection, pyelonephritis
liver, hepatic
lung, pulmonary
brain, cerebral, head
stomach, gastric, gastrointestinal, bowel
bowel, intestine, colon, gut
skin, dermal, cutaneous
bone, skeletal
muscle, muscular, myalgia
joint, arthritis, articular
eye, ocular, retinal
nerve, neuropathy, neural
bladder infection, cystitis, urinary tract infection, uti, urinary infection
urine, urinary, water, micturition
bacteria in the urine, bacteriuria
burning when passing water, dysuria
without symptoms, asymptomatic, no symptoms, symptomless
low platelets, thrombocytopenia, platelet count
anaemia, anaemic, low haemoglobin, low blood count
haemoglobin, blood count, hb
iron tablets, oral iron, iron supplement, elemental iron
infusion, intravenous, iv, by vein, drip, parenteral
by mouth, oral, orally, tablet, pill
injected, injection, subcutaneous, intramuscular, jab, shot
topical, cream, vaginal, local
bariatric surgery, gastric bypass, weight loss surgery, sleeve gastrectomy
operation, surgery, surgical, procedure
high blood sugar, hyperglycaemia, raised glucose
low blood sugar, hypoglycaemia, low sugar, hypo
sugar, glucose
prediabetes, pre-diabetes, impaired glucose tolerance, borderline diabetes
diabetes, diabetic, diabetes mellitus
fasting, on an empty stomach, nothing eaten
weight gain, gain weight
weight loss, lose weight, losing weight, slimming
obesity, obese, overweight
cholesterol, lipid, ldl
statin, -statin
painkiller, analgesic, pain relief
nsaid, anti-inflammatory, naproxen, diclofenac, indometacin, -profen, -coxib
paracetamol, acetaminophen
adrenaline, epinephrine
noradrenaline, norepinephrine
salbutamol, albuterol, reliever, bronchodilator, rescue inhaler, -terol, -tropium
inhaler, inhaled, puff
steroid, corticosteroid, hydrocortisone, glucocorticoid, -olone, -sone, -sonide
antibiotic, antimicrobial, antibacterial
quinolone, fluoroquinolone, -oxacin
penicillin, -cillin
yeast infection, thrush, candida, candidiasis, fungal infection
e. coli, escherichia coli
staphylococcus, mrsa
germ, pathogen, bacteria, organism
virus, viral
infection, infected, infectious, sepsis
blood poisoning, sepsis, septicaemia
cultured, culture, cultures
contagious, infectious, spread, transmissible, transmitted, catch, caught, pass on
immunity, immune, susceptible
vaccine, vaccination, immunisation, mmr
rash, exanthem, eruption
fever, high temperature, pyrexia, febrile
nausea, sickness, vomiting
side effect, adverse effect, adverse event, harm, unwanted effect
diarrhoea, loose stools
constipation, constipated
heartburn, reflux, gerd
proton pump inhibitor, ppi, -prazole
ulcer, peptic ulcer
bleeding, haemorrhage, bleed, blood loss
haemorrhage, bleed, bleeding in the brain
vitamin k, phytonadione
leafy green vegetables, kale, spinach, broccoli
teratogenic, harm an unborn child, birth defect, congenital malformation, fetal harm
first trimester, early pregnancy
pregnancy, pregnant, expecting
breastfeeding, breast milk, lactation, nursing mother
menopause, postmenopausal, after the menopause, past the menopause
oestrogen, estradiol, hormone replacement
contraceptive, birth control
intercourse, sexual, sex
child, children, paediatric, infant, toddler
infant, baby, newborn, neonate
elderly, older people, older adults, older patients
adolescent, teenager, young adult, young people
men, male
women, female
doctor, physician, clinician, practitioner
hospital, admission, inpatient, hospitalised, hospitalisation
ambulance, emergency, 999, 911
intensive care, icu, critical care
death, mortality, die, dead, fatal, kill, lethal, death rate
survival, survive, survivor
recurrence, relapse, return, come back, recurrent
incidence, number of cases, frequency
remission, cure, recover, recovery
diagnosis, diagnostic, diagnosed, defined
test, measurement, measured, checked, assessed, assessment
recheck, measured again, check again, monitored
screening, screened, early detection
scan, imaging, computed tomography, magnetic resonance, ct, mri
x-ray, radiograph
biopsy, tissue sample
first choice, first-line, mainstay, preferred, treatment of choice
maximum, at the most, at most, no more than, not exceed, upper limit, limit
minimum, at least, no less than
every other day, alternate day, alternate days, alternate-day
once a day, daily, each day, every day
once a week, weekly
once a year, annual, annually, yearly, every year
twice a day, twice daily, bid
missed dose, forget, forgotten, skip a dose
double, doubled, twice the dose
tapered, gradually, step by step, weaned
abruptly, suddenly, at once, cold turkey
stop, stopped, discontinue, discontinued, withdrawn, ceased
begin, start, started, initiate, initiated, commence
continue, continued, keep taking, go on
avoid, avoided, should not, must not, not recommended, contraindicated
contraindicated, contraindication, must not
recommended, advised, should, advisable
beneficial, benefit, effective, helps
harmful, harm, worse, damage, dangerous
prevent, prevention, prophylaxis, prophylactic, protect
increase, raise, rise, higher, more, strengthen, elevated
reduce, decrease, lower, fewer, less, fall, weaken
cause, causes, lead to, provoke, bring on, responsible
risk, likely, likelier, danger, hazard
no link, no association, not associated
autism, autistic
rarely, seldom, uncommon, infrequent
commonest, most common, usual cause, main cause, leading cause, most frequent
autoimmune thyroiditis, hashimoto
underactive thyroid, hypothyroidism
overactive thyroid, hyperthyroidism, thyrotoxicosis
thyroid function, tsh, thyroid stimulating hormone
levothyroxine, thyroxine, t4
liothyronine, triiodothyronine, t3
combination, adding, together with, plus, added
superior, better, more effective
antidepressant, ssri, serotonin reuptake inhibitor, -oxetine, -triptyline, sertraline, citalopram
mood, depression, depressed
suicidality, suicidal, suicide, self-harm
anxiety, anxious, panic
sleep, insomnia
dizziness, vertigo, lightheaded
tired, tiredness, fatigue, weariness, exhaustion
confusion, delirium, acute confusional state, disoriented
dementia, alzheimer
epilepsy, seizure, convulsion
migraine, headache
cancer, tumour, malignancy, carcinoma, neoplasm
chemotherapy, cytotoxic
radiotherapy, radiation
lump, mass, nodule
swelling, oedema, swollen
itching, pruritus, itchy
allergy, allergic, anaphylaxis, hypersensitivity, react badly
smoking, tobacco, cigarette, smoker
alcohol, drinking, drinker
exercise, physical activity, training
diet, food, eat, nutrition, meal
swallow, swallowing, dysphagia
breathless, dyspnoea, short of breath, shortness of breath
cough, coughing
airway, bronchial, airways
pneumonia, lung infection, chest infection
flu, influenza
common cold, cold, upper respiratory infection
sore throat, pharyngitis, tonsillitis
ear infection, otitis
work, workplace, occupational, at work, job
home, community
nursing home, care home, residential care
fracture, broken, break
broken hip, hip fracture
osteoporosis, brittle bones, bone loss
zoledronic acid, bisphosphonate, -dronate
mobilisation, mobility, walking
wound, injury, lesion
burn, burns, scald
body surface, tbsa, total body surface area
blister, bulla
scar, scarring
ice, cold pack, frozen
running water, tap water
fluid, fluids, crystalloid, saline, rehydration, hydration, drink, drinking
starch, hydroxyethyl starch, hes, colloid
vasopressor, pressor
map, mean arterial pressure, arterial pressure
transfusion, transfused, blood product
lactate, lactic acid
sodium, salt, natrium
potassium, hyperkalaemia, hypokalaemia
onset, first symptoms, symptoms began, start of symptoms
trial, study, experiment, participants
placebo, dummy
interaction, together with, combined with
genital, vagina, penis, genitals
contact, exposure, exposed
lifetime, in their life, ever
normal, normalised, back to normal
inflammation, inflammatory, inflamed
ace inhibitor, -pril
angiotensin receptor blocker, sartan, -sartan
beta blocker, -olol
calcium channel blocker, -dipine
diuretic, water tablet, water pill, -semide, -thiazide
sulfonylurea, glibenclamide, glyburide, gliclazide, glimepiride, glipizide
sglt2 inhibitor, -gliflozin
glp-1 agonist, -glutide
benzodiazepine, sleeping tablet, sedative, -azepam, -azolam
antipsychotic, neuroleptic, haloperidol, -apine, -peridone
opioid, opiate, morphine, codeine, tramadol, -codone, -fentanil, fentanyl
antiviral, -ciclovir, -tamivir
antifungal, -conazole
cephalosporin, ceftriaxone, cefalexin, cefuroxime, cefotaxime
macrolide, -thromycin
tetracycline, -cycline
antihistamine, -rizine, -tadine
antiemetic, -setron
triptan, -triptan
anticonvulsant, antiepileptic, antiseizure, valproate, carbamazepine, lamotrigine, levetiracetam
antiplatelet, aspirin, acetylsalicylic acid, clopidogrel, ticagrelor
local anaesthetic, numbing, -caine
antipyretic, paracetamol, acetaminophen, ibuprofen
loperamide, antidiarrhoeal, antimotility, stop diarrhoea
antidote, reversal, reverse
antioxidant, vitamin c, vitamin e
dairy, milk, cheese, yoghurt
cardiovascular, heart disease, cardiac disease, coronary
blood vessel, vascular, artery, vein
spirometry, breathing test, lung function
drop out, dropout, withdraw, not finish, not complete, quit
immunocompromised, immunosuppressed, weak immunity, weakened immune system
keyhole, laparoscopic, percutaneous, endoscopic, minimally invasive
gallbladder, biliary, cholecystitis, cholecystectomy, gallstone
take out, taken out, removal, remove, resection, excision
appendicitis, appendix, appendectomy
womb, uterus, uterine, hysterectomy
breast, mammary, mastectomy
prostate, prostatic
thyroid gland, thyroid, thyroidectomy
spleen, splenic
pancreas, pancreatic
gullet, oesophagus, oesophageal
windpipe, trachea, tracheal
ear, hearing, auditory, deafness
nose, nasal, sinus
mouth, oral cavity
tooth, teeth, dental
spine, spinal, vertebral, back
hand, finger, digit
foot, toe, podiatric
chest, thoracic
belly, abdomen, abdominal
flank, loin
leg, lower limb
arm, upper limb
face, facial
neck, cervical
hair, alopecia
ringing in the ears, tinnitus
red blood cell, erythrocyte
white blood cell, white cell, leukocyte, leucocyte
platelet, thrombocyte
protein in the urine, proteinuria, albuminuria
blood in the urine, haematuria
coughing up blood, haemoptysis
lumbar puncture, spinal tap
nerve conduction, electrical study, electromyography, emg, neurophysiology
eeg, electroencephalography, electroencephalogram
ecg, electrocardiogram, electrocardiography
ultrasound, sonography, echocardiography
colonoscopy, endoscopy, gastroscopy
electrolyte, sodium, potassium
one side, unilateral, single side
both sides, bilateral
at night, nocturnal, overnight, evening
wasted, wasting, atrophy, shrunken
birth, delivery, labour, childbirth, delivered
caesarean, c-section
premature, preterm, early birth
miscarriage, pregnancy loss
week of gestation, weeks pregnant, gestation
unborn, fetus, fetal, foetal
dialysis, kidney replacement, haemodialysis
pain, ache, colic, neuralgia
numbness, tingling, paraesthesia
weakness, palsy, paralysis, paresis
unconscious, coma, syncope, faint
memory, cognitive, cognition
agitated, hyperactive, restless, agitation
quiet, hypoactive, withdrawn, drowsy
restraint, tie down, tied
tube feeding, enteral, nasogastric, tube into the stomach
nil by mouth, fast, fasting, no food, not eat
eating, oral feeding, diet
lifestyle, diet, exercise
talking therapy, psychotherapy, cognitive behavioural, counselling
severity, severe, how ill, how bad, serious
correlate, correlation, predict, associated, says
all, every, everyone, anyone
routinely, routine, as a rule
postpone, delay, wait, deferred
prompt, promptly, urgent, immediately, at once, without delay
suitable, appropriate, bar, eligible, suits
exclude, excluded, turned away, not allowed, barred
alternative, substitute, replacement, instead
ineffective, useless, no use, does not work, no effect, no benefit
persist, last, continue, remain, still
repeat, again, second
donor, transplant, transplantation, graft
stool, faecal, faeces, bowel motion
isolate, isolation, single room, room of their own
hand washing, hand hygiene, wash your hands
disinfect, alcohol gel, hand rub, sanitiser
monitor, check, follow-up, surveillance
self-limiting, goes by itself, resolves, pass by themselves, gone
drive, driving
sun, ultraviolet, sunlight
hereditary, inherited, genetic, runs in families, family history
""".strip()
