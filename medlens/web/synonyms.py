"""Words and phrases of medicine that mean the same, or nearly: one group per line, apart by commas.

Of our own writing and deliberately small: what patients, clinicians and the two Englishes call the
things that pages about health speak of most. A statement's word finds the page's when both stand in
one group. Differences of spelling alone (oe, ae, -our, -ise) are no concern of this table.
"""

from __future__ import annotations

GROUPS = """
heart attack, myocardial infarction, mi, coronary event
stroke, cerebrovascular accident, cva, brain attack
clot, thrombus, thrombosis, thrombotic, embolism, blocked vessel
clot removal, thrombectomy, clot retrieval
clot busting, thrombolysis, tpa, alteplase, fibrinolysis
blood thinner, anticoagulant, anticoagulation, anti-clotting
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
statin, simvastatin, atorvastatin, rosuvastatin
painkiller, analgesic, pain relief
nsaid, anti-inflammatory, ibuprofen, naproxen, diclofenac, anti-inflammatory painkiller
paracetamol, acetaminophen
adrenaline, epinephrine
noradrenaline, norepinephrine
salbutamol, albuterol, reliever, bronchodilator, rescue inhaler
inhaler, inhaled, puff
steroid, corticosteroid, prednisolone, prednisone, hydrocortisone, glucocorticoid
antibiotic, antimicrobial, antibacterial
quinolone, fluoroquinolone, ciprofloxacin, levofloxacin
penicillin, amoxicillin
yeast infection, thrush, candida, candidiasis, fungal infection
e. coli, escherichia coli
staphylococcus, mrsa
germ, pathogen, bacteria, organism
virus, viral
infection, infected, infectious, sepsis
blood poisoning, sepsis, septicaemia
cultured, culture, cultures
contagious, infectious, spread, transmissible
immunity, immune, susceptible
vaccine, vaccination, immunisation, mmr
rash, exanthem, eruption
fever, high temperature, pyrexia, febrile
nausea, sickness, vomiting
side effect, adverse effect, adverse event, harm, unwanted effect
diarrhoea, loose stools
constipation, constipated
heartburn, reflux, gerd
proton pump inhibitor, omeprazole, ppi
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
hospital, admission, inpatient, hospitalised
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
scan, imaging, computed tomography, ct, mri
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
antidepressant, ssri, selective serotonin reuptake inhibitor
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
zoledronate, zoledronic acid, bisphosphonate, alendronate
mobilisation, mobility, walking
wound, injury, lesion
burn, burns, scald
body surface, tbsa, total body surface area
blister, bulla
scar, scarring
ice, cold pack, frozen
running water, tap water
fluid, fluids, crystalloid, saline, rehydration
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
""".strip()
