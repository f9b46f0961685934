"""Quotes that are cut, eight sets of 60 and 60 in as many wordings as came to mind: numbers,
bounds, denials, doubts, conditions, exceptions, kinds of people, times, comparisons, and who says
so. A line as in ``tests.cut_quotes``.

Each set was tried before the rule was mended by it; its author knew the rule from the second on.
Told at that first try, of the cuts that change the meaning and of the others: 83 and 2 %, 90 and
2 %, 67 and 2 % (rare wordings, as in the two that follow), 78 and 2 %, 72 and 2 %, 83 and 5 %, 92
and 3 %, 95 and 0 %.
"""

from __future__ import annotations

FIRST_CHANGED = """
|Peak levels are reached after 3| to 12 hours, depending on the brand.
|Mortality fell to 1|.8% after the protocol was introduced.
|About one| third of the carriers never develop stones.
|A loading dose of 5| mg per kilogram is given over 20 minutes.
|The incubation period lasts two| to three weeks.
Up to |40% of carriers become ill within ten years|.
Fewer than |one in ten infants needs ventilation|.
Unless the wound is dirty, |a booster is unnecessary| within ten years of the last.
At least |two negative cultures are needed before isolation ends|.
Roughly half of |patients with sarcoidosis recover without treatment|.
It is not true that |antibiotics shorten a cold|.
Neither trial found that |zinc prevents otitis|.
There is little evidence that |probiotics prevent eczema|.
|Routine imaging is recommended| by none of the current guidelines.
|Steroid injections relieve tennis elbow| for six weeks, but leave patients worse off at one year.
|The vaccine causes autism|, a claim that has been refuted in large cohorts.
The belief that |cracking knuckles causes arthritis| has been refuted.
No one should assume that |a normal ECG rules out a heart attack|.
Rarely does |amoxicillin cause a true allergy|.
|Beta-blockers are dangerous in heart failure|, or so doctors were taught until the 1990s.
If the platelet count is above 50, |lumbar puncture is safe|.
|Breastfeeding may continue| provided the mother takes no more than 10 mg.
|Metformin can be continued| as long as the eGFR stays over 30.
Once the fever has gone, |children may return to nursery|.
|A second biopsy is not needed| unless the margins are involved.
|Patients may drive again| after twelve months without a seizure.
|The catheter can be left in place| when the culture is sterile.
Without treatment, |one in three eyes goes blind|.
|Oxygen should be given| when saturation falls below 90%.
|Surgery is the treatment of choice| should the drug fail.
|All statins are safe with clarithromycin| except simvastatin and lovastatin.
|Live vaccines are allowed|, save for patients under chemotherapy.
|Every patient with a bite needs prophylaxis|, apart from those vaccinated in the past five years.
Except in pregnancy, |doxycycline is the drug of choice|.
|No food is forbidden|; grapefruit is the one exception.
Among men over 75, |screening does more harm than good|.
|Aspirin prevents a first stroke| in women but not in men.
|Hormone therapy lowers the risk of fracture| among those who start before 60.
For patients with mechanical valves, |warfarin remains the only option|.
|Codeine is an effective painkiller| in those who carry a working CYP2D6 gene.
In cultured cells, |curcumin kills melanoma|.
|Isolation is required| until two swabs are negative.
|Thrombolysis is beneficial| within 4.5 hours of onset.
|Nasal decongestants help| for three days at most.
For the first two weeks, |no weight may be put on the leg|.
|Sertraline lowers suicidal thoughts| only after several weeks.
|The implant prevents pregnancy| from the eighth day on.
|Paracetamol relieved pain more| than placebo but less than ibuprofen.
|The new insulin lowers HbA1c as much| as the old one.
Compared with open surgery, |keyhole surgery causes fewer hernias|.
|The risk is twice as high| as in the general population.
|Tablets work as well as injections| in mild disease alone.
|Vitamin C shortens a cold| by half a day on average, or 8%.
It is conceivable that |coffee protects the liver|.
Early reports suggested that |hydroxychloroquine saves lives|; later trials did not confirm it.
|Fish oil prevents dementia|, say its makers.
Some experts suspect that |gluten triggers the disease|.
|Acupuncture may help migraine| no more than sham needles do.
Only in severe cases is |dialysis started at once|.
|Diagnosis requires a rash|, joint pain and a positive test, all three.
"""

FIRST_SAME = """
|Asthma affects about 340 million people worldwide|, according to the WHO.
|Metformin lowers hepatic glucose production| (Rena et al., 2017).
|Iron deficiency is the commonest cause of anaemia| [12].
|Gout is caused by urate crystals in the joints|, as reviewed by Dalbeth in 2021.
|Statins lower LDL cholesterol by 30 to 50%|, and they are taken at night.
|Measles spreads through the air|, and also by touch.
Key points |Hypothyroidism is treated with levothyroxine|.
Overview: |The appendix lies in the right lower abdomen|.
According to NICE, |patients should be offered an annual review|.
|Warfarin is monitored by the INR|, a measure of clotting.
|Sepsis is a medical emergency|, and every hour counts.
|Common side effects are nausea, headache| and dizziness.
|Symptoms include cough, fever|, and fatigue.
|Penicillin was discovered by Fleming in 1928| in London.
|Acute chest pain calls for an ambulance|, preferably one with a defibrillator.
|Colonoscopy is the gold standard for detecting polyps|; it takes about half an hour.
|Type 1 diabetes is an autoimmune disease| in which beta cells are destroyed.
|Migraine is more common in women than in men|, with a ratio of three to one.
|Hepatitis B can be prevented by vaccination|, which has been available since 1982.
|Malaria is transmitted by mosquitoes|, chiefly at dusk and dawn.
In addition, |smoking delays wound healing|.
However, |most cases resolve within two weeks|.
As noted above, |lithium has a narrow therapeutic range|.
Therefore, |blood pressure should be measured at every visit|.
|Depression is treated with psychotherapy, drugs or both|, as described in chapter 4.
|The liver makes bile|, a fluid that helps digest fat.
|Chickenpox causes an itchy rash with blisters|, which crust over after a few days.
|Ibuprofen can cause stomach ulcers| and bleeding.
|Epilepsy affects 50 million people| around the world.
|Dehydration can lead to confusion| and falls, as any nurse knows.
The authors concluded that |exercise improves quality of life|.
The review found that |early mobilisation shortened hospital stay|.
|Exercise improved quality of life|, the authors concluded.
|Kidney stones cause severe pain in the flank|, often with nausea.
|High blood pressure damages the arteries|, the heart and the kidneys.
|Amlodipine is a calcium-channel blocker| used to treat hypertension.
|Insulin is a hormone made in the pancreas| by beta cells.
|Fever is a common sign of infection|, as is a raised pulse.
|The score ranges from 0 to 15| (see Table 2).
|Bacterial meningitis needs antibiotics at once|, because it can kill within hours.
|Clopidogrel is a prodrug|, meaning that it is activated in the liver.
|Hand washing prevents the spread of germs|, so wash your hands often.
|Gallstones often cause no symptoms| and are found by chance.
|The study enrolled 512 adults with COPD| at 14 hospitals in Spain.
|In the trial, ramipril reduced deaths by 22%| (95% CI 14 to 30; p<0.001).
|Dengue fever is spread by Aedes mosquitoes|, like Zika and chikungunya.
|Fatty liver disease is often linked to obesity|, and its prevalence is rising.
|Vitamin D is needed for healthy bones|, teeth and muscles.
2.3 Treatment |Mild acne is treated with benzoyl peroxide|.
Q: How is it treated? A: |Scabies is treated with permethrin cream|.
|Anaphylaxis is treated with adrenaline| injected into the thigh.
Dr Smith, a cardiologist in Leeds, says that |atrial fibrillation raises the risk of stroke|.
|Tuberculosis usually affects the lungs|, but can also affect other organs.
|Naloxone reverses opioid overdose|, and it is sold over the counter in many countries.
|COPD is a progressive disease|, characterised by airflow limitation.
|Thyroid nodules are common|: about half of adults have one.
|Anorexia nervosa has a high mortality|—one of the highest of any psychiatric disorder.
|Glaucoma damages the optic nerve|, usually because of raised pressure in the eye.
Fortunately, |the condition is easy to treat|.
|Rheumatoid arthritis affects the small joints of the hands|, wrists and feet.
"""

SECOND_CHANGED = """
|Adults with suspected meningitis should receive ceftriaxone| before transfer when the journey takes longer than an hour.
|You can stop taking the tablets| one week after your symptoms have cleared.
Provided that potassium is normal, |spironolactone can be started at 25 mg|.
|The median survival was 14|.2 months in the treated arm.
|Side effects occurred in 12|/240 patients given the drug.
|The maximum daily dose is 4| g for adults over 50 kg.
Less than |5% of patients stopped treatment because of nausea|.
As many as |one in five survivors has memory problems|.
Not more than |three injections should be given in a year|.
In none of the trials did |folic acid lower the rate of stroke|.
It has never been demonstrated that |bed rest prevents miscarriage|.
The trial did not show that |early feeding shortens hospital stay|.
|Antibiotics are indicated in acute bronchitis| in very few circumstances.
|Screening for prostate cancer saves lives|, yet no trial has shown lower overall mortality.
|Vitamin E protects the heart|—a hope dashed by large trials.
For decades doctors believed that |stress causes stomach ulcers|.
What used to be taught, namely that |aspirin is safe in children with flu|, is now known to be wrong.
|The patient may be discharged home| if the troponin is negative at three hours.
|Do not take ibuprofen| if you are in the last three months of pregnancy.
|No dose adjustment is needed| in mild hepatic impairment.
In patients whose creatinine clearance is below 30, |the drug is contraindicated|.
|Men should not donate blood| for three months after travel to a malaria area.
|Contact lenses may be worn| fifteen minutes after the drops have been applied.
Assuming normal kidney function, |gentamicin is dosed once a day|.
|A positive test proves infection| in people who were never vaccinated.
|CT is not necessary| in children who score zero.
|The vaccine gives lifelong protection| after two doses, but not after one.
|Alcohol is allowed| in amounts of one glass a day.
|Fluoroquinolones should be used| as a last resort.
|All family members need prophylaxis| with the exception of pregnant women.
|Any antihypertensive may be used in pregnancy| but for ACE inhibitors and ARBs.
|The drug does not interact with other medicines|, warfarin excepted.
|Bathing is permitted|, except in the sea.
|None of the participants died| during the first 30 days.
In girls under five, |a single infection warrants an ultrasound|.
|Bisphosphonates reduce hip fractures| in women with established osteoporosis.
Only in children below two |does otitis need antibiotics|.
|Tamsulosin eases the passage of stones| larger than 5 mm.
|The ban on driving applies| to holders of a lorry licence.
|Beta-carotene raises the risk of lung cancer| in smokers.
Until the cast comes off, |swimming is forbidden|.
|Fasting is required| from midnight until the operation.
|Symptoms improved| during treatment and came back as soon as it ended.
|The effect of the injection lasts| no longer than four weeks.
|Cough may persist| for up to eight weeks.
Within an hour of exposure, |charcoal binds most of the poison|.
|The risk of clots is higher with the pill| than without it but far lower than in pregnancy.
|Surgery was superior| to physiotherapy at one year and no different at five.
|Generic tablets are less effective|, many patients believe.
Relative to non-smokers, |smokers are ten times as likely to die of lung cancer|.
|The drug was more effective in reducing pain| than in restoring function.
It has been suggested that |sugar causes hyperactivity|.
|Cannabis oil may have cured the seizures|, but the child was also given valproate.
Animal studies hint that |caffeine slows Parkinson's disease|.
|Detox diets flush out toxins|, proponents claim.
In theory, |magnesium should prevent pre-eclampsia|.
|Criteria for discharge are a normal temperature|, stable blood pressure and oral intake, all for 24 hours.
|The diagnosis can be made from the history|, the examination and the blood film taken together.
|Give the second injection| at least ten minutes later.
|Blood sugar should be kept between 4| and 7 mmol/l.
"""

SECOND_SAME = """
|Adults with suspected meningitis should receive ceftriaxone|, a third-generation cephalosporin.
|Patients should be weighed at every visit|, as recommended by NICE guideline NG28.
Recommendation 1.4.2 |Offer an annual foot check to people with diabetes|.
|Common adverse reactions include headache|, dizziness, nausea and fatigue.
|Shingles is caused by reactivation of the varicella-zoster virus| (Cohen 2013; Gershon 2015).
|The drug is excreted by the kidneys|, largely unchanged.
Results: |The primary outcome occurred in 84 of 510 patients|.
|Mortality was lower with dexamethasone (22.9% vs 25.7%)|; rate ratio, 0.83; 95% CI, 0.75 to 0.93; P<0.001.
Conclusions. |Dexamethasone lowered 28-day mortality in ventilated patients|.
|Most kidney stones pass on their own|, although this can be painful.
|The knee is the largest joint in the body|, connecting the thigh to the shin.
|Lyme disease is transmitted by ticks|, most often Ixodes ricinus in Europe.
|Symptoms of a stroke include facial droop, arm weakness| and slurred speech.
|Bronchiolitis is most often caused by RSV|, followed by rhinovirus.
|Psoriasis is not contagious|, and you cannot catch it from touching someone.
For example, |grapefruit juice raises the level of simvastatin|.
As a result, |insulin resistance develops|.
In other words, |the test misses one cancer in ten|.
In conclusion, |mindfulness reduced the symptoms of anxiety|.
According to the CDC, |adults need one dose of Tdap vaccine|.
|Lactose intolerance is common in East Asia|, where up to 90% of adults are affected.
|Endometriosis affects about one in ten women of reproductive age|, making it as common as diabetes.
|Cholera is treated with oral rehydration|, which costs a few cents.
|Sickle cell disease is inherited|, with both parents passing on the gene.
|The pain is worse at night|, and it often wakes the patient.
|Diabetes can damage the eyes|, kidneys and nerves.
|Eczema makes the skin dry and itchy|, particularly behind the knees.
|Coeliac disease is triggered by gluten|, a protein found in wheat, barley and rye.
|Patients with asthma should have a written action plan|; see page 12.
|Wash the wound with clean water| and cover it with a dressing.
|Stop smoking| and eat more vegetables.
|Levothyroxine should be taken on an empty stomach|, because food reduces its absorption.
|Parkinson's disease is caused by loss of dopamine neurons| in the substantia nigra.
|HIV attacks CD4 cells|, a type of white blood cell.
|Pneumonia is diagnosed by chest X-ray|, blood tests and sputum culture.
|Osteoporosis is known as a silent disease|, since bone loss causes no pain.
|ACE inhibitors can cause a dry cough|, which affects around 10% of patients.
Figure 3. |Vaccination coverage fell from 95% to 88%|.
|Chronic kidney disease is defined as an eGFR below 60 for three months or more| [KDIGO 2012].
|The committee recommends an ultrasound in the first trimester| (strong recommendation, moderate-quality evidence).
|Swelling of the ankles is a common side effect of amlodipine|, and it is harmless in most people.
|Bell's palsy is a sudden weakness of one side of the face|; most people recover fully.
It is well known that |smoking causes lung cancer|.
Studies have shown that |regular exercise lowers blood pressure|.
The WHO states that |health is more than the absence of disease|.
Remember that |insulin should be kept in the fridge|.
What is gout? |Gout is a type of arthritis|.
Last reviewed: March 2023. |Hay fever is an allergy to pollen|.
|Sunburn increases the risk of melanoma|, says Dr Jane Moore of the skin clinic.
|Obesity raises the risk of osteoarthritis|, the report notes.
|Appendicitis is most common between the ages of 10 and 20|, but it can occur at any age.
|Cirrhosis cannot be reversed|, so it is important to prevent it.
|Dialysis removes waste products from the blood|, doing the work of the kidneys.
|We randomly assigned 120 patients to surgery or physiotherapy| at six centres in Norway.
|Vertigo is a feeling of spinning|, and people often feel sick.
|Scarlet fever mainly affects children under 10|, and outbreaks happen in schools.
|Anaemia in pregnancy is usually due to iron deficiency| or, more rarely, to folate deficiency.
|Iron tablets can turn the stools black| and cause constipation.
|Hypertension is treated with diuretics, ACE inhibitors|, calcium-channel blockers and other drugs.
|An EEG records the electrical activity of the brain| through electrodes on the scalp.
"""

THIRD_CHANGED = """
|Propofol should be avoided| in patients allergic to soya, although the evidence for this is thin.
|Tell the anaesthetist about loose teeth| only if they hurt.
With the first trimester over, |travel by plane is harmless|.
|Colchicine is taken for three months| and allopurinol for life, as long as the kidneys work.
|The half-life of digoxin is 36| to 48 hours.
|Serum sodium should not rise by more than 8| mmol/l in a day.
|Fewer than 2| per 1,000 births are affected.
|The cost of a course is 1|,200 euros.
|Give 0|.5 ml into the deltoid.
|Relapse within five years is seen in 60|–70% of cases.
|The cuff should cover two| thirds of the upper arm.
Just under |half of the nurses had burnout|.
A mere |3% of the swabs grew the organism|.
At most |one child in a thousand has a seizure after the vaccine|.
Not a single |patient developed a stroke|.
Under no circumstances may |potassium be given as a bolus|.
There was no sign that |ginkgo improved memory|.
It would be a mistake to think that |a fever always needs treatment|.
What has been disproved is that |vaccines overload the immune system|.
Doctors no longer hold that |peptic ulcers are cured by milk|.
|Lumbar support belts prevent back pain|, or at least that is what the shop says.
|Arthroscopy relieves osteoarthritis of the knee|, but so does a sham operation.
|Fibrates reduce triglycerides|, without any effect on mortality.
|The tumour marker fell in every patient|, yet all of them died.
|Copper bracelets ease arthritis|: so goes the legend.
|Drinking eight glasses of water a day is necessary|, an idea for which there is no evidence.
|The new antidepressant beats the old one|, if the company's own trial can be trusted.
Given a normal D-dimer, |no scan is needed|.
Supposing the rash blanches, |meningococcal disease is unlikely|.
Where rabies is endemic, |every dog bite calls for vaccination|.
As soon as the swelling is down, |the ankle may bear weight|.
|Insulin may be left out| on days when you do not eat.
|The dose can be doubled| at the discretion of the consultant.
|Heparin is stopped| once the INR has been above 2 for two days.
|Driving is allowed| in the absence of seizures over the past year.
|No antibiotic is given| unless pus is seen.
|Nobody needs to fast| bar those who are to be sedated.
|Honey is suitable for everyone| over the age of one.
|Every fracture of the hip is operated on|, leaving aside patients who are dying.
|Pets may visit the ward|, the intensive care unit excluded.
|Tetracyclines are safe for children| of twelve and older.
|Sildenafil works well| in men without nerve damage.
Of the women with a BRCA1 mutation, |two thirds develop breast cancer|.
In professional divers, |bone necrosis is common|.
When injected into the joint, |hyaluronic acid relieves pain|.
Taken on an empty stomach, |the tablets cause nausea|.
In overdose, |paracetamol destroys the liver|.
|The splint is worn day and night| for the first six weeks, then at night alone.
|Breast milk can be kept in the fridge| for four days.
|Postpone the operation| until the INR is below 1.5.
|The antibody gives protection| for a single season.
For up to a year after the infarction, |flying is discouraged|.
|The pill is safer| than pregnancy.
|Aspirin is just as good| as warfarin for the first month.
|Robotic surgery costs twice as much| as open surgery and achieves the same.
|Lung cancer kills more women| than breast cancer does in some countries.
Some authors assume that |the virus persists in the gut|.
Possibly |the bacterium came from the sink|.
|Red wine is good for the heart|, a vintner writes on his blog.
|The syndrome is defined by fever| plus at least two of the following signs.
"""

THIRD_SAME = """
|Propofol is a short-acting anaesthetic|, milky white in colour.
|Tell the anaesthetist about loose teeth|, crowns and dentures.
|Colchicine has been used against gout since antiquity|, and it is extracted from the autumn crocus.
|The half-life of digoxin is 36 to 48 hours| (Table 3).
|Hyponatraemia can cause seizures| and coma.
|Fewer than 2 per 1,000 births are affected|, the registry reports.
|The deltoid is a muscle of the shoulder|; vaccines are often given into it.
|Relapse within five years is seen in 60–70% of cases|.[4,5]
|Nurses had higher rates of burnout than doctors|, consistent with earlier surveys.
|A febrile seizure usually lasts less than five minutes|, and it looks frightening.
|Potassium must never be given as a bolus|, since it stops the heart.
|Ginkgo did not improve memory| (DeKosky 2008).
|Ulcers are mostly caused by Helicobacter pylori|, a bacterium discovered in 1982.
|Back pain is one of the commonest reasons to see a doctor|, second to the common cold.
|Osteoarthritis of the knee causes pain|, stiffness and swelling.
|Fibrates reduce triglycerides|, as do omega-3 fatty acids.
|The tumour marker CA 125 is raised in ovarian cancer|, endometriosis and pregnancy.
|The body of an adult is about 60% water|, according to physiology textbooks.
|Depression is a common illness|, with more than 264 million people affected.
|The D-dimer test measures a breakdown product of fibrin|, which is formed when a clot dissolves.
|Meningococcal disease can kill within hours|, so do not wait.
|Rabies is almost always fatal once symptoms appear| [WHO 2018].
|A sprained ankle should be rested, iced, compressed and raised|, known as the RICE method.
|Insulin is injected under the skin| of the belly or thigh.
|Heparin was discovered in 1916| by a medical student in Baltimore.
|Epilepsy is diagnosed from the history|, aided by the EEG.
|Abscesses are treated by incision and drainage|, and the wound is left open.
|Honey is made by bees|, and it has been used on wounds for thousands of years.
|A fracture of the hip is usually the result of a fall|, often at home.
|Tetracyclines stain growing teeth|, which is why they are not given to young children.
|Sildenafil was first developed for angina| by chemists at Pfizer in Kent.
|BRCA1 is a tumour suppressor gene| on chromosome 17.
|Divers can suffer from decompression sickness|, also called the bends.
|Hyaluronic acid is found in joints|, skin and the eye.
|Paracetamol overdose damages the liver|, and acetylcysteine is the antidote.
|Breast milk contains antibodies|, and these protect the baby from infection.
|Warfarin acts by blocking vitamin K|, a discovery that came from spoiled clover.
|The respiratory syncytial virus causes bronchiolitis|, chiefly in winter.
|The contraceptive pill was approved in 1960| in the United States.
|Lung cancer is the leading cause of cancer death|, followed by colorectal cancer.
Moreover, |the virus persists in the gut|.
By contrast, |robotic surgery takes longer|.
Consequently, |the sink had to be replaced|.
To summarise, |red wine offers no net benefit to health|.
In this trial, |aspirin did not prevent colorectal cancer|.
On average, |patients stayed in hospital for four days|.
The guideline states: "|All adults should be asked about alcohol|."
Our data show that |early physiotherapy improves mobility|.
It should be noted that |statins are generally well tolerated|.
Doctors now know that |rest makes back pain worse|.
Professor Ana Ruiz, who led the study, said that |the results were encouraging|.
Box 2. Red flags |Unexplained weight loss should prompt referral|.
- Diagnosis: |Coeliac disease is confirmed by biopsy|.
5. |Check the blood glucose before breakfast|.
What you need to know: |Flu vaccines are updated every year|.
|Hearing loss affects one in six adults|. Source: RNID.
|The rash of measles starts behind the ears|, then spreads to the body.
|Bronchodilators open the airways| by relaxing the muscles around them.
|Glaucoma is the second leading cause of blindness in the world|, after cataract.
|Patients were followed for a median of 4.2 years|, and only 2% were lost to follow-up.
"""

FOURTH_CHANGED = """
|A cortisone injection may be repeated| up to three times in a year.
|Wait 30| to 60 minutes before eating.
|The infusion runs at 1.5| ml per kilogram and hour.
|Reference values are 135| to 145 mmol/l.
No more than |20 minutes should pass before the first shock|.
As little as |one drop of blood is enough to pass on the virus|.
Well over |half the amputations could be avoided|.
Never |give the first dose at home|.
At no point was |the donor informed|.
There are no grounds for believing that |mobile phones cause brain tumours|.
The myth that |shaving makes hair grow thicker| lives on.
Whoever claims that |cancer is contagious| is mistaken.
The hypothesis that |milk thistle protects the liver| could not be confirmed.
Researchers failed to show that |omega-3 prevents depression|.
It remains to be seen whether |the vaccine prevents transmission|.
Nowhere is it written that |fever must be lowered|.
|Sugar makes children hyperactive|, parents believe; blinded studies say otherwise.
|Cranberry juice prevents cystitis|, as the old textbooks have it.
|Antioxidants slow ageing|; at least, this was once the hope.
|Glucosamine rebuilds cartilage|? The trials say no.
|Leeches draw out the bad blood| was the reasoning in 1830.
|Tonsillectomy reduces sore throats| in the first year, after which the groups no longer differ.
|The new valve lasts longer|, the manufacturer reports.
|Tranexamic acid saves lives in trauma| when given in the first three hours and costs lives after that.
|The test detects 95% of cancers| at the price of one false alarm in three women.
If and only if the culture grows, |a second antibiotic is added|.
In the event of a breakthrough bleed, |the dose is doubled|.
Barring complications, |the stitches come out on day ten|.
Subject to approval by the pharmacist, |the dose may be split|.
Were the child to vomit, |the dose would be repeated|.
|Insulin pumps may be worn while swimming| as long as they are waterproof.
|Carriers need no treatment| so long as they feel well.
|You may eat normally| after the scan but not before it.
|The tube is left in place| pending the result of the X-ray.
|Give a second dose| in case of vomiting within 30 minutes.
|Most moles need no attention|; the exceptions are those that change.
|All vaccines may be given on the same day|, yellow fever and MMR apart.
|Every NSAID raises blood pressure| but aspirin.
|Visitors are welcome at any hour| outside of ward rounds.
|Screening is free of charge| to residents between 50 and 69.
|Iodine tablets are recommended| to anyone younger than 45.
|Peanut should be introduced early| in infants with eczema.
For those allergic to penicillin, |clindamycin is the alternative|.
In carriers of the APOE4 gene, |the antibody caused swelling of the brain|.
Among survivors, |quality of life was good|.
In petri dishes, |garlic kills staphylococci|.
|Smoking is prohibited| within ten metres of the entrance.
|Protection begins| fourteen days after the second dose.
For the 24 hours before surgery, |no alcohol is allowed|.
|The nerve recovers| over twelve to eighteen months, if at all.
|Do not shower| until the next morning.
|The headache lasts| from four hours to three days.
|Liraglutide led to more weight loss| than orlistat but to less than surgery.
|Home births are as safe| as hospital births for second children.
|Nurses detected more falls| than did the sensors.
Unlike morphine, |the new drug does not slow breathing|.
Perhaps |the infection came from the water tank|.
One surgeon speculated that |the mesh had been put in upside down|.
|The diagnosis needs two of three|: typical pain, ECG changes, raised troponin.
|Wash the hands, put on the gown|, and only after that the gloves.
"""

FOURTH_SAME = """
|A cortisone injection can relieve a frozen shoulder|, as shown in several trials.
|Drink plenty of water|, for example two litres a day.
|Reference values are 135 to 145 mmol/l| (adult serum).
|The heart is a muscular pump|, about the size of a fist.
|Defibrillation is the only effective treatment of ventricular fibrillation| (Nolan et al. 2021).
|Hepatitis C is spread through blood|, for instance by shared needles.
|Diabetes is a leading cause of amputation|, worldwide and in Europe.
|The donor was informed in writing| and gave consent.
|Mobile phones do not cause brain tumours|, according to the Danish cohort study.
|Milk thistle contains silymarin|, a mixture of flavonolignans.
|Depression often recurs|, and each episode makes the next more likely.
|Cystitis is more common in women|, because their urethra is shorter.
|Free radicals can damage DNA|, proteins and lipids.
|Cartilage has no blood supply|, which explains why it heals poorly.
|Leeches secrete hirudin|, an anticoagulant used in plastic surgery.
|Tonsillitis is usually caused by viruses|, such as adenovirus and Epstein-Barr virus.
|Aortic stenosis is the commonest valve disease of the elderly|, affecting 3% of people over 75.
|Tranexamic acid inhibits the breakdown of clots| by blocking plasminogen.
|Mammography uses low-dose X-rays|, and the breast is compressed for a few seconds.
|Blood cultures should be taken before antibiotics|, as stated in the sepsis guideline.
|The stitches come out on day ten|, usually at the GP surgery.
|Insulin pumps deliver insulin round the clock|; they are worn on a belt.
|Carriers of the gene are healthy|, and most do not know that they carry it.
|Feeding tubes are checked by X-ray| in the radiology department.
|Most moles are harmless|, brown and round.
|Yellow fever vaccine is a live vaccine|, like MMR.
|NSAIDs raise blood pressure|, as do steroids and the pill.
|Visitors should clean their hands|, using the gel at the door.
|Bowel cancer is the third most common cancer|, after breast and lung cancer.
|Iodine is needed to make thyroid hormones|, namely T3 and T4.
|Peanut allergy is usually lifelong|, in contrast to milk allergy.
|Clindamycin can cause diarrhoea|, nausea and a metallic taste.
|Alzheimer's disease destroys nerve cells|, beginning in the hippocampus.
|Sepsis survivors may have memory problems|, fatigue and low mood.
|Garlic belongs to the genus Allium|, together with onions and leeks.
|Passive smoking harms children|, a WHO report says.
|The vaccine is given into the upper arm| by a nurse.
|General anaesthesia makes you unconscious|, so that you feel no pain.
|Bell's palsy affects the facial nerve| just in front of the ear.
|Showers are better than baths after surgery|, since soaking softens the wound.
|Migraine is a common disorder|, with attacks of throbbing headache.
|Orlistat blocks the absorption of fat| in the gut.
|Home births are planned with a midwife|, who brings the equipment.
|Falls are the leading cause of injury in older people|, and one in three falls each year.
|Morphine slows breathing|, and it causes constipation.
|Legionella grows in warm water|, including cooling towers and showers.
|Inguinal hernias are repaired with a mesh|, often through the keyhole.
|A heart attack is diagnosed from pain, ECG changes and troponin|, as described on page 4.
|Gowns and gloves are put on before the visit|. See figure 2.
Interestingly, |left-handed people lived just as long|.
Nevertheless, |the programme was continued|.
Put simply, |the immune system attacks the joints|.
In a nationwide cohort, |coffee drinkers had fewer strokes|.
From 1990 to 2015, |child mortality fell by half|.
In the United Kingdom, |ambulance calls are free|.
As expected, |weight loss improved sleep apnoea|.
The investigators report that |adherence was high|.
We found that |nurses washed their hands more often than doctors|.
Chapter 7: Burns |Cool the burn under running water for 20 minutes|.
Did you know? |Your skin renews itself every four weeks|.
"""

FIFTH_CHANGED = """
|Clozapine requires a blood count every week| for eighteen weeks and every month from then on.
|Nitroglycerin can be repeated after 5| minutes.
|A body mass index of 18|.5 marks the lower end of the healthy range.
|The antivenom must be given within 4| to 6 hours of the bite.
|Of 212 women, 40| per cent had a recurrence.
At the very least, |two people should lift the patient|.
In fewer than |10 of 50 countries is the drug available|.
Almost |every child has had rotavirus by the age of five|.
By no means does |a normal X-ray exclude pneumonia|.
Lack of proof notwithstanding, many think that |vitamin D prevents colds|.
It is a common error to suppose that |snake bites should be sucked out|.
No trial to date supports the claim that |reflexology cures asthma|.
|Cutting out dairy cures acne|, an internet rumour that dermatologists reject.
|Prone positioning improves oxygenation|, but whether it saves lives is uncertain.
|Tight glucose control was standard in intensive care| until a trial in 2009 showed that it killed.
|Flecainide suppresses extra beats| yet increases mortality after a heart attack.
Formerly, |babies were put to sleep on their bellies|.
|Mild hypothermia protects the brain|; the latest trial, however, found no effect.
|The patient should lie flat| when a stroke is suspected and the blood pressure is low.
|Calcium gluconate is given| in the presence of ECG changes.
|A urine test is enough| where there are no risk factors.
Supposedly |the new filter removes every virus|.
Assuming that the patient is fasting, |surgery may go ahead|.
In the absence of red flags, |imaging should not be offered|.
|Sutures are unnecessary| for wounds shorter than 2 cm.
|Adrenaline may be used on fingers| in low concentration.
|Take the missed pill at once| if less than 12 hours have gone by.
|All beta-lactams are safe in pregnancy|, with imipenem being the exception.
|No staff member may enter the room| without a fitted mask.
|The lift is closed to everybody| but bed transports.
|Vaccination is open to all| except those with a fever.
|Any contrast agent can be used|, gadolinium excluded.
Save in emergencies, |consent must be given in writing|.
Among night-shift workers, |breast cancer was more frequent|.
In women past the menopause, |low-dose oestrogen relieves dryness|.
|Pneumococcal vaccine is offered| to adults over 65.
|Hip protectors prevent fractures| in nursing homes only.
|Metronidazole cures the infection| in nine cases out of ten.
|The risk of miscarriage doubles| in women over 40.
With a trained dog, |diabetic patients noticed their lows|.
|Wear the stockings| during the day.
|No sport is allowed| until the spleen has shrunk.
Up to the 28th week, |travel by air is allowed|.
|The rash is contagious| from two days before it appears.
|Immunity wanes| after about ten years.
|The statin should be stopped| six weeks before conception.
Over the first three days, |the wound must stay dry|.
|Ketamine acted faster| than the comparator, and wore off sooner.
|Patients on the new drug gained less weight| than those on olanzapine.
|Boys are affected four times as often| as girls.
|Physiotherapy is no less effective| than surgery.
As compared with no treatment, |antibiotics shorten sinusitis by a day|.
Conceivably, |the outbreak began in the kitchen|.
A pilot study of nine patients suggests that |psilocybin relieves depression|.
|Bee venom cures arthritis|, according to a beekeepers' magazine.
|Ozone therapy heals slipped discs|, claims a clinic in Zurich.
|Blood group diets help you lose weight|—so the author promises.
For the diagnosis, |five of nine symptoms are needed|, one of them low mood or loss of interest.
|Switch off the machine|, having first clamped the line.
|Give glucose| and, before it, thiamine.
"""

FIFTH_SAME = """
|Clozapine is an antipsychotic drug|, approved for schizophrenia in 1989.
|Nitroglycerin widens the coronary arteries| and lowers the preload.
|Obesity is defined as a body mass index of 30 or more|, according to the WHO.
|Snake antivenom is made from the blood of horses|, in a process unchanged for a century.
|The recurrence rate was 40 per cent|, in line with earlier reports.
|Two people should lift the patient|, one on each side.
|Rotavirus causes severe diarrhoea|, vomiting and fever.
|Pneumonia is an infection of the lungs|, with cough, fever and breathlessness.
|Vitamin D is made in the skin|, under the influence of sunlight.
|Snake bites should not be sucked out|, because this spreads infection.
|Asthma cannot be cured|, but it can be controlled.
|Acne is caused by blocked hair follicles|, and it is not a matter of poor hygiene.
|Prone positioning improves oxygenation| by recruiting the lungs at the back.
|The NICE-SUGAR trial enrolled 6,104 patients| at 42 hospitals.
|Flecainide is a class Ic antiarrhythmic|, which blocks sodium channels.
|Babies should be put to sleep on their backs|, on a firm mattress.
|A stroke is a medical emergency|: call an ambulance.
|Hyperkalaemia can cause fatal arrhythmias|, hence the need for an ECG.
|Urinary tract infections are common in women|, with half having at least one in their lives.
|The new filter was tested in the laboratory| by an independent team.
|Fasting before surgery prevents aspiration|, that is, food entering the lungs.
|Low back pain is the leading cause of disability| in the world.
|Small wounds can be closed with tissue glue|, a kind of superglue.
|Adrenaline is also called epinephrine|, especially in the United States.
|The pill contains oestrogen and a progestogen|, both made in the laboratory.
|Beta-lactams include penicillins, cephalosporins| and carbapenems.
|Staff must wear a fitted mask| to protect themselves.
|Gadolinium is a rare earth metal|, used as a contrast agent.
|Consent must be given in writing|, and a copy is kept in the notes.
|Breast cancer is the most common cancer in women|, ahead of lung cancer.
|Hot flushes are a typical symptom of the menopause|, as are night sweats.
|Pneumococcal disease kills 300,000 children a year|, most of them in Africa and Asia.
|Hip fractures are painful|, disabling and costly.
|Metronidazole leaves a metallic taste|, and alcohol should be avoided with it.
|Miscarriage is common|: one pregnancy in six ends in it.
|Dogs can be trained to smell low blood sugar|, the charity says.
|Compression stockings prevent swelling|, as gravity pulls fluid into the legs.
|Glandular fever is caused by the Epstein-Barr virus|, one of the herpesviruses.
|Chickenpox is highly contagious|, and nearly everyone gets it as a child.
|Tetanus is caused by a toxin| of Clostridium tetani.
|Statins can harm the unborn child|, therefore women should use contraception.
|Keep the wound dry| so that it heals well.
|Ketamine is used as an anaesthetic|, a painkiller and an antidepressant.
|Olanzapine often leads to weight gain|, which distresses many patients.
|Colour blindness is more common in boys than in girls|, since the gene lies on the X chromosome.
|Sinusitis usually gets better by itself|, normally within two to three weeks.
|The outbreak began in the kitchen|, an inquiry found.
|Depression is treated with talking therapies| such as cognitive behavioural therapy.
|Bee stings can cause anaphylaxis|, a severe allergic reaction.
|Slipped discs usually heal without surgery|, according to the Swiss back pain guideline (2019).
Of note, |all patients survived|.
As mentioned earlier, |the placenta makes progesterone|.
Similarly, |night work disturbs sleep|.
In Sweden, |midwives lead most births|.
At our hospital, |the pharmacist checks every prescription|.
In the placebo group, |three patients died|.
The WHO recommends that |babies be breastfed for six months|.
A Cochrane review found that |compression heals venous ulcers|.
Table 4 shows that |adherence did not differ between groups|.
Advice for parents |Cool the room and offer plenty of fluids|.
"""

SIXTH_CHANGED = """
|Hydroxyurea reduces painful crises| in adults, but data in infants are lacking.
|Chest compressions should be 5| to 6 cm deep.
|The patient is given 2| units of red cells.
|In 19| of 20 cases the cause is benign.
|The drug costs 1|.2 million euros per patient.
|Symptoms appear 7| days or more after the bite.
Barely |a tenth of the injured reached a hospital|.
Fewer |than half of the nurses were vaccinated|.
Not until the 1980s was |the cause discovered|.
None of the experts consulted thought that |the drug was safe|.
We found no proof that |masks harm children|.
It is doubtful whether |a low-salt diet helps in heart failure|.
|Starving a fever| has been shown to be wrong.
|Chelation therapy improves autism|, according to an unpublished survey of parents.
|Early mobilisation reduces pneumonia|, although a subsequent trial could not reproduce this.
|Lobotomy was considered a triumph| until chlorpromazine arrived.
|Vioxx was well tolerated| in trials that hid heart attacks.
|Thalidomide is a harmless sedative|, its advertisement read in 1958.
|Oxygen is good for every heart attack|: this dogma fell in 2017.
|Gastric freezing cures ulcers| – a treatment that was abandoned after a controlled trial.
If there is no radial pulse, |the systolic pressure is below 80|.
Unless allergic, |all patients receive cefazolin|.
|Ventilation can be stopped| if the family and the team agree.
|The needle is left in place| when it has gone through the eyeball.
|Antibiotic prophylaxis is recommended| before dental work in patients with prosthetic valves.
|Potassium is replaced| once the urine flows.
|Skin tests may be omitted| given a clear history.
|The ban can be lifted| on presentation of a medical certificate.
When the tube is blocked, |remove it at once|.
After a negative test, |quarantine ends|.
|All patients with a stoma can swim|, those with a fresh wound excepted.
|Anyone may donate plasma|, other than people with hepatitis.
|The hospital accepts every emergency| bar burns.
|Paracetamol is the painkiller of choice|, save in liver failure.
Except for the thumb, |each finger has three bones|.
|Tramadol must not be used| in children under 12.
|The HPV vaccine is most effective| in people who have not yet had sex.
|Cholesterol should be measured| in everyone over 40.
Among patients with a pacemaker, |two in three may have an MRI scan|.
For kidney donors, |pregnancy carries a higher risk of pre-eclampsia|.
In a mouse model of Alzheimer's disease, |the antibody restored memory|.
In women only, |the gene raised the risk|.
|Botulinum toxin smooths wrinkles| for three to four months.
|The effect on blood pressure wears off| within a few weeks.
|Sleeping tablets should be taken| for no more than two weeks.
|Driving is forbidden| for 24 hours after sedation.
During the first month, |nursing mothers must avoid the drug|.
Until further notice, |the batch must not be used|.
|Patients may drink clear fluids| up to two hours before the operation.
|The new antibiotic cured more patients| than vancomycin did, but the difference was due to chance.
|Dabigatran caused fewer brain bleeds| than warfarin but more from the gut.
|Midwives handle normal births as well| as obstetricians.
|The generic drug is cheaper| than the brand, not worse.
|Women metabolise zolpidem more slowly| than men.
Maybe |the rash is caused by the new soap|.
It is thought that |sarcoidosis is triggered by an infection|.
One theory holds that |appendicitis is due to a lack of fibre|.
In the opinion of the manufacturer, |the device is safe|.
|Three things are needed: a bed|, a monitor and a nurse.
|The score counts age, creatinine| and bilirubin.
"""

SIXTH_SAME = """
|Hydroxyurea is taken by mouth|, once a day as a rule.
|Chest compressions should be 5 to 6 cm deep|, with full recoil between them.
|Red cells are stored in the fridge| for up to 42 days.
|In 19 of 20 cases the cause is benign|, according to a Dutch study of general practices.
|Ticks become infected by feeding on mice|, and they pass the bacterium on to humans.
|The injured were taken to three hospitals| in the capital.
|Influenza vaccination protects staff and patients|, said the chief nurse.
|The cause was discovered in the 1980s|, by Barry Marshall and Robin Warren.
|The drug was taken off the market in 2004|, after 80 million people had used it.
|Masks reduce the spread of droplets|, as laboratory studies show.
|Heart failure means that the heart pumps too weakly|, so fluid builds up in the lungs and legs.
|Autism is a developmental condition|, with a wide range of signs.
|Early mobilisation reduces pneumonia|, the authors report.
|Chlorpromazine was the first antipsychotic|, introduced in 1952.
|Thalidomide caused severe birth defects|, among them missing limbs.
|Peptic ulcers can bleed|, perforate or block the stomach.
|The radial pulse is felt at the wrist|, below the thumb.
|Cefazolin is a first-generation cephalosporin| (see Appendix B).
|Endophthalmitis is an infection inside the eye|, which can lead to blindness.
|Infective endocarditis is a rare disease|, and one in five patients dies of it.
|Potassium is the main cation inside cells|, whereas sodium prevails outside.
|A skin test is read after 15 to 20 minutes|, a positive one showing a weal of 3 mm or more.
|A stoma is an opening in the belly|, made by a surgeon.
|Plasma is the liquid part of blood|, straw-coloured and rich in proteins.
|Burns are graded by depth|: superficial, partial and full thickness.
|Paracetamol has been on sale since 1955|, under names such as Tylenol and Panadol.
|Each finger has three bones|, called phalanges.
|Tramadol is an opioid| that also acts on serotonin.
|The HPV vaccine prevents cervical cancer|, which kills 300,000 women a year.
|High cholesterol rarely causes symptoms|, so people find out by a blood test.
|A pacemaker is implanted under the collarbone|, usually on the left.
|Pre-eclampsia is high blood pressure in pregnancy|, with protein in the urine.
|Alzheimer's disease is the most common form of dementia|, accounting for two thirds of cases.
|Botulinum toxin blocks the release of acetylcholine| at the nerve ending.
|Sleeping tablets are addictive|, and withdrawal is unpleasant.
|Sedation makes you drowsy|, and someone should take you home.
|The batch was recalled|, the regulator announced on Friday.
|Clear fluids include water, black tea| and apple juice.
|Vancomycin is given by infusion|, as it is not absorbed from the gut.
|Warfarin was first used as a rat poison|, in the 1940s.
|Midwives attend most births in the Netherlands|, many of them at home.
|Generic drugs contain the same active ingredient| as the brand, by law.
|Zolpidem is a sleeping tablet|, sold as Ambien in the United States.
|Contact dermatitis is caused by soaps|, metals, perfumes and latex.
|Sarcoidosis is a disease of unknown cause|, marked by granulomas.
|The appendix is a small pouch|, attached to the caecum.
|Wash your hands before you touch the dressing|, using soap and water.
|Sit the patient upright| and loosen tight clothing.
|Call the doctor at once|, on 112 or 999.
|Staff should speak slowly and clearly|, as advised by the RNID.
|Rinse the eye with water| for example under the tap.
In short, |hygiene saves lives|.
By comparison, |the plague killed a third of Europe|.
In the last decade, |deaths from stroke fell by a quarter|.
In Germany, |midwives must be present at every birth|.
As the table shows, |men had more accidents|.
The European Medicines Agency recommends that |the vaccine be given in two doses|.
Experience shows that |most children outgrow their asthma|.
The nurse explained that |the drip would stay in overnight|.
Background |Delirium is common after surgery|.
"""

SEVENTH_CHANGED = """
|Blood pressure should be measured in both arms| at the first visit only.
|Rivaroxaban must be taken with food| at doses of 15 mg or more.
|The screening interval can be extended to 5| or even 10 years after a normal result.
|The overall survival rate at five years was 8|7 per cent.
|Adults need 7| to 9 hours of sleep.
|The pH of arterial blood is kept between 7.35| and 7.45.
|Roughly 1| in 200 carriers develops the disease.
Less than |one per cent of infected people become paralysed|.
Up to |four litres of fluid may be lost per day|.
No fewer than |three sputum samples are needed|.
It is incorrect that |insulin causes blindness|.
Not all |patients with gallstones need an operation|.
Neither the guideline nor the label says that |the drug may be crushed|.
|Antibiotics speed up recovery from sinusitis| in hardly any patient.
|The supplement boosts immunity| is a claim without proof.
|Homeopathy works better than placebo|, its defenders maintain.
|Hormone replacement prevents heart disease|, it was believed before the WHI trial.
|Radical mastectomy was performed on every woman| until smaller operations proved as good.
There was once a consensus that |peanuts should be kept from infants|.
It is not known whether |the drug passes into breast milk|.
|Anticoagulation can be stopped after three months| if the clot was provoked.
|The child may go back to school| as soon as the blisters are dry.
|No follow-up is necessary| provided that the margins are clear.
|Ciprofloxacin should be avoided| unless no alternative exists.
|Take the capsule| when you feel the first signs of an attack.
If pregnancy has been ruled out, |isotretinoin can be started|.
Without insulin, |type 1 diabetes is fatal|.
When taken with alcohol, |metronidazole causes flushing|.
Once symptoms have appeared, |rabies cannot be cured|.
|Hypertension should be treated with drugs| in case lifestyle changes fail.
|All cancers of the skin can be removed by a dermatologist| apart from melanoma.
|Everyone in the household should be treated|, except for infants under two months.
Except in emergencies, |blood is cross-matched before transfusion|.
With the exception of hepatitis B, |no vaccine is given at birth|.
|None of the drugs is safe in pregnancy|, methyldopa being the exception.
In people of East Asian descent, |carbamazepine can cause severe skin reactions|.
|Low-dose aspirin is beneficial| for women at high risk of pre-eclampsia.
|Finasteride promotes hair growth| in men, not in women.
Among children with sickle cell disease, |transfusions prevent strokes|.
|The vaccine is recommended| for people aged 65 and over.
|Exercise lowers blood sugar| in those with type 2 diabetes.
In laboratory animals, |the sweetener caused bladder cancer|.
|Cold packs relieve the pain| during the first two days.
|Fever lasts| no more than three days.
|The contraceptive injection works| for twelve weeks.
Within 24 hours of birth, |all infants should receive vitamin K|.
|Do not drive| for at least a month after the stroke.
|Antibodies can be detected| from the second week of illness.
Until the age of one, |babies should not drink cow's milk|.
|The combination was more effective| than either drug alone.
|Sertraline is as effective| as cognitive behavioural therapy.
|The risk of bleeding was lower| with apixaban than with warfarin.
Compared with non-smokers, |smokers have a higher risk of complications|.
|Symptoms improved faster| than in the placebo group, but not significantly so.
It is possible that |the virus is spread by bats|.
|Coffee may protect against Parkinson's disease|, although the evidence comes from observational studies alone.
Preliminary data suggest that |the drug slows the decline|.
|Acupuncture reduced nausea|, but the trial was not blinded.
Only rarely does |the tumour spread|.
Few |patients regain their sense of smell|.
"""

SEVENTH_SAME = """
|Blood pressure is measured with a cuff|, usually on the upper arm.
|Rivaroxaban is an oral anticoagulant| that inhibits factor Xa.
|Bowel cancer screening uses a stool test|, which looks for hidden blood.
|The overall survival rate at five years was 87 per cent|, the registry shows.
|Adults need 7 to 9 hours of sleep|, according to the National Sleep Foundation.
|The pH of arterial blood is kept between 7.35 and 7.45|, mainly by the lungs and kidneys.
|Polio is caused by a virus|, and it mostly affects young children.
|Cholera causes profuse watery diarrhoea|, vomiting and cramps.
|Tuberculosis is diagnosed from sputum samples| [3–5].
|Insulin does not cause blindness|; high blood sugar does.
|Gallstones are made of cholesterol or bilirubin|, and their size varies from a grain of sand to a golf ball.
|The tablet must not be crushed|, as this destroys its coating.
|Sinusitis is an inflammation of the sinuses|, most commonly after a cold.
|Homeopathy was founded by Samuel Hahnemann| in 1796.
|The WHI trial included 16,608 women|, aged 50 to 79.
|Breast-conserving surgery has replaced mastectomy|, as reported by Fisher et al.
|Peanut butter can be given to infants|, for example thinned with water.
|A pulmonary embolism is a clot in the lung|, often from a vein in the leg.
|Chickenpox blisters itch|, burst and form crusts.
|Melanoma is the most dangerous skin cancer|, causing most deaths from skin cancer.
|Ciprofloxacin belongs to the fluoroquinolones|, like levofloxacin and moxifloxacin.
|Migraine attacks often begin with an aura|, such as flashing lights.
|Isotretinoin harms the unborn child|, so contraception is essential.
|Type 1 diabetes usually starts in childhood|, although it can appear at any age.
|Metronidazole kills anaerobic bacteria| by damaging their DNA.
|Rabies is transmitted by the saliva of infected animals|, mainly dogs.
|Hypertension is often called the silent killer|, because it has no symptoms.
|Scabies is caused by a mite|, Sarcoptes scabiei.
|Blood is cross-matched before transfusion|, and two people check the label.
|Hepatitis B vaccine contains no live virus|, only a protein from its surface.
|Methyldopa has been used in pregnancy since the 1960s|, and its safety record is long.
|Carbamazepine is used for epilepsy and trigeminal neuralgia|, among other conditions.
|Pre-eclampsia occurs in about 5% of pregnancies|, usually after week 20.
|Finasteride blocks the conversion of testosterone| to dihydrotestosterone.
|Sickle cell disease is caused by a mutation in the beta-globin gene|, located on chromosome 11.
|Influenza is more severe in older people|, and vaccination is offered every autumn.
|Exercise lowers blood sugar|, as the muscles take up glucose.
|Saccharin was discovered in 1879|, by accident.
|Apply a cold pack to the ankle|, wrapped in a towel.
|Fever is a rise in body temperature|, a natural defence against infection.
|Vitamin K is injected into the thigh| by the midwife.
|A stroke happens when the blood supply to the brain is cut off|, and brain cells begin to die.
|Antibodies are proteins made by B cells|, which are white blood cells.
|Cow's milk contains little iron|, as does goat's milk.
|Sertraline is a selective serotonin reuptake inhibitor|, commonly known as an SSRI.
|Apixaban is taken twice a day| with or without food.
|Smoking increases the risk of complications after surgery|, for instance wound infection and pneumonia.
|Bats are a natural reservoir of many viruses|, including Ebola and Nipah.
|Parkinson's disease causes tremor, stiffness| and slow movement.
|The trial was registered at ClinicalTrials.gov| (NCT01234567) and funded by the state.
Typically, |the rash begins on the face|.
In general, |children recover faster than adults|.
Worldwide, |malaria kills 600,000 people a year|.
In our study, |adherence improved with text messages|.
According to the latest figures, |one adult in four is obese|.
Evidence shows that |breastfeeding protects against infections|.
Experts agree that |hand hygiene is the most important measure|.
Step 3: |Place the child on its side|.
Summary |Early diagnosis improves the outcome|.
On the other hand, |surgery relieves symptoms quickly|.
"""

EIGHTH_CHANGED = """
|Ondansetron prevents vomiting after chemotherapy| in seven of ten patients.
|Blood cultures grow the organism in 30| to 50% of patients.
|The catheter is changed every 7| days at the latest.
|Wait for 2| full minutes between sprays.
|The half-life is 1|.5 hours in children.
Nearly |one quarter of the samples were contaminated|.
Just one in five |patients takes the drug as prescribed|.
No study has ever shown that |magnet bracelets relieve pain|.
Doctors do not recommend that |children take aspirin for fever|.
It is a myth that |reading in dim light damages the eyes|.
Nothing suggests that |the implant causes cancer|.
The once popular view that |bed rest cures tuberculosis| was abandoned.
|Turmeric prevents cancer|, claims the seller's website.
|Hydrotherapy restores muscle strength|, though the difference was not significant.
|The inhaler improved lung function|, but only in the first week.
|Smokers had fewer cases of the disease|, which was later explained by confounding.
|Steroids are helpful| if given within eight hours of the injury.
|The stoma can be reversed| provided the sphincter works.
If symptoms have lasted less than a day, |antivirals shorten the illness|.
|Start insulin| when HbA1c exceeds 75 mmol/mol.
|No vaccine is needed| unless the wound is dirty.
|Amiodarone can be used| where other drugs have failed.
Unless there is bleeding, |the tampon need not be removed|.
|Patients may eat and drink| once they are fully awake.
|All antiepileptic drugs can be taken while breastfeeding| except felbamate.
|Anyone may visit the ward|, apart from people with a cold.
Other than on the face, |potent steroids may be used|.
|Every newborn is screened|, unless the parents object.
|The vaccine is effective| in adults under 60.
For women who have had a clot, |oestrogen is forbidden|.
|Screening reduces mortality| among heavy smokers aged 55 to 74.
In patients on dialysis, |statins do not lower mortality|.
|Vitamin A reduces deaths from measles| in malnourished children.
In rats, |the sweetener led to tumours|.
|Bed rest is advised| for the first 48 hours.
|Use the ointment| for no longer than seven days.
|Isolation may end| five days after the rash has appeared.
|Protection lasts| for about ten years.
Until the results are known, |no visitors are allowed|.
After the age of 65, |one dose is sufficient|.
|The generic is less expensive| than the original.
|Laparoscopy caused fewer infections| than open surgery, but more bile duct injuries.
|Exercise is as effective| as drugs in mild depression.
|Risk was highest| in those who had smoked for more than 20 years.
|It may be that gluten triggers the symptoms|, although nobody has tested this.
Some researchers believe that |the appendix stores bacteria|.
Possibly, |the infection was caught in hospital|.
There are hints that |the vaccine also protects against dementia|.
|Coffee was linked to lower mortality|, but the study could not prove cause and effect.
Only the wealthy |could afford the treatment|.
Few |studies have looked at long-term harm|.
The drug should not |be stopped abruptly|.
He never |had a seizure again|.
Patients must not |drive after the injection|.
|The operation is successful| in about half of the cases.
|Tamoxifen halves the risk of recurrence| in hormone-receptor-positive tumours.
|Two doses are required|, four weeks apart, for people with HIV.
|Magnesium relieves cramps| no better than placebo.
|Nitrous oxide is safe in labour|, as long as the mother holds the mask herself.
|The hospital is open to visitors| from 2 to 4 p.m. on Sundays only.
"""

EIGHTH_SAME = """
|Ondansetron is an antiemetic|, used mainly after chemotherapy.
|Sepsis is caused by an overwhelming response to infection|, as defined by Sepsis-3 in 2016.
|A urinary catheter is a thin tube| that drains urine from the bladder.
|Nasal sprays deliver the drug to the lining of the nose|, where it is absorbed quickly.
|Contamination of blood cultures is a common problem|, and it leads to unnecessary treatment.
|Non-adherence is widespread|, costing health systems billions of dollars.
|Aspirin should not be given to children with fever|, because of the risk of Reye's syndrome.
|Tuberculosis is caused by Mycobacterium tuberculosis|, a slow-growing bacterium.
|Turmeric contains curcumin|, which gives it its colour.
|Asthma inhalers open the airways|, making it easier to breathe.
|Confounding is a major problem of observational studies| [21, 22].
|Spinal cord injuries often result from road accidents|, falls and sports.
|A stoma is created by bringing the bowel to the surface|, under general anaesthesia.
|Influenza is caused by a virus|, not by bacteria.
|HbA1c reflects the average blood sugar of the past three months|, according to the ADA.
|Tetanus spores live in soil|, dust and manure.
|Amiodarone can damage the thyroid|, the lungs and the liver.
|Toxic shock syndrome is rare but serious|; it was first described in 1978.
|The patient woke up after two hours| in the recovery room.
|Epilepsy drugs prevent seizures| by calming nerve cells.
|Potent steroids can thin the skin|, so they should be used sparingly.
|Newborn screening began in the 1960s| with the Guthrie test.
|The vaccine was approved in 2023|, the agency said in a statement.
|Oestrogen is a female sex hormone|, produced mainly in the ovaries.
|Lung cancer screening uses low-dose CT|, a scan without contrast.
|Dialysis filters the blood|, usually three times a week.
|Measles is one of the most contagious diseases|, spreading through coughs and sneezes.
|Saccharin was the first artificial sweetener|, discovered by accident in 1879.
|Back pain usually gets better within a few weeks|, whatever the treatment.
|The ointment contains hydrocortisone|, a mild steroid.
|Scarlet fever causes a sandpaper-like rash|, a sore throat and a strawberry tongue.
|Tetanus boosters are given every ten years|, as recommended by the CDC.
|The shingles vaccine is given in two doses| in the upper arm.
|Laparoscopy is also known as keyhole surgery|, as it needs only small cuts.
|Depression affects more than 280 million people|, the WHO estimates.
|Smoking is the leading cause of preventable death|, followed by obesity.
|Coeliac disease damages the small intestine|, and it can cause anaemia.
|The appendix is attached to the large intestine|, in the lower right abdomen.
|Hospital-acquired infections prolong the stay|, raise costs and cause deaths.
|Dementia is not a normal part of ageing|, although it mostly affects older people.
|Coffee contains caffeine|, antioxidants and hundreds of other substances.
|Tamoxifen blocks oestrogen receptors| in breast tissue.
|HIV weakens the immune system|, leaving the body open to infection.
|Leg cramps are common at night|, especially in older adults.
|Nitrous oxide is also called laughing gas|, or gas and air.
|Stopping beta-blockers abruptly can be dangerous|, so always talk to your doctor first.
|Epileptic seizures vary widely|, from brief lapses of attention to convulsions.
|The surgeon removes the tumour|, together with a margin of healthy tissue.
|Patients completed a diary every evening| (see Methods).
|Ear infections are more common in children|, whose Eustachian tubes are shorter.
Furthermore, |the drug interacts with alcohol|.
On the whole, |patients were satisfied|.
In 2019, |the trial was extended to Asia|.
By comparison, |the placebo group gained weight|.
In Japan, |stomach cancer is more common than in Europe|.
Research has shown that |walking improves mood|.
The panel agreed that |more research is needed|.
The leaflet explains that |the tablets contain lactose|.
Did you know? |The liver can regrow|.
Results |Pain scores fell in both groups|.
"""

# -- words left out in the middle: a sentence of a page, and the quote ---------------------------

MIDDLE_CHANGED = """
The vaccine should not be given to people who are allergic to eggs.|The vaccine should … be given to people who are allergic to eggs.
Aspirin prevents strokes in women but not heart attacks.|Aspirin prevents … heart attacks.
Patients with mild disease rarely need surgery.|Patients with mild disease … need surgery.
Metformin is safe in all patients except those with severe renal failure and in the elderly.|Metformin is safe in all patients … and in the elderly.
The tablets may be taken with food only if nausea occurs and at night.|The tablets may be taken with food … and at night.
The drug failed to reduce the rate of stroke.|The drug … reduce the rate of stroke.
Steroids may, in a minority of patients, cause psychosis.|Steroids … cause psychosis.
The risk fell from 12 to 9 per cent in men and rose in women.|The risk fell … in women.
Blood thinners are seldom necessary after minor surgery.|Blood thinners are … necessary after minor surgery.
Children under two should never receive honey.|Children under two should … receive honey.
Surgery was no better than physiotherapy at two years.|Surgery was … better than physiotherapy at two years.
The test is unlikely to miss a fracture.|The test is … to miss a fracture.
The dose is 5 mg once a day, or 10 mg in severe cases, for a week.|The dose is … 10 mg … for a week.
Fever without a rash is not a reason to stop treatment.|Fever without a rash is a reason to stop treatment.
Neither zinc nor vitamin C shortened the cold.|… zinc … vitamin C shortened the cold.
"""

MIDDLE_SAME = """
The vaccine, which is made in eggs, should be given every autumn.|The vaccine … should be given every autumn.
Aspirin, also known as acetylsalicylic acid, prevents clots.|Aspirin … prevents clots.
Statins (Smith 2012) lower LDL cholesterol.|Statins … lower LDL cholesterol.
Patients were, on average, 54 years old.|Patients were … 54 years old.
Measles, a viral infection, spreads through the air.|Measles … spreads through the air.
The knee, the largest joint of the body, is often injured.|The knee … is often injured.
Wash your hands with soap and warm water before every meal.|Wash your hands with soap … before every meal.
Symptoms include fever, chills, headache and muscle pain.|Symptoms include fever … and muscle pain.
Insulin, discovered in Toronto in 1921, lowers blood sugar.|Insulin … lowers blood sugar.
Gout, as every doctor knows, is extremely painful.|Gout … is extremely painful.
"""
