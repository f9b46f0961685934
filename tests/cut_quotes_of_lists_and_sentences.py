"""Quotes cut from sentences, lists and tables of medical pages, by somebody who had not seen the
rules: such as say something else without what was left out, and such as do not.

Between [[ and ]] stands what is quoted, between {{ and }} what the quote replaces by "…"; %% parts
the pages. Of the first sets 82 % of the cuts that change the meaning were told when they were new,
and 5 % of the others; of the later ones, written once these were mended, 88 and 2 %.
"""

from __future__ import annotations

import re

_BEFORE = "The clinic opened in 1998 and serves a large rural area."
_AFTER = "Further information can be found in the booklet for families."


def quotes_of(pages: str) -> list[tuple[str, str]]:
    """The page and the quote of each case."""
    found = []
    for written in pages.strip("\n").split("\n%%\n"):
        quoted = re.findall(r"\[\[(.*?)\]\]", written, re.DOTALL)
        page = re.sub(r"\[\[|\]\]|\{\{|\}\}", "", written)
        between = "\n\n" if "\n" in page else " "
        page = f"{_BEFORE}{between}{page}{between}{_AFTER}"
        found += [(page, re.sub(r"\{\{.*?\}\}", " … ", one)) for one in quoted]
    return found


CHANGED = """
In a survey of 900 carers, few agreed that [[melatonin helps children with autism fall asleep \
sooner]].
%%
It is a common myth that [[antibiotics shorten an ordinary cold]].
%%
Contrary to what was once taught, it is wrong that [[oxygen should be given to every patient \
with a heart attack]].
%%
Nobody should assume that [[a normal chest X-ray rules out lung cancer]].
%%
There is little support for the idea that [[cranberry juice cures cystitis]].
%%
The panel rejected the proposal that [[every woman over 35 should have a yearly mammogram]].
%%
Until 2019, [[aspirin was recommended to prevent a first heart attack in healthy people over 60]].
%%
In mice fed a high-fat diet, [[the compound reversed fatty liver within eight weeks]].
%%
Only when the platelet count falls below 10 × 10⁹/L is it true that [[prophylactic platelet \
transfusion is recommended]].
%%
Unless the patient has a pacemaker, [[MRI can be done without further checks]].
%%
If the potassium is above 6.5 mmol/L, [[give 10 mL of calcium gluconate 10 % over 10 minutes]].
%%
For children under 12 years, [[the maximum dose is 2 g per day]].
%%
In people without symptoms, [[screening for thyroid disease is not advised]].
%%
Neither the Cochrane review nor the later trials found that [[arnica reduces swelling after \
dental surgery]].
%%
The trial was too small to show whether [[early drainage shortens the hospital stay]].
%%
It remains unclear if [[long-term use of proton pump inhibitors raises the risk of dementia]].
%%
Patients may wrongly believe that [[inhaled steroids stunt growth for good]].
%%
Far from being harmless, kava was withdrawn; the old label said that [[kava is safe for daily use]].
%%
Some early case reports suggested, and later cohort studies refuted, that [[ibuprofen worsens \
COVID-19]].
%%
Hardly any [[patients with a ruptured aneurysm recover without treatment]].
%%
Almost [[half of the participants dropped out before week 12]].
%%
Fewer than [[one in five infants needed a second dose]].
%%
Up to [[30% of patients develop a rash]].
%%
At least [[48 hours should pass between two doses]].
%%
No more than [[4 g of paracetamol may be taken in 24 hours]].
%%
Not all [[patients with celiac disease have diarrhoea]].
%%
Start ivabradine at [[a dose of 2.5]] mg to 5 mg twice daily.
%%
[[The target INR is 2]]–3 for most patients with a mechanical valve in the aortic position.
%%
[[Absolute risk fell by 1]].2 percentage points over five years.
%%
[[The incubation period is 2]] to 14 days.
%%
[[Serum sodium should not rise by more than 8]]–10 mmol/L in the first 24 hours.
%%
[[Symptoms lasted 10]] ± 4 days in the treated group.
%%
[[The cost per QALY was £12]],400 in the base case.
%%
[[The antidote is given at 150 mg]]/kg over one hour.
%%
[[Creatinine clearance fell to 30 mL/min]]/1.73 m² or lower.
%%
[[The vaccine was 95% effective]] against hospital admission, and 40% against infection.
%%
[[Ninety per cent of tumours shrank]] by less than a tenth.
%%
[[The hazard ratio was 0.7]] (95% CI 0.4 to 1.3).
%%
[[Mortality was 12% with the drug]] and 12% with placebo.
%%
[[Weight fell by 6 kg]] in the surgery group but rose again by 5 kg within the year.
%%
[[Each spray delivers 50 micrograms, so the daily dose is two sprays]] in each nostril, twice a day.
%%
[[Metformin can be continued before the scan]] provided that the eGFR is above 30.
%%
[[Women with epilepsy may take the combined pill]] unless they use an enzyme-inducing drug.
%%
[[Lumbar puncture is safe]] once raised intracranial pressure has been excluded.
%%
[[Blood donors can give again after 12 weeks]], except those whose haemoglobin is below 125 g/L.
%%
[[Patients can fly two days after keyhole surgery]], assuming that there were no complications.
%%
[[Stop the anticoagulant before tooth extraction]] only on the advice of a cardiologist.
%%
[[The ring may be removed]] for no longer than three hours.
%%
[[Live vaccines can be given to people on low-dose steroids]]; those on more than 20 mg of \
prednisolone a day must wait.
%%
[[Colchicine may be combined with clarithromycin]] in no circumstances.
%%
[[Children can return to school]] five days after the swelling began.
%%
[[Surgery can be postponed]] until the infant weighs 5 kg.
%%
[[Nitrates relieve the pain]] but must never be combined with sildenafil.
%%
[[Beta blockers are safe in COPD]], with the exception of non-selective ones such as propranolol.
%%
[[The drain can be taken out]] when less than 50 mL comes in 24 hours.
%%
[[Iron tablets should be taken with orange juice]] rather than with tea or milk.
%%
[[Codeine is suitable for pain after tonsil removal]] in adults only.
%%
[[Screening saves lives]] in smokers aged 55 to 74, and in nobody else.
%%
[[Folic acid should be taken at 5 mg daily]] if either parent has a neural tube defect.
%%
[[Honey eases a cough]] but must not be given to babies under one year.
%%
[[The patch may be cut in half]] – the reservoir type may not.
%%
[[The device is approved]] for use in research only.
%%
[[The two drugs lower blood pressure]] to the same extent as placebo.
%%
[[Semaglutide caused more weight loss]] than placebo but less than surgery.
%%
[[Warfarin is better]] studied than it is tolerated.
%%
[[Apixaban caused fewer bleeds]] than warfarin, though more than aspirin.
%%
[[Vitamin D prevents falls]], according to one trial that was later retracted.
%%
[[The new inhaler works faster]] – a claim that the regulator did not accept.
%%
[[Acupuncture relieved the pain]] no better than a sham procedure.
%%
[[The lesion is benign]] in 60% of cases.
%%
[[The infection clears by itself]] in about half of the women within a year.
%%
[[Patients on the drug lived longer]], but the difference was not significant.
%%
[[Ketamine lifts depression]] for a few days at most.
%%
[[A raised D-dimer means a clot]] or infection, cancer, pregnancy or recent surgery.
%%
[[Doxycycline stains the teeth]] of children under eight.
%%
[[Breast milk is enough]] for the first six months.
%%
[[Opioids are recommended]] against in chronic low back pain.
%%
[[The combination was approved]] but withdrawn two years later because of liver failure.
%%
[[The guideline advises bed rest]] be avoided.
%%
[[Thrombolysis is useful]] less and less with each hour that passes.
%%
[[All the patients improved]] apart from the two with cirrhosis.
%%
[[Doctors used to believe that ulcers are caused by stress]], which is now known to be false.
%%
[[The drug halves the risk of stroke]] in people with atrial fibrillation.
%%
[[Tamoxifen prevents recurrence]] in women whose tumours carry oestrogen receptors.
%%
[[BRCA carriers should be offered surgery]] from the age of 35.
%%
[[Rotavirus vaccine is contraindicated]] in infants with a history of intussusception.
%%
[[Dexamethasone lowers mortality]] in patients who need oxygen, and may raise it in those who do \
not.
%%
[[Statins should {{not }}be started in people on dialysis]].
%%
[[Aspirin reduces the risk of colorectal cancer {{in people with Lynch syndrome }}by about 40%]].
%%
[[Valproate {{must never be given to pregnant women, whereas lamotrigine }}can be used in \
pregnancy]].
%%
[[Patients may eat {{until six hours before the operation and may }}drink clear fluids until two \
hours before it]].
%%
[[The cream cured {{2 of 80 patients, and the tablets cured }}71 of 80 patients]].
%%
[[Give adrenaline {{only if there is no pulse, and }}every three to five minutes]].
%%
[[Vaccination {{did not increase but }}lowered the risk of asthma]].
%%
[[Antihistamines {{do little for the cough but }}relieve a runny nose]].
%%
Do not take this medicine if you:
- have severe liver disease
- [[are taking an MAO inhibitor]]
- are allergic to soya
%%
Absolute contraindications:

• [[Active bleeding]]
• Recent stroke
%%
The following are not reasons to stop treatment:
1. [[a dry mouth]]
2. mild nausea in the first week
%%
Myths
– [[Eggs raise the risk of heart disease]].
– Sugar makes children hyperactive.
%%

"""

SAME = """
According to the 2023 guideline, [[metformin is the first choice in type 2 diabetes]].
%%
In addition, [[regular hand washing lowers the spread of norovirus]].
%%
As shown in Table 2, [[the mean age was 61 years]].
%%
Moreover, [[a family history of glaucoma doubles the risk]].
%%
It is well known that [[smoking narrows the arteries]].
%%
Studies have shown that [[pelvic floor training improves stress incontinence]].
%%
The authors conclude that [[physiotherapy is as effective as surgery for a torn meniscus]].
%%
However, [[the rash usually fades within a week]].
%%
Therefore, [[the dose of digoxin should be lowered in kidney failure]].
%%
Note that [[grapefruit juice raises the level of simvastatin]].
%%
Remember: [[adrenaline is the first-line treatment for anaphylaxis]].
%%
We found that [[shift work was linked to a higher risk of type 2 diabetes]].
%%
The NHS advises that [[adults drink no more than 14 units of alcohol a week]].
%%
There is strong evidence that [[compression stockings prevent the return of leg ulcers]].
%%
First described by Graves in 1835, [[the disease affects women more often than men]].
%%
A rare tumour of the adrenal gland, [[phaeochromocytoma causes attacks of headache, sweating and \
palpitations]].
%%
Dr Patel explains: "[[Migraine is far more than a headache]]."
%%
Background: [[Sepsis is a leading cause of death in hospital]].
%%
Conclusions. [[Early mobilisation after hip fracture shortened the hospital stay by two days]].
%%
Q: What is a hernia? A: [[A hernia is a bulge of an organ through the wall that holds it in]].
%%
Like other statins, [[rosuvastatin blocks the enzyme HMG-CoA reductase]].
%%
Because the spleen filters blood, [[its removal raises the risk of infection with pneumococci]].
%%
Indeed, [[most fevers in children are caused by viruses]].
%%
Today [[cataract surgery is done under local anaesthesia]].
%%
For example, [[rifampicin lowers the effect of the pill]].
%%
[[Scurvy is caused by a lack of vitamin C]], as Lind showed in 1753.
%%
[[Gout is caused by crystals of uric acid in the joint]] (see Figure 1).
%%
[[The pancreas makes insulin]], a hormone that lowers blood sugar.
%%
[[Measles is one of the most contagious diseases known]] [12,13].
%%
[[Chronic kidney disease affects about one in ten adults]], according to the registry.
%%
[[Sleep apnoea is treated with CPAP]], which keeps the airway open with air pressure.
%%
[[Tetanus is caused by a toxin of Clostridium tetani]] and was once common on farms.
%%
[[Asthma attacks can be triggered by pollen, smoke and cold air]], and many patients carry a \
reliever inhaler.
%%
[[Hepatitis B is spread through blood and body fluids]]; a vaccine has been available since 1982.
%%
[[Psoriasis is a chronic disease of the skin]] that affects about 2% of people.
%%
[[Shingles is caused by the varicella zoster virus]], the same virus that causes chickenpox.
%%
[[The appendix lies at the start of the large bowel]] in the lower right part of the belly.
%%
[[Warfarin blocks the recycling of vitamin K]], so clotting factors are made without their \
working form.
%%
[[Iron deficiency is the most common cause of anaemia worldwide]] (WHO, 2021).
%%
[[Parkinson's disease causes tremor, stiffness and slowness]] – three signs that James Parkinson \
described in 1817.
%%
[[Rabies is almost always fatal once symptoms begin]]. Vaccination after a bite prevents it.
%%
[[Hypertension often has no symptoms]], so it is called the silent killer.
%%
[[Malaria is spread by the bite of Anopheles mosquitoes]], which feed mostly at night.
%%
[[Anorexia nervosa has the highest death rate of all mental disorders]], Professor Lind said.
%%
[[Colonoscopy is the gold standard for finding polyps]]. Read more about bowel screening.
%%
[[Cystic fibrosis is inherited from both parents]], who are often healthy carriers.
%%
[[Bell's palsy is a sudden weakness of one side of the face]] and is named after Charles Bell.
%%
[[Glaucoma damages the optic nerve]], often because the pressure in the eye is high.
%%
[[Endometriosis can cause pain during periods and during sex]] as well as tiredness.
%%
[[Vitamin B12 is found in meat, eggs and milk]], among other foods.
%%
[[Naloxone reverses the effects of opioids]] by blocking their receptors.
%%
[[Furosemide acts on the loop of Henle]], where it blocks a transporter of sodium, potassium and \
chloride.
%%
[[Lyme disease is caused by Borrelia burgdorferi]] and other species of the same family.
%%
[[Amoxicillin is a penicillin]] and is sold under many brand names.
%%
[[Chest compressions should be 5 to 6 cm deep]] and are given at the centre of the chest.
%%
[[Rheumatoid arthritis{{, a disease of the immune system,}} attacks the lining of the joints]].
%%
[[The liver{{ (Latin: hepar)}} makes bile and stores glycogen]].
%%
[[Insulin{{, discovered in Toronto in 1921,}} lowers the blood sugar]].
%%
[[Patients with sickle cell disease{{, like all people without a working spleen,}} should be \
vaccinated against pneumococci]].
%%
[[Lithium{{ [4]}} is the most effective drug to prevent mania]].
%%
[[Clozapine can cause agranulocytosis{{, as was first noticed in Finland in 1975}}, so blood \
counts are checked every week at first]].
%%
[[Digoxin{{, which comes from the foxglove,}} slows the heart rate in atrial fibrillation]].
%%
[[Diabetic foot ulcers{{ are common and}} heal slowly]].
%%
[[Coeliac disease{{, also called sprue,}} is treated with a diet free of gluten]].
%%
[[The mitral valve{{, so named for its shape,}} lies between the left atrium and the left \
ventricle]].
%%
Common side effects are:
- [[dizziness]]
- headache
- [[tiredness]]
%%
Symptoms of appendicitis include:

• [[pain that moves to the lower right of the belly]]
• loss of appetite
• fever
%%
Who should be vaccinated

- [[pregnant women in any trimester]]
- people over 65
%%
How to use your inhaler:
1. Shake it.
2. [[Breathe out gently and place the mouthpiece between your lips]]
3. Press and breathe in.
%%
Key points
* [[Asthma cannot be cured but can be controlled]]
* Inhaled steroids are the basis of treatment
%%
Drug | Dose | Route
Ceftriaxone | 2 g once daily | IV
[[Doxycycline | 100 mg twice daily]] | oral
%%
Risk factors for osteoporosis:
- age
- [[long-term use of glucocorticoids]]
- low body weight
%%
Treatment
[[Rest, ice, compression and elevation]]
Recovery takes two weeks.
%%
[[A stroke is a medical emergency]], and every minute counts.
%%
[[Pulmonary embolism is a blockage of an artery in the lung]] by a clot that has travelled there \
from the legs.
%%
[[Cholera causes profuse watery diarrhoea]] resembling rice water.
%%
[[Most kidney stones consist of calcium oxalate]], followed by calcium phosphate and uric acid.
%%
[[Hand, foot and mouth disease is caused by enteroviruses]], most often coxsackievirus A16.
%%
[[Alzheimer's disease is the most common cause of dementia]], accounting for 60 to 70 per cent \
of cases.
%%
[[Thiazides can raise the level of uric acid]] and so bring on gout.
"""

CHANGED_LATER = """
Patients often ask whether [[garlic lowers the blood pressure]].
%%
The jury is still out on whether [[omega-3 capsules prevent heart attacks]].
%%
The inspectors dismissed the company's statement that [[the implant lasts a lifetime]].
%%
An earlier edition of this leaflet said that [[the tablets may be taken with alcohol]].
%%
In the laboratory, [[curcumin kills tumour cells]].
%%
In women who are not pregnant, [[a single dose of 3 g is enough]].
%%
Except in an emergency, [[a consent form must be signed]].
%%
Very few [[people with a penicillin label have a true allergy]].
%%
Just 3 of the 70 [[children had a second seizure]].
%%
Below 28 weeks, [[steroids are given to the mother]].
%%
Provided the kidneys work normally, [[the full dose can be used]].
%%
It would be a mistake to conclude that [[screening saves lives]].
%%
We could not confirm the earlier finding that [[zinc shortens a cold]].
%%
[[Give 0.5]]–1 mL/kg of urine output as the target.
%%
[[The half-life is 12]] to 15 hours in adults and twice that in newborns.
%%
[[Infuse at 10 mL/h]] for the first hour, then at 100 mL/h.
%%
[[The course costs £40]] million a year to the health service.
%%
[[The relative risk was 1.4]] (95% CI 0.8–2.3).
%%
[[Pain fell by 2.1 points with the injection]], compared with 2.0 points with saline.
%%
[[Survival at five years is 90%]] for stage I and 15% for stage IV.
%%
[[Take one capsule]] every other day.
%%
[[Drink 2 litres of water a day]] unless your doctor has told you to limit fluids.
%%
[[Exercise is safe after a stent]], as long as the wound has healed.
%%
[[The lens can be worn overnight]] if it is made of silicone hydrogel.
%%
[[Warfarin can be restarted]] no sooner than 24 hours after the procedure.
%%
[[Babies can have cow's milk]] from 12 months.
%%
[[The mother may breastfeed]] except while her nipples are cracked and bleeding, if she has \
hepatitis C.
%%
[[Ibuprofen is fine in asthma]] for those who have taken it before without trouble.
%%
[[Amiodarone is effective]], but its toxicity limits its use to patients in whom other drugs \
have failed.
%%
[[No dose change is needed in mild liver disease]]; in severe disease the drug is contraindicated.
%%
[[Antibodies protect against reinfection]] for about three months.
%%
[[The rash needs no treatment]] in most cases.
%%
[[The new antibody slowed the decline]] by an amount that few patients would notice.
%%
[[Chiropractic relieved back pain]] as much as a sham treatment did.
%%
[[Gabapentin works in neuropathic pain]] but not in sciatica.
%%
[[Finasteride prevents prostate cancer]], although the tumours that do occur are more aggressive.
%%
[[The test detects all cancers]] larger than 2 cm.
%%
[[Children are immune]] was the prevailing but mistaken view.
%%
[[Hormone therapy protects the heart]] – or so observational studies suggested before the trials.
%%
[[Cough medicines work]], say those who sell them.
%%
[[The vaccine prevents infection]] in ferrets.
%%
[[Methotrexate should be taken daily]] by nobody.
%%
[[Steroid eye drops can be used for red eyes]] only after herpes has been ruled out.
%%
[[Fluoroquinolones {{should not }}be used for simple cystitis]].
%%
[[Adults {{under 40 }}need an ECG before surgery {{only if they have symptoms}}]].
%%
[[Tramadol {{is weaker than morphine and }}causes seizures {{in overdose}}]].
%%
[[The drug lowered cholesterol {{but failed to lower deaths }}in the trial]].
%%
You should not take aspirin if:
1. [[you have a stomach ulcer]]
2. you are under 16
%%
Exclusion criteria

- [[age over 75 years]]
- dementia
%%
What does not help

• [[Vitamin C tablets]]
• Antibiotics
"""

SAME_LATER = """
The guideline states that [[all women with a positive test should be offered colposcopy]].
%%
Importantly, [[the pain of a heart attack may be felt in the jaw]].
%%
In our hospital, [[hip fractures are operated on within 36 hours]].
%%
Since 2006, [[the human papillomavirus vaccine has been given to more than 100 million girls]].
%%
As a result, [[the skin becomes thick and dark]].
%%
Doctors now know that [[most ulcers are caused by Helicobacter pylori]].
%%
This means that [[the virus can be passed on before a rash appears]].
%%
Results: [[The mean hospital stay was 4.2 days]].
%%
In other words, [[the immune system attacks the body's own joints]].
%%
Also called the kissing disease, [[glandular fever is caused by the Epstein–Barr virus]].
%%
Named after a Norwegian doctor, [[Hansen's disease is caused by Mycobacterium leprae]].
%%
Meanwhile, [[the other kidney takes over the work]].
%%
Research confirms that [[hand gel lowers infections on wards]].
%%
It should be noted that [[the rash of measles begins behind the ears]].
%%
To sum up, [[vaccination is the best protection against tetanus]].
%%
[[Whooping cough is caused by Bordetella pertussis]], a bacterium found only in people.
%%
[[The cornea has no blood vessels]] and takes its oxygen from the air.
%%
[[Scabies is caused by a mite]] which burrows into the skin.
%%
[[Bile is made in the liver]] and is stored in the gallbladder.
%%
[[Lead poisoning damages the brain of children]] (Lanphear et al., 2005).
%%
[[Insulin was first given to a patient in 1922]], when Leonard Thompson was 14.
%%
[[Malaria kills more than 600,000 people a year]], most of whom live in Africa.
%%
[[Osteoarthritis is the most common joint disease]]; it often affects the knees, hips and hands.
%%
[[Acne is very common in teenagers]] because hormones increase the production of oil.
%%
[[The eardrum separates the outer ear from the middle ear]]. It vibrates with sound.
%%
[[Albinism is caused by a lack of melanin]], the pigment of skin, hair and eyes.
%%
[[Vaccines train the immune system]] to recognise a germ.
%%
[[Pre-eclampsia is marked by high blood pressure and protein in the urine]], and may lead to fits.
%%
[[Vertigo is the feeling that everything spins]], as after a ride on a merry-go-round.
%%
[[Clopidogrel is a prodrug]] that is activated in the liver by CYP2C19.
%%
[[Cellulitis is a bacterial infection of the skin]], usually caused by streptococci.
%%
[[The thyroid gland sits in the neck]] just below the larynx.
%%
[[Hay fever is an allergy to pollen]]. Antihistamines help most people.
%%
[[Pancreatitis causes severe pain in the upper belly]] that often goes through to the back.
%%
[[The fetus swallows amniotic fluid]], which is mostly its own urine.
%%
[[Sarcoidosis can affect any organ]], but most often the lungs and the lymph nodes.
%%
[[Colour blindness is inherited on the X chromosome]], so it is more common in boys.
%%
[[Ramadan fasting lasts from dawn to sunset]], and patients with diabetes should plan for it.
%%
[[Pneumonia {{(from the Greek for lung) }}is an infection of the lungs]].
%%
[[Leptin{{, a hormone made by fat cells,}} lowers the appetite]].
%%
[[Patients were seen at baseline{{ [7] }}and after one year]].
%%
[[Hereditary haemochromatosis{{, the most common genetic disease in people of northern European \
descent,}} is treated by bloodletting]].
%%
Benefits of breastfeeding:
- [[fewer infections in the baby]]
- [[lower risk of breast cancer in the mother]]
%%
Signs of dehydration

• [[dark urine]]
• a dry mouth
%%
If you do not feel better, try the following:
1. [[Rest in a dark room]]
2. Drink water
%%
Dosage
[[Adults: 500 mg three times a day]]
Children: 250 mg three times a day
"""

SPELT = [
    (
        "The paediatric haematology unit analysed oesophageal tumours in 40 children.",
        "The pediatric hematology unit analyzed esophageal tumors in 40 children.",
    ),
    (
        "Oedema and diarrhoea are common with this medicine.",
        "Edema and diarrhea are common with this medicine.",
    ),
    (
        "Oestrogen levels fall after the menopause, and the labour ward colour code changes.",
        "Estrogen levels fall after the menopause, and the labor ward color code changes.",
    ),
    (
        "The anaesthetist counselled the patient about ischaemic injury.",
        "The anesthetist counseled the patient about ischemic injury.",
    ),
    (
        "Hypokalaemia and hypercalcaemia prolong or shorten the QT interval.",
        "Hypokalemia and hypercalcemia prolong or shorten the QT interval.",
    ),
    (
        "The patient’s “wet” cough — worse at night — cleared in 3–5 days.",
        'The patient\'s "wet" cough - worse at night - cleared in 3-5 days.',
    ),
    ("Give 1 000 mL of saline at 37 °C.", "Give 1 000 mL of saline at 37 °C."),
    ("The ﬁrst-line drug is a ﬂuoroquinolone.", "The first-line drug is a fluoroquinolone."),
    (
        "Patients with pneu\xadmonia were treated at home.",
        "Patients with pneumonia were treated at home.",
    ),
    ("The anti-\ninflammatory effect lasted a day.", "The anti-inflammatory effect lasted a day."),
    (
        "A haemoglobin of 70 g/L is the usual\nthreshold for transfusion.",
        "A haemoglobin of 70 g/L is the usual threshold for transfusion.",
    ),
    (
        "Sjögren’s syndrome dries the eyes and mouth.",
        "Sjogren's syndrome dries the eyes and mouth.",
    ),
    ("The dose was 5 µg per kilogram.", "The dose was 5 μg per kilogram."),
    ("Behçet disease causes ulcers of the mouth.", "Behcet disease causes ulcers of the mouth."),
    ("CO₂ retention causes drowsiness.", "CO2 retention causes drowsiness."),
    (
        "Practise good hand hygiene and randomise the groups.",
        "Practice good hand hygiene and randomize the groups.",
    ),
    (
        "The programme's centre is in the grey building.",
        "The program's center is in the gray building.",
    ),
    (
        "Foetal monitoring and gynaecological care were organised locally.",
        "Fetal monitoring and gynecological care were organized locally.",
    ),
    (
        "Leucocytes and caesarean sections were catalogued.",
        "Leukocytes and cesarean sections were cataloged.",
    ),
    (
        "A low-sodium diet lowers the blood pressure.",
        "A low‑sodium diet lowers the blood pressure.",
    ),
]
"""What a page says, and how it is quoted: no difference."""
