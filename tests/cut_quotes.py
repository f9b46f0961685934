"""Quotes that are cut so that they say something else, and quotes that are cut and say the same.

The first of each were written before the rule that they try, the others by people who had not seen
it. Of those four sets, when they were new, 45, 79, 83 and 77 % of the cuts that change the meaning
were told, and 4, 7, 2 and 5 % of the others. Nine more came last, in the words of
guidelines, leaflets, abstracts, labels and encyclopaedias, and from who wrote the rule: 45 and 2 %
by the rule of before; and by the one that reads what the quote itself is, mended after each, 83,
84, 73, 93, 90, 100, 87 and 88 % of the cuts that change the meaning and 13, 10, 8, 13, 15, 13, 3
and 0 % of the others, half of which had no stop at the cut.

A line is a sentence of a page; the quote is what stands between the two bars, so that what was left
out in front and behind can be read.
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
There is no convincing evidence that |vitamin C shortens the common cold in adults| who are otherwise well.
|Patients with gout should avoid all alcohol| during an acute attack, but moderate wine drinking is acceptable between attacks.
It is a common myth that |eating sugar makes children hyperactive|, and several blinded trials have found otherwise.
|Metformin can be continued during contrast imaging| provided that the estimated GFR is above 30 ml/min.
Few of the participants reported that |the hearing aid improved their sleep or mood| at twelve months.
|The vaccine protects against severe disease| for only about three months in people over 80.
|Ibuprofen is safe to take in pregnancy| up to the twentieth week and not at all after the thirtieth.
|Surgery cured the back pain| in none of the eleven patients followed for two years.
Contrary to what was previously believed, it has now been disproved that |bed rest speeds recovery from sciatica|.
|The wound may be left uncovered| once the edges have sealed, usually after 48 hours.
Unless the child is younger than three months, |a fever of 38 degrees can be managed at home|.
Had the study been larger, |the difference in mortality would have reached significance|, the authors speculate.
|The mean hospital stay was reduced by 1|.5 to 2 days in the early mobilisation group.
|Take two tablets every four hours|, but never more than eight tablets in a day.
Critics of the guideline claim that |statins do more harm than good in older people|, a view the panel rejected.
|Women taking the combined pill have a higher risk of breast cancer| than non-users, although this disappears ten years after stopping.
Hardly any |children outgrow a peanut allergy before school age| according to the registry data.
|Antibiotics are recommended for acute bronchitis| only in patients with severe underlying lung disease.
In mice, but so far not in humans, |the compound reversed established liver fibrosis| within eight weeks.
|Most patients can return to work| after six to eight weeks if their job involves no lifting.
The trial failed to show that |acupuncture reduced the frequency of migraine attacks| compared with sham needling.
|Fluoride tablets are no longer recommended| for children who already drink fluoridated water.
|The risk of stroke was lower with the new anticoagulant| than with placebo but higher than with warfarin.
Whether |screening for prostate cancer saves lives| is still a matter of heated debate among urologists.
Rather than |starting insulin straight away|, most people with type 2 diabetes should first try tablets and diet.
|A normal troponin rules out a heart attack| when it is measured at least six hours after the pain began.
|The test detects 95% of infections|, or rather did so in the manufacturer's own unpublished data.
Before 2010 it was usual advice that |infants should not be given egg before their first birthday|.
|Aspirin should not be given to children| under 16 except on the advice of a specialist in Kawasaki disease.
Far from being harmless, |the herbal remedy was free of side effects| only in the advertising of its maker.
|Contact lenses can be worn during treatment| with the preservative-free drops, not with the standard bottle.
It would be wrong to conclude that |moderate drinking protects the heart|, since abstainers often include former drinkers.
|Symptoms usually resolve without treatment| in young women, whereas in men they tend to become chronic.
Some |patients with coeliac disease tolerate pure oats without any problems|, others react even to small quantities.
|The incidence of shingles increased by 40 %| in the first year and returned to baseline in the second.
|Breastfeeding is contraindicated in mothers with hepatitis C| if their nipples are cracked or bleeding, and otherwise encouraged.
|The lump is almost always benign| in girls before menarche; in postmenopausal women it must be assumed malignant.
Doctors used to think that |stomach ulcers were caused by stress and spicy food| until Helicobacter pylori was discovered.
|Children must stay away from nursery| until 48 hours after the last episode of diarrhoea.
|The pooled odds ratio favoured early surgery| with an interval so wide that neither benefit nor harm could be excluded.
Without adequate calcium intake |the drug can strengthen the bones| of osteoporotic women only marginally.
|You do not need a follow-up appointment| if your stitches are dissolvable and the wound looks clean.
Not all |people with psoriasis develop inflammation of the joints|, and those who do often have nail changes.
|Opioids relieved the pain better than paracetamol| at two hours, whereas by day three paracetamol was superior.
The hypothesis that |gluten sensitivity causes depression| has not been tested in any controlled study.
|Tonsillectomy is advised for children with sore throats| seven or more times in a single year.
|The device was accurate in detecting atrial fibrillation|, as long as the wearer was sitting still.
Neither the parents nor the teachers noticed that |the children on medication were more attentive in class|.
|Swimming is allowed with grommets|, diving and jumping into the pool are not.
Of those who responded at all, |80% were satisfied with their knee replacement| one year later.
|An MRI scan is necessary in patients with low back pain| who have saddle numbness or new bladder problems.
|Half of all miscarriages can be prevented|, one private clinic asserts on its website without giving any source.
It is too early to say that |gene therapy has cured the boys with haemophilia|.
|Thyroid hormone should be taken with breakfast|, some leaflets say, which is incorrect because food impairs absorption.
|Beta blockers are harmful in heart failure| that is acutely decompensated, and life-saving once it is stable.
Only after a second negative swab may |the patient be moved to an open ward|.
|Relapse occurred in fewer than 10| out of every 12 patients who stopped the drug abruptly.
|The cream prevents stretch marks in pregnancy| no better than simple massage with water.
If it were true that |mobile phones cause brain tumours|, the incidence would have risen since the nineties.
|Vegetarians have weaker bones than meat eaters| when their calcium intake is low; with enough calcium no difference exists.
|Adults with asthma should use a long-acting beta agonist| always together with an inhaled steroid.
The minister denied that |the hospital's mortality had risen after the merger|.
|Cranberry juice reduced urinary infections by a quarter| in women with recurrences and by nothing in catheterised patients.
|We found a strong association between night work and breast cancer|, which vanished after adjustment for alcohol and parity.
Nobody in the control arm, and just one person on treatment, |experienced a complete remission of symptoms|.
|The infection is passed on by kissing|, sharing cups or toilet seats, many people wrongly fear.
|Sleeping pills help with insomnia| for the first two weeks, then lose their effect and cause dependence.
Except in patients with a mechanical valve, |warfarin can be stopped five days before surgery| without bridging.
|Patients should fast before the procedure| from solid food only; clear fluids are permitted until two hours beforehand.
|The fracture heals without a cast| in toddlers but requires fixation in anyone who has stopped growing.
It remains unclear if |long-term use of proton pump inhibitors leads to dementia|.
|Eczema disappeared in three quarters of the infants| by age seven, only to recur in many during adolescence.
|Hormone therapy increases the risk of blood clots| when taken as tablets; patches do not appear to do so.
Little is gained when |elderly patients with mild hypertension take a third drug|, and falls become more frequent.
|The survival rate at five years is 90 per cent| for stage one and under 10 per cent for stage four.
|Teething can cause high fever|, diarrhoea and rashes is what many grandparents still mistakenly tell new mothers.
|Omega-3 capsules lowered triglycerides| by an amount that the reviewers considered clinically irrelevant.
|A gluten-free diet should be started| as soon as, and never before, the biopsy has confirmed the diagnosis.
In theory |probiotics could restore the gut flora after antibiotics|, yet trials have shown delayed recovery.
|Lithium levels need not be checked| more often than every six months in stable patients.
|The nurses washed their hands before every contact| in the observed shifts, and in fewer than half of the unobserved ones.
Under no circumstances should |the tick be removed with oil, glue or a burning match|.
|Smokers had a lower risk of Parkinson's disease|, an observation that may well be due to reverse causation.
|The majority of nodules are cancerous| is a fear that ultrasound can usually dispel, since under 5% are.
|Dialysis can be delayed safely| as long as potassium stays below six and there is no fluid overload.
Patients who believe that |antidepressants change the personality| can be reassured by their doctor.
|Ginkgo improved memory scores in the first analysis|, which was retracted after errors in the randomisation came to light.
|The rash is not contagious| after the blisters have crusted over, generally five days from onset.
Instead of improving, as had been hoped, |kidney function in the intervention group| declined more quickly than before.
|Pregnant women should not eat tuna| more than twice a week because of its mercury content.
|Physiotherapy is as effective as surgery| for degenerative tears, but not for traumatic ones in young athletes.
The new inhaler is anything but |a convenient option for people with arthritic hands|.
|Deaths from overdose fell by a third|, if one trusts the incomplete figures from rural districts.
It is not the cold itself but the dry air indoors that |makes the skin itch in winter|.
|The screening interval can be extended to five years| in women whose HPV test was negative.
|Weight loss of more than 10 kg was achieved| by one in twenty participants, mostly with additional surgery.
Seldom does |a child with a febrile seizure go on to develop epilepsy| in later life.
|Steroid injections give lasting relief from tennis elbow|: true or false? False, because pain is worse at one year.
|Parents of premature babies were told to avoid solids until six months|, advice that has since been withdrawn.
|Daily oral iron raised haemoglobin by 10| to 25 g/L over eight weeks in pregnant women.
|The incubation period of chickenpox is 10| to 21 days after contact with an infected person.
|Symptoms of norovirus usually begin within 12| to 48 hours of swallowing the virus.
|In the trial, mortality fell from 14.2%| to 13.9%, a difference that was not statistically significant.
|Recovery from a hip replacement takes 6| to 12 weeks for most adults in good general health.
|The pooled sensitivity of the rapid antigen test was 6|4.2% in people without symptoms.
|The vaccine protects between 40| and 60% of the people who receive it in a typical season.
|The surgeon removes 1|0 to 15 lymph nodes from the armpit during the operation.
|Adults may take up to 4| tablets in 24 hours, or 8 if a doctor advises it.
|The average blood loss was 1,|200 ml in the group that had an emergency caesarean.
|You must not drive| until your seizures have been controlled for at least one year.
|You can return to work| once you have been free of vomiting and diarrhoea for 48 hours.
|Breastfeeding mothers can take this antifungal| provided that the baby was born at full term and is healthy.
|Children should be given antibiotics| if the ear infection has not improved after three days.
|The cannula can be left in place| as long as the skin around it shows no redness or swelling.
|Stop taking your blood pressure tablets| if you become dehydrated through vomiting or diarrhoea.
|Travellers need a yellow fever certificate| only when they arrive from a country where the disease is present.
|Patients can eat and drink normally| unless they have been booked for a general anaesthetic.
|Offer a statin| when the estimated ten-year risk of cardiovascular disease is 10% or higher.
|A lumbar puncture is safe in these patients| after raised intracranial pressure has been ruled out by imaging.
If kidney function is normal, |metformin can be continued on the day of the scan|.
Unless the wound is heavily contaminated, |a tetanus booster is not needed|.
Only if two first-line drugs have failed |should biological treatment be started for psoriasis|.
Provided the foot is not infected, |a total contact cast can be applied on the same day|.
In the absence of fever, |no further tests are required in this age group|.
There is no evidence that |vitamin C prevents the common cold in the general population|.
It is not true that |the MMR vaccine causes autism in young children|.
Neither |ultrasound nor MRI can reliably detect early scaphoid fractures|.
Do not |give aspirin to children who have a viral infection| such as flu or chickenpox.
The reviewers found no trials showing that |acupuncture shortens labour in first-time mothers|.
Contrary to popular belief, it has never been shown that |cold weather causes pneumonia|.
Patients should never be told that |the procedure is free of risk|, however minor it seems.
We failed to find that |zinc lozenges reduced the duration of sore throat|.
Nothing in these data suggests that |early discharge increases readmission| among patients with heart failure.
It is unlikely that |a single dose of the medicine will harm your unborn baby|.
Few |patients with shingles develop long-lasting nerve pain| before the age of 50.
Fewer than one in ten |women with a breast lump turn out to have cancer|.
Hardly any of the |nurses washed their hands before entering the isolation room|.
None of the |participants treated with the new inhaler needed hospital admission|.
Only a minority of |children with febrile seizures go on to develop epilepsy|.
Some |people with coeliac disease can tolerate pure oats| without any symptoms.
Not all |moles that change colour are cancerous|, but each should be checked by a doctor.
In one of the three centres, |infection rates halved after the new dressing was introduced|.
At most a quarter of |hospital trusts offered psychological support to stroke survivors|.
Up to half of |those infected with Zika virus have a fever and a rash|.
|All vaccines on the schedule can be given on the same day|, except the two live ones that need a four-week gap.
|You can eat any kind of cheese during pregnancy| apart from mould-ripened soft cheese made with unpasteurised milk.
|The drug was well tolerated at every dose| other than the highest, at which four patients had liver injury.
|No patient in the treated group had a stroke| except for two who had stopped their anticoagulant.
|Bathing is allowed straight after the biopsy|, but not until the dressing has been removed.
|Antihistamines are safe for older adults|, with the exception of those that cause marked drowsiness.
|Paracetamol is recommended for everyone with back pain|, excluding people who have severe liver disease.
With the exception of the heart valve group, |patients did not need antibiotics before dental treatment|.
|Screening did not reduce deaths from prostate cancer| during the first seven years, but it did so thereafter.
|About half of asthma patients do not use their inhaler| in the way they were shown by the nurse.
|Steroid eye drops should not be used| for longer than two weeks without review by an eye specialist.
|Do not take ibuprofen| on an empty stomach, because it can irritate the lining.
|You should not lift anything| heavier than a full kettle for the first six weeks after your operation.
|The patients did not lose weight| during the first month, although they lost 5 kg by the end of the year.
|Avoid alcohol| for at least 48 hours after finishing the course of metronidazole.
|The device reduced pain scores| for no more than two hours after each session.
|Nasal decongestant sprays can be used by adults| for a maximum of seven days.
|Folic acid supplements are needed| up to the twelfth week of pregnancy.
|Caffeine is not harmful in pregnancy| at intakes below 200 mg a day.
|Vitamin A increased the risk of birth defects| at doses above 10,000 units daily.
|Patients must lie flat on their back| for the first four hours after the angiogram.
|The effect of the nerve block lasted| less than 30 minutes in most of the volunteers.
|Aspirin reduced the risk of pre-eclampsia| only in women who started it before 16 weeks.
|The new insulin lowered overnight glucose| in mice, but studies in humans have yet to begin.
|Vaccination is recommended| for adults aged 65 years and over and for those with a weakened immune system.
|Tight glucose control increased mortality| among patients who already had advanced heart disease.
|Hormone replacement raised the risk of clots| in women taking tablets but not in those using patches.
|Tranexamic acid improved survival| in the subgroup treated within three hours of injury.
|Codeine should not be given| to children younger than 12 years because of breathing problems.
In premature babies born before 28 weeks, |oxygen saturation targets above 95% caused eye damage|.
Among smokers, |beta-carotene supplements increased the incidence of lung cancer|.
For people who are allergic to penicillin, |doxycycline is the treatment of choice|.
In laboratory cultures, |the compound killed every strain of resistant gonorrhoea|.
In patients with sickle cell disease, |a temperature above 38 degrees is a medical emergency|.
The manufacturer claims that |the wristband detects irregular heartbeats in 99% of users|.
Some parents believe that |teething causes high fever and diarrhoea in infants|.
It was once thought that |stomach ulcers were caused by stress and spicy food|.
It remains uncertain whether |early physiotherapy improves walking after a hip fracture|.
We hypothesised that |probiotics would prevent eczema in infants at high risk|.
It is possible that |mild hearing loss speeds up the onset of dementia|.
The claim that |copper bracelets relieve arthritis| has not been supported by controlled trials.
The idea that |sugar makes children hyperactive| was rejected by every blinded study in the review.
|Green tea extract may lower cholesterol by 15%|, according to one small study that has since been retracted.
|Screening with chest X-ray saved lives in this cohort|, although this finding probably reflects lead-time bias.
|The supplement improved memory|, but the difference disappeared after adjustment for education.
Had the drug been given earlier, |the stroke would have been prevented in most patients|.
|Laparoscopic repair caused more pain| than robotic repair but much less than the open operation.
|Apixaban was no more effective| than warfarin, although it caused fewer bleeds.
|Girls were twice as likely| as boys to report headaches before a school examination.
|Surgery was as effective| as exercise therapy and no better than sham treatment after two years.
|Hospital stay was shorter| by only two hours when the enhanced recovery programme was used.
|The risk of infection with the catheter is lower| than with a central line but higher than with no line.
Compared with no treatment, but not with placebo, |homeopathic drops reduced hay fever symptoms|.
|Treatment with antibiotics alone cured appendicitis in 7|3 of the 100 adults at one year.
Rather than |rest in bed, people with low back pain| should stay active and keep walking.
|You may eat and drink normally| once the numbness in your mouth has completely worn off.
It is a common myth that |teething causes high fever in infants|.
|Lithium can be continued during pregnancy| only if the benefits clearly outweigh the risk to the baby.
There is no convincing evidence that |vitamin C shortens the common cold| in otherwise healthy adults.
|The wound infection rate fell from 12 to 4 per cent|, although the difference disappeared after adjustment for age and diabetes.
Unless your surgeon tells you otherwise, |stop taking clopidogrel seven days before the operation|.
|Antibiotics are not needed after wisdom tooth removal| except in patients with a weakened immune system.
Few of the trials showed that |cognitive training slows the progression of dementia|.
|The recommended dose is 10 to 15| mg per kilogram of body weight every six hours.
Contrary to earlier reports, |the vaccine increased the risk of febrile seizures|, was not confirmed in this cohort.
|Ibuprofen should not be given to babies| under three months of age or weighing less than five kilograms.
Parents often worry that |fluoride varnish damages the enamel of milk teeth|, but studies have not shown this.
|A negative rapid test rules out influenza| in only about half of the patients tested.
If the catheter is blocked and cannot be flushed, |remove it and insert a new one|.
|Sertraline was superior to placebo| at week four but not at the end of the twelve-week study.
Neither |the ultrasound nor the blood test can confirm the diagnosis| nor exclude it with certainty was the view rejected by the panel.
It remains unclear whether |early mobilisation reduces the rate of pneumonia after hip fracture surgery|.
|Do not take this medicine| with grapefruit juice or within two hours of an antacid.
|Mortality was lower in the intervention group|, a finding that the authors attributed to chance.
Hardly any |patients developed a rash after the second injection| of the antibody.
|All pregnant women should be screened for diabetes| who have a body mass index above 30 or a previous large baby.
Rather than |restraining the agitated patient|, staff should first offer a quiet room and talk calmly.
|Children with chickenpox can return to school| when all the blisters have crusted over.
The committee withdrew its earlier advice that |healthy adults take low-dose aspirin every day|.
|The tablets may be crushed|, with the exception of the prolonged-release form, which must be swallowed whole.
Before 2010, |patients were told to fast from midnight before surgery|, a practice now considered outdated.
|Screening reduced deaths from bowel cancer by 15| to 33 per cent, depending on the age group.
Only in patients with proven deficiency does |zinc supplementation improve wound healing|.
|Most adolescents recover fully from a first episode of anorexia|, provided that treatment begins early.
Far from being harmless, |occasional smoking during pregnancy| doubles the risk of placental abruption.
|The nurse may remove the drain| after the surgeon has documented that output is below 30 ml per day.
The hypothesis that |mouthwash alone prevents gum disease| was not supported by the results.
|Metformin does not need to be stopped before contrast imaging| if kidney function is normal.
In mice, but not in humans, |the compound completely prevented the loss of dopamine neurons|.
|Patients did not report more side effects| in the first month, but they did so later in the study.
Some websites wrongly claim that |measles vaccination causes autism|.
|Anticoagulation should be continued for three| to six months after a first provoked thrombosis.
Without a positive biopsy, |the diagnosis of coeliac disease is certain| in children only when antibody levels exceed ten times the normal limit.
|Opioids are effective for chronic low back pain| is a belief that recent trials have called into question.
Had the trial been larger, |the difference in survival would have reached statistical significance|.
|A chest X-ray is not necessary| in every child with wheeze, but it is when a foreign body is suspected.
The authors failed to show that |compression stockings prevent post-thrombotic syndrome|.
Apart from mild headache, |no adverse effects were observed| in the treatment group.
|You can breastfeed while taking this antibiotic| unless your baby was born prematurely or has jaundice.
Less than a third of |nurses washed their hands before every patient contact|.
|Electroconvulsive therapy causes lasting memory loss| according to an older report that has since been retracted.
Nobody should assume that |a normal electrocardiogram excludes a heart attack|.
Should symptoms persist for longer than two weeks, |refer the child to a specialist|.
|The pump must not be switched off| for more than five minutes at a time.
Not all |patients with atrial fibrillation need a blood thinner|.
|Hearing returns to normal within weeks| in about one in ten of those affected.
It would be premature to conclude that |probiotics protect preterm infants against necrotising enterocolitis|.
|Dental implants are contraindicated in patients with diabetes| whose blood sugar is poorly controlled.
Twenty years ago it was thought that |stomach ulcers are caused by stress|.
|The risk of stroke is twice as high| in smokers taking the combined pill as in those who take neither.
Instead of |giving a second dose of adrenaline|, check the airway and call the anaesthetist.
|Intravenous paracetamol was as effective as morphine| for mild pain, though clearly worse for severe pain.
The idea that |people who talk about suicide never attempt it| is dangerous and false.
|Patients may eat and drink normally| only once the gag reflex has returned after the endoscopy.
|You can stop taking the steroid tablets| if your doctor has given you a plan to reduce the dose slowly.
There is no evidence that |vitamin C prevents the common cold in the general population|.
|Ibuprofen can be given to children with fever| except those with chickenpox or dehydration.
It is a myth that |antibiotics shorten the course of a viral sore throat|.
|The vaccine should not be given| to people who have had anaphylaxis after a previous dose.
Few studies have shown that |early mobilisation reduces the risk of pneumonia after hip surgery|.
|The wound can be left uncovered| after 48 hours, provided there is no discharge.
Unless the airway is at risk, |intubation should be delayed until the specialist team arrives|.
|Surgery cured the tinnitus in 80% of patients|, although most of them relapsed within a year.
|The recommended dose for adults is 5 mg| per kilogram of body weight, given once daily.
|Blood pressure fell by 12| to 30 mmHg within the first hour of infusion.
Rarely, |this medicine causes severe liver damage that requires transplantation|.
|Women taking valproate should not become pregnant| without first discussing a change of treatment with a specialist.
The authors failed to demonstrate that |screening lowers mortality from ovarian cancer|.
|Breastfeeding is safe while taking this medicine|, but not when the daily dose exceeds 100 mg.
Contrary to earlier reports, |fluoride varnish did not reduce new cavities in adolescents|, and the trial was stopped early because of poor adherence.
|Do not take more than two tablets| in any 24-hour period.
Neither the rapid test nor |the chest X-ray can exclude tuberculosis in a child|.
|The mesh should be removed| only when infection does not respond to antibiotics.
It remains unclear whether |lithium protects older adults against dementia|.
|Children can go back to school| five days after the rash first appeared.
|The tooth can be saved| if it is put back into its socket within an hour.
|Aspirin reduced heart attacks in men| but not in women or in people with diabetes.
In mice, but not yet in people, |the compound restored hearing after noise damage|.
|Half of the nurses reported no symptoms| of burnout in the first month, though nearly all did by the sixth.
If the potassium is above 6.5 mmol/L, |give calcium gluconate intravenously without waiting for further tests|.
|Antidepressants work no better than placebo| in mild depression, according to this meta-analysis.
It would be wrong to conclude that |the vaccine causes narcolepsy in adults|.
|A normal D-dimer rules out pulmonary embolism| when the clinical probability is low.
|Metformin must be stopped| 48 hours before the scan if kidney function is severely reduced.
Only in patients with a mechanical valve should |warfarin be bridged with heparin before surgery|.
|The mortality rate was 3| per 100,000 live births in the intervention districts.
|Patients with epilepsy must not swim| alone or in open water.
Critics have claimed, without good data, that |electroconvulsive therapy causes permanent brain damage|.
|Paracetamol is harmless to the liver| at normal doses, but an overdose can be fatal.
|Honey should not be given| to infants younger than 12 months.
Far from showing that |a high dose of vitamin E protects against prostate cancer|, the trial found an increased risk.
|Ear drops will clear the infection| unless the eardrum has been perforated.
|The test is positive in 95 %| of infected patients but also in a third of healthy people.
None of the trials reported that |the sealant irritated the gums or loosened the filling|.
|Hormone therapy increases the risk of breast cancer| when it is used for more than five years.
|You may drive after cataract surgery| as soon as you can read a number plate at 20 metres.
Had the sample been larger, |the difference in infection rates would have reached significance|.
|Exercise was not associated with miscarriage|, except for high-impact sports before 18 weeks.
We tested the hypothesis that |children with asthma have more dental erosion than their peers|.
|The incision is closed with staples|, unless it crosses a joint, in which case sutures are preferred.
|Treatment may be stopped after 6| to 12 months without a seizure, depending on the EEG.
|Iron tablets should not be taken| at the same time as tea, coffee or milk.
Do not assume that |a patient who is quiet is free of pain|.
|Radiotherapy can be omitted| in women over 70 with small, hormone-positive tumours.
|The new inhaler halved the number of attacks|, a result that a later and larger study did not confirm.
Although widely believed, the idea that |sugar makes children hyperactive| has been refuted by controlled studies.
|Clozapine is the most effective antipsychotic| for schizophrenia that has not responded to two other drugs.
|The fracture needs no plaster| as long as the fragments have not moved.
Hardly any |patients with a penicillin label are truly allergic when they are tested|.
|A second dose of adrenaline should be given| if there is no improvement after five minutes.
|Mouthwash is as good as flossing|, say the manufacturers, but independent trials disagree.
In the absence of red flags, |imaging is not needed for a new headache|.
|Newborns should not be bathed| during the first 24 hours of life.
|The risk of bleeding doubled| from 0.1% to 0.2%, a difference that was not statistically significant.
Patients often wrongly think that |insulin is a sign that they have failed|.
|Sleeping tablets can be used| for no more than two to four weeks.
|Grapefruit juice must be avoided| with simvastatin but is no problem with pravastatin.
Whether or not |the appendix should be removed in every case| is still a matter of debate.
|The catheter may stay in place| for up to seven days if the site looks clean.
|The committee recommends universal screening for autism at 18 months|, subject to the results of the pilot programme.
Not all |women with gestational diabetes need insulin before delivery|.
|Sertraline reduced anxiety scores significantly| less than cognitive behavioural therapy did.
|The jaw pain disappeared| in only four of the thirty patients treated with splints.
Until the results of the culture are known, |the patient should be nursed in a single room|.
|Children under two should not receive| cough syrups that contain codeine or other opioids.
|Masks did not reduce infections| among the staff who wore them for less than half of their shift.
Without urgent treatment, |the testicle will lose its blood supply and die|.
|Oxygen should be withheld| from patients whose saturation is 94% or higher.
|The lump is almost certainly benign| if it is soft, moves freely and has not grown.
It was once thought that |stomach ulcers were caused by stress and spicy food|.
|Statins lower the risk of stroke|, but whether they do so in people over 80 is uncertain.
|Symptoms improve within two| to three months, and sometimes only after a year.
Apart from those with kidney failure, |patients do not need a lower dose|.
|No deaths were recorded| in the treatment group, compared with two among controls who later proved ineligible.
|The nurse may give the injection| under the direct supervision of a physician.
Instead of |washing the stump with alcohol after each nappy change|, parents should simply keep it clean and dry.
|Tetanus vaccination is not required| when the last booster was given within five years.
Some experts doubt that |chronic Lyme disease exists as a separate condition|.
|Wisdom teeth should be extracted| when they cause repeated infection or decay.
|Contact lenses can be worn overnight| if they are licensed for this and your optician agrees.
The trial was too small to show that |cord clamping at three minutes prevents anaemia|.
|The medicine is approved for adults| with moderate to severe plaque psoriasis who cannot use methotrexate.
|Feeding by tube prolongs life| in motor neurone disease but has no such effect in advanced dementia.
Under no circumstances should |the nasogastric tube be used before its position is confirmed|.
|People with this gene will develop the disease| in about one case out of ten.
|Smokers had a lower risk of Parkinson's disease|, which may simply reflect reverse causation.
Except in an emergency, |a minor cannot be operated on without parental consent|.
|Water fluoridation is linked to lower IQ| at levels more than double the recommended limit.
|Blood pressure fell significantly in the treated group|, and it fell just as much in the controls.
Before the 1990s, |bed rest was advised for acute low back pain|.
|The drug was withdrawn from the market| in two countries and then reinstated after a safety review.
|Physical restraint may be used| as a last resort, when all other measures have failed.
|Melatonin helped the children fall asleep 20 minutes earlier|, yet total sleep time was unchanged.
|Cranberry juice prevents urinary infections|, or so many patients believe.
|The new test detected 95 per cent of cancers|, but also gave a positive result in half of the healthy women.
|Haemoglobin rose significantly in both groups|, and the increase with the iron infusion was no greater than with placebo.
|Methotrexate is taken once a week|, never on consecutive days, for psoriasis and arthritis alike.
|Offer antihypertensive drug treatment to adults under 80 with stage 1 hypertension| who also have target organ damage or established cardiovascular disease.
|Consider an oral corticosteroid| where topical treatment has been tried for eight weeks without success.
|Dabigatran was noninferior to warfarin for stroke prevention| at the 110 mg dose, and inferior at none.
|Do not use this medicine| if you are allergic to sulfonamides or any of the ingredients listed in section 6.
|The primary end point occurred in 9.4% of the patients in the placebo group| and in 9.1% of those given the study drug (P = 0.62).
|Progression-free survival was 11.2 months with the combination|, as against 10.9 months with chemotherapy alone.
|Colchicine prolonged survival in rats| but shortened it in the two primate species examined.
According to proponents of the diet, |ketosis starves tumours of the sugar they need|.
|The lethal dose of caffeine in adults is estimated at 150| to 200 mg per kilogram of body mass.
|Store below 25 °C| until opened; after that, keep the bottle in the refrigerator and use it within 14 days.
|Renal function was preserved|, albeit in fewer than half of the cohort.
|Homeopathy is a system of medicine| regarded as pseudoscientific by scientists and physicians.
|You can take this medicine during pregnancy| – but only in the second trimester.
|The maximum daily dose is 40 mg|; in patients over 60 it is 20 mg.
|Routine imaging is recommended for low back pain|? No: it does more harm than good.
Proponents argue that |fasting resets the immune system|.
It has been suggested that |the virus escaped from a hospital freezer|.
|Lithium reduces suicide| in bipolar disorder, but an effect in other patients has never been demonstrated.
|Treatment can be stopped| two years after the last seizure.
|The mean age was 64| months, and 51% were girls.
|Ondansetron is given as a single dose of 8| micrograms per kilogram in neonates.
|There was a 30% reduction in the relative risk of fracture| (absolute reduction 0.3%).
|Patients taking the drug lost 15% of their weight|, most of which returned within a year of stopping.
|Mild COVID-19 does not impair fertility| as far as can be told from the small studies so far.
The press release, not the paper itself, said that |the pill halves the risk of dementia|.
|Avoid sunlight| while you are using the gel and for one week after.
|Do not drive or use machines| until you know how the tablets affect you.
|Tumour size decreased in all animals| that survived to day 28.
Until the allergy clinic has seen the child, |peanuts and tree nuts should be kept out of the diet|.
|Ivermectin killed the virus in cell culture| at concentrations that cannot be reached in the human body.
|Adults: take one capsule| every other day.
|The vaccine was 94% effective| against severe disease; against infection it was 31%.
In a post hoc analysis, |women benefited more from the stent than men|.
|Antibiotic prophylaxis is recommended before dental treatment| for those with a prosthetic valve.
|The ligament can heal without surgery| provided the ends remain apposed.
If the INR is above 8 and there is no bleeding, |give vitamin K by mouth|.
|Bloodletting was the standard treatment of pneumonia| well into the nineteenth century.
|Most moles never turn into melanoma| in people who have fewer than fifty of them.
|Exercise improved walking distance| over three months, an advantage lost at one year.
|Naloxone reverses respiratory depression| caused by opioids.
|Hepatitis A vaccine gives protection for 1| year; a second dose extends this to 25 years.
|Screening lowered lung cancer mortality| among current and former heavy smokers.
Not one of the 14 trials found that |zinc lozenges prevented colds|.
|The drug may be given to children| weighing more than 30 kg.
|Fluoroquinolones should be reserved| for infections in which no alternative exists.
|Ultrasound can replace CT| in thin patients with typical pain.
A widely repeated but unfounded statement is that |humans use ten per cent of their brains|.
|Consume no more than 14 units of alcohol| a week.
|Serum potassium must be checked| before the first dose and one week later in patients on an ACE inhibitor.
|The operation carries a mortality of 2%| in experienced hands and ten times that elsewhere.
|There were no cases of anaphylaxis| in the 214 people who completed the study.
|Sucralfate is not absorbed| to any clinically relevant degree.
Were resistance to spread, |malaria deaths would double within five years|.
Animal data suggest that |the drug crosses into breast milk|.
|The patch should be worn on the upper arm| for 16 of every 24 hours.
|Hip protectors prevented fractures| in nursing homes though not in the community.
|Patients should receive thrombolysis| within 4.5 hours of the onset of symptoms.
|Vertebroplasty relieved pain| as much as a sham procedure did.
|Bupropion is contraindicated| in people with a history of seizures.
|The median time to relief was 2| hours with the injection.
|Breast milk can be kept at room temperature| for six hours at most.
|Lung function recovered completely| in those who had quit before the age of 35.
|Acupuncture relieved chronic neck pain| in comparison with no treatment, yet not in comparison with sham.
Advocates of raw milk maintain that |pasteurisation destroys its nutritional value|.
|HIV can be transmitted by a human bite| when there is blood in the saliva.
In patients already taking a statin, |the addition of niacin raised HDL cholesterol|.
|Children under 12 should use a booster seat| if they are shorter than 135 cm.
Only a handful of case reports suggest that |the herb damages the liver|.
|Quinine is no longer advised for leg cramps| as a routine treatment.
|Sunscreen need not be reapplied| on cloudy days in winter.
|The risk returns to that of a non-smoker| fifteen years after quitting.
|Peak flow improved by 60| ml per second.
|Aspirin prevents a first heart attack| at the price of as many major bleeds.
|The lesion will heal without a scar| provided it is not picked or scratched.
|Mild hypothermia improved neurological outcome|, a benefit not seen in the larger trial of 2013.
|The mortality of untreated cases is 50%|; with antibiotics it drops to 1%.
It used to be taught that |milk coats the stomach and heals ulcers|.
|The pill is 99% effective| with perfect use.
|Vitamin C levels were normal in all subjects| who had been given supplements.
Without a proper control group, the study claimed that |reflexology cured infertility|.
|Patients should be kept nil by mouth| from midnight, except for clear fluids.
|Eggs may be eaten by people with high cholesterol| in moderation.
|Tamsulosin shrinks the prostate|, many men wrongly assume.
|Beta-agonists are banned in sport| unless inhaled within the permitted dose.
|Rest is best for back pain| was the prevailing doctrine for decades.
At doses used to induce general anaesthesia, |propofol lowers blood pressure|.
|Dogs can smell cancer| with an accuracy that falls to chance outside the laboratory.
|The test is reliable| from the tenth day after conception.
|Corneal grafts survive for twenty years| in one patient out of two.
|Do not crush the tablets|, unless they are the scored 5 mg ones.
|Ask for a second opinion| before agreeing to an amputation.
None of our patients said that |the scar had bothered them|.
|A single dose is enough| against hepatitis A but not against hepatitis B.
|Most cases of croup need no treatment| beyond reassurance.
|Tattoo ink was found in lymph nodes| of four out of six donors.
|Nitrous oxide is safe for the fetus| after the first trimester.
|Oxygen therapy improves survival| in patients with severe hypoxaemia at rest.
|The drug cut hospital admissions by half|, though the trial was not blinded.
|Take one tablet at bedtime| on the days when you do not have dialysis.
|Corticosteroid injections speed recovery from frozen shoulder| in its early, painful stage.
The tabloid reported that |a new vaccine cures peanut allergy|.
|All children should be screened for amblyopia| in whom there is a family history of squint.
|Magnesium sulfate halves the risk of eclampsia|, provided it is begun before the first seizure.
|The tumour can be removed through the nose| if it does not extend beyond the sella.
|Smoking one to four cigarettes a day triples the risk of heart disease| in women.
|The antidote must be given| within eight hours of the overdose.
It is by no means certain that |screening for atrial fibrillation prevents strokes|.
|The patient's creatinine rose from 80| to 210 µmol/L in three days.
|Sulfasalazine controls the disease| in roughly one in three.
|Dosage in renal impairment: 5 mg| every second day.
|Plain X-rays are not needed| to diagnose osteoarthritis of the knee.
|The BCG vaccine protects against tuberculosis meningitis| but hardly at all against tuberculosis of the adult lung.
|Rivaroxaban caused fewer intracranial bleeds| and more gastrointestinal ones than warfarin.
Only one study, with 12 participants, found that |cannabis relieves spasticity|.
|Hair will grow back| unless the follicles have been scarred.
|Ear candles remove wax|, according to their sellers.
|Antibiotics shorten symptoms of sinusitis| by half a day on average.
|Hospital admission is required| when oral fluids are not tolerated.
|This product may be used by breastfeeding mothers| for short periods under medical supervision.
At autopsy, and rarely during life, |cardiac amyloid is found in a quarter of people over 80|.
|Low-dose CT reduces deaths from lung cancer by 20%| compared with chest X-ray.
No one has yet shown that |walking barefoot strengthens the immune system|.
|The survival benefit disappeared| in the per-protocol analysis.
|Warfarin is safe in pregnancy| was once taught; it is now known to harm the fetus.
|The lesions respond to topical imiquimod| in immunocompetent adults.
|Keep the wound dry| for the first 48 hours.
|Statin therapy lowered LDL by 1.8| mmol/L within six weeks.
|Fever without a source in an infant needs no blood test| after the age of three months if the child looks well.
|We found no difference in pain between groups| at rest.
|Ketamine is a first-line drug for depression| is not what our data suggest.
|Paracetamol overdose can be treated at home|? Never.
Rumour has it that |the water supply was poisoned|.
|Loop diuretics cause hearing loss| when given rapidly by vein.
|Rectal bleeding should be investigated by colonoscopy| in anyone over 50.
Subject to approval by the ethics board, |children will receive the gene therapy next spring|.
|Zinc reduced the duration of diarrhoea| among malnourished infants.
|Testosterone gel improves libido| in men whose level is truly low.
|There is enough evidence to recommend ginger| for nausea in pregnancy, though not for nausea after surgery.
Less than one per cent of |snake bites in Europe are fatal|.
|Infants may be put to sleep on their front| while awake and watched.
|Contrast agents are not nephrotoxic| at the doses used today in people with normal kidneys.
|Clonidine can be stopped| gradually over two to four days.
The trial was never designed to show that |the implant prevents strokes|.
|The cumulative incidence was 3 per 1,000| person-years.
|Therapy dogs reduce anxiety in hospitalised children|, a conclusion that rests on two unblinded studies.
|Acupressure bands prevented vomiting| in the unblinded arm alone.
|Women should take folic acid 400 micrograms| daily from before conception until week 12.
|Chest compressions should be interrupted| for no longer than ten seconds.
|Adults should not be prescribed tramadol| together with an SSRI.
|The new catheter reduced infections to one third| of those seen with the old one.
|The hernia does not need repair| so long as it causes no discomfort.
|The drug shrinks uterine fibroids| while it is being taken; they regrow afterwards.
|Yoga lowered blood pressure by 5 mmHg| more than stretching did.
|Ultrasound gel may be shared between patients| if single-use sachets are not available and no invasive procedure is planned.
|The allergic reaction recurred| in two of the ninety who were challenged again.
|The hospital offers dialysis at home| to patients who have a trained carer.
|Vitamin B6 relieves morning sickness|, older textbooks claim, but recent trials found no effect.
|Most strokes are caused by bleeding| in people under 40 with an arteriovenous malformation.
|Sugar-free gum prevents tooth decay| if chewed for twenty minutes after every meal.
It would take far larger trials to establish that |aspirin prevents cancer|.
|A second booster is advised| six months after the first for residents of nursing homes.
|Weight returned to baseline| in the control group.
|Children with a cold can fly| unless they have an ear infection.
|Levodopa remains effective| for about five years.
|Urine may be tested at home| with strips, but the result must be confirmed in the laboratory.
Some claim that |the moon affects epilepsy|.
|The cyst is harmless| as a rule.
|Renal colic pain responds to diclofenac| better than to pethidine.
|Blood thinners are stopped| five days before the operation.
|There is strong evidence for zinc| in acrodermatitis enteropathica.
|A fasting glucose of 7| mmol/L or more means diabetes.
|Beards increase the risk of infection| among surgeons who wear no mask.
|Hearing aids slow cognitive decline|, at least in those already at high risk of dementia.
|Treatment is free| for residents.
Nearly |all patients with haemochromatosis have the same mutation|.
|The mask protects others| rather than its wearer.
|Pertussis vaccine is given in pregnancy| between weeks 16 and 32.
|The tremor disappears| with alcohol.
|Children may go swimming| as soon as the stitches have been removed.
|Wound dressings can be changed at home| if a nurse has shown you how.
It has never been demonstrated that |magnetic bracelets ease arthritis|.
|The screening programme lowered deaths from breast cancer| in women over 50, but not in younger women.
|The dose for children is 10| mg per kilogram every eight hours.
Only when all other treatments have failed |should the colon be removed|.
|Antihistamines are of no use| in the treatment of acute sinusitis.
|The new drug was better tolerated| than the old one at high doses only.
Hardly anyone with |a positive skin test will have a severe reaction|.
|Do not give honey| to babies under twelve months.
|A single dose protects travellers| for up to ten days.
The manufacturer alleges that |its pills melt belly fat|.
|Blood pressure should be treated| once it exceeds 150/90 mmHg in people over 80.
|The bandage may be removed| after 24 hours unless it is soaked with blood.
|The pain was relieved in 80% of patients|, but it returned in most of them within a month.
In vitro, |the extract stopped the growth of prostate cancer cells|.
|About a third of the nurses reported burnout| before the programme and a tenth after it.
|Iron tablets are better absorbed| without food.
We cannot rule out that |the improvement was due to chance|.
|The baby can sleep in your room| but never in your bed.
|Men with a PSA above 3| times the normal value were referred at once.
With the exception of pregnant women, |travellers to the region should be vaccinated against yellow fever|.
|Heart rate fell by 4| beats per minute on average.
|The risk of infection doubled| when the catheter stayed in for more than a week.
|Swallowing the battery is harmless|? Far from it.
|Methadone reduced heroin use|, albeit less than buprenorphine.
|This inhaler should be used every day| during the pollen season.
|Patients over 75 were not treated| with surgery but with radiation.
|Mild hearing loss needs no treatment| if it does not affect daily life.
Supposedly, |the herb was used by the Incas to treat fever|.
|The operation is successful| in the hands of experienced surgeons.
|Both groups lost weight|, though the difference between them was negligible.
|Beta-blockers improve survival| after a heart attack.
Among people who had never smoked, |lung cancer was more common in cooks|.
|Vitamin D supplements prevented fractures| when combined with calcium.
|The kidneys recovered fully| in all but two of the patients.
Neither group |reported any serious side effects|.
|A normal ECG excludes heart failure| with a certainty of only 60%.
|The tube can be taken out| provided that the patient breathes without help.
Some studies suggest that |red wine protects the heart|.
|Vitamin C injections cured the sepsis| of the hospital's own chief, the newspaper wrote.
|Exclusive breastfeeding prevents pregnancy| for six months if periods have not returned.
|Never give aspirin| to anyone under 16.
|The pump delivers insulin| only when the sensor is connected.
|Clopidogrel need not be stopped| before cataract surgery.
It is conceivable that |gut bacteria influence mood|.
|Cataracts can be prevented| in rats by antioxidants.
|The rash goes away| if the drug is stopped.
|Cold sores are infectious| until the scab has fallen off.
|Meningitis can be ruled out by CT| in no circumstances.
If you are older than 65, |have a pneumonia vaccination|.
|The interval between doses is 8| weeks.
|Flu vaccination halves the risk of heart attack| in people who already have heart disease.
|The lump should be biopsied| if it is larger than 1 cm.
Doctors no longer believe that |stress causes ulcers|.
|The procedure is painless| with local anaesthetic.
|Melatonin shortens jet lag| on eastward flights.
|Most people recover| within two weeks, but one in ten goes on to have long-term symptoms.
|Diuretics must not be combined with lithium| without monitoring of its level.
|A second scan was normal| in all but one patient.
|Steroid creams thin the skin| when used for longer than four weeks.
|The abscess must be drained| unless it bursts by itself.
|Children with coeliac disease can eat oats| that are certified free of wheat.
There is a widespread misconception that |antidepressants are addictive|.
|The incidence fell by 30%| in vaccinated districts and rose elsewhere.
|Hydroxyurea prevents painful crises| in adults; its safety in infants has yet to be shown.
|The needle is left in place| for at least ten seconds.
|Weekly methotrexate is safe| as long as blood counts are checked.
|Hormone levels return to normal| after the tumour has been removed.
|Infants under six months should not be given paracetamol| except on a doctor's advice.
|The sensitivity was 95%| for tumours larger than 2 cm.
|Patients with asthma may take aspirin| if they have taken it before without trouble.
Nobody knows whether |the mutation is harmful|.
|Do not stop beta-blockers| abruptly.
|A low-fibre diet is recommended| for the three days before the examination.
|Antivenom is effective| up to 24 hours after the bite.
None of the survivors |had received the vaccine|.
|Ulcers healed in 70% of patients| taking the higher dose.
|The tablets should be taken with food| by patients who feel sick.
Without treatment, |half of the patients die within a year|.
|Alcohol gel kills most germs| but not the spores of C. difficile.
|Maternal deaths have become rare| in rich countries.
|Breast pain needs no investigation| in women under 30 without a lump.
|Early surgery was better than watchful waiting| at two years but not at five.
|Exercise is as effective as drugs| for mild depression.
|The combined pill can be taken continuously| by women who have been advised to do so by a doctor.
|Bariatric surgery cured diabetes in 8| of 10 patients after one year.
|Tight bandages should not be worn| at night.
|Ticagrelor prevented more heart attacks| than clopidogrel at the price of more bleeding.
|You may take antacids with this medicine| if you leave two hours between them.
It cannot be concluded from these data that |the virus weakens over time|.
|The defect closes by itself| in most infants born before 34 weeks.
|Antibiotics are needed for a boil| if there is fever or the redness spreads.
Unlike in adults, |high blood pressure in children usually has an identifiable cause|.
|Hearing was preserved| in the ear that had not been irradiated.
|The drug is given by mouth every 6| to 8 hours.
|Skin tests become unreliable| during treatment with antihistamines.
|Fluid intake should be restricted| to 1.5 litres a day.
Very few |people with a bicuspid valve ever need surgery|.
|Alternative therapies relieve hot flushes|, their practitioners say.
|Naproxen is the safest anti-inflammatory for the heart|, although its advantage was not seen in the largest trial.
|The helmet reduced head injuries by 60%| when correctly fastened.
|Seizures stopped in 12 children| of the 90 who were treated.
|Botulinum toxin relieves spasticity| for three to four months.
|The implant is safe for MRI| up to 1.5 tesla.
|Tablets can be dissolved in water| only immediately before they are taken.
Not until the second trimester |is the scan accurate|.
|Obese patients were excluded| from the first but not from the second part of the study.
|Folic acid does not protect against| recurrent miscarriage.
|Daily aspirin is recommended| for people with stents.
|A dose of 2 g| per day must not be exceeded.
|Ear infections get better without antibiotics| in four out of five children.
Assuming that no patient was lost, |survival was 72% at five years|.
|Breathing exercises helped| as much as an inhaler in mild asthma.
|The new antibody is licensed| in Japan but not in Europe.
|Nebulised saline helps infants with bronchiolitis| who are in hospital.
|The pump must be primed| before it is connected to the patient.
|Amputation is avoided in 85| to 90 per cent of cases by good foot care.
|The injection site may be massaged| only if no heparin was given.
There are no data to support the belief that |cinnamon lowers blood sugar|.
|Tea tree oil cured the nail infection| in a fifth of those who used it.
|Infliximab heals fistulas| for as long as it is continued.
Apart from smokers, |people under 40 rarely get this disease|.
|An operation is not required| provided the bowel is viable.
|The cough usually stops| when the ACE inhibitor is replaced.
|Memantine slowed decline| in moderate but not in mild dementia.
|Patients must stay in bed| until the catheter has been removed.
Scarcely any |child under five needs this vaccine|.
|The antibody test is unreliable| in the first week of illness.
|You can become pregnant| as early as three weeks after giving birth.
|Growth hormone increased height by 4| cm over the first year.
The blogger insists that |fluoride calcifies the pineal gland|.
|Home births are as safe as hospital births| for women who have given birth before.
|The mortality fell|, but so did that of the control hospitals.
|Steroids are harmful in viral hepatitis| except in its autoimmune variant.
|Treatment may begin at once| where the clinical picture is typical.
|A raised troponin does not always mean a heart attack| in patients on dialysis.
If the wound is clean, |antibiotics are unnecessary|.
|Blood tests are repeated monthly| during the first half year only.
|The lens can be removed| 15 minutes after the last drop.
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
Because the liver breaks down most medicines, |people with cirrhosis often need lower doses of painkillers|.
|Chickenpox is caused by the varicella zoster virus|, which belongs to the herpes family.
According to the 2021 European guideline, |all patients with heart failure should be offered annual influenza vaccination|.
|Smoking is the most important cause of chronic obstructive lung disease| [12,13].
In this article we explain why |the pancreas stops making insulin in type 1 diabetes|.
|Regular exercise lowers blood pressure|, and it also improves mood and sleep.
Many people have never heard of it, but |sarcoidosis can affect almost any organ in the body|.
|The cornea has no blood vessels|, so it receives its oxygen from the tears and the air.
Although it is not infectious, |psoriasis often causes embarrassment and social withdrawal|.
|Iron deficiency is the most common cause of anaemia worldwide| (see Table 2 for regional figures).
If you have read our page on hay fever, you will know that |pollen allergy is caused by an overreaction of the immune system|.
|Glaucoma damages the optic nerve|, usually without the person noticing anything at first.
As a rule of thumb taught to every medical student, |the right lung has three lobes and the left has two|.
|Scabies is caused by a tiny mite that burrows into the skin|, and it has nothing to do with poor hygiene.
Only a doctor can make the diagnosis with certainty, but |cluster headaches typically strike on one side around the eye|.
|Measles is one of the most contagious diseases known| and is transmitted through droplets in the air.
A total of 4,212 women were enrolled between 2003 and 2009, and |mortality did not differ between the two groups|.
|Gallstones are more frequent in women than in men|, as several large population studies have confirmed.
The good news is that |most children with absence epilepsy become seizure-free by adulthood|.
|Meningitis is a medical emergency|; do not wait for the rash to appear before calling an ambulance.
Named after the physician who first described it in 1817, |Parkinson's disease is a progressive disorder of movement|.
|Anticoagulants increase the risk of bleeding|, which is why dentists ask about them before pulling a tooth.
Since antibiotics do not work against viruses, |they should not be prescribed for the common cold|.
|The trial was stopped early because of excess deaths in the treatment arm|, the sponsor announced in March.
In conclusion, |cognitive behavioural therapy was superior to waiting list for adults with panic disorder|.
|Folic acid taken before conception prevents neural tube defects|, for instance spina bifida.
Dear parents, please remember that |honey must not be given to babies under twelve months|.
|Rheumatoid arthritis usually begins in the small joints of the hands and feet|, where it causes swelling and morning stiffness.
While the exact mechanism is not yet understood, |lithium reduces the risk of suicide in bipolar disorder|.
|Cataract surgery is normally done under local anaesthesia| and takes about twenty minutes.
|The appendix is a small pouch attached to the large bowel|, and nobody knows exactly what it is for.
Our team, funded by the national research council, showed that |hospital-acquired pneumonia doubled the length of stay|.
|Type 2 diabetes raises the risk of heart attack and stroke|, and it can also harm the kidneys and eyes.
Without going into the details of the biochemistry, |warfarin works by blocking the action of vitamin K|.
|Hip fractures are a major cause of disability in old age|, with costs expected to double by 2040.
First described in Japan, |Kawasaki disease mainly affects children under five years of age|.
|Asthma attacks can be triggered by cold air, exercise or viral infections|, so carry your reliever inhaler with you.
Not surprisingly, |patients who understood their medicines took them more reliably|.
|Tetanus spores are found in soil and animal manure|, among other places.
The disease is rare in Europe, but |malaria still kills hundreds of thousands of people every year|.
|Dehydration is dangerous in infants| because their fluid reserves are small in relation to body weight.
|Migraine affects about one in seven people|, that is, roughly ten million adults in this country.
Before discussing treatment, it should be mentioned that |endometriosis is a chronic condition that cannot be cured|.
|Botulinum toxin relaxes overactive muscles by blocking nerve signals|, a property discovered by accident.
As expected from earlier work (Jansen et al., 1998), |higher doses of the drug caused more nausea|.
|Wash the bite immediately with soap and running water|, then cover it with a clean dressing.
If you have any questions about this, ask your pharmacist, as |grapefruit juice can raise the blood level of some statins|.
|Sickle cell disease is inherited from both parents|, who are themselves usually healthy carriers.
Whatever its cause, |untreated high blood pressure damages the arteries of the kidney|.
|Lyme disease is transmitted by infected ticks|, not by person-to-person contact.
Sadly, no vaccine is available yet; |hepatitis C can nevertheless be cured with tablets in more than 95% of cases|.
|Obstructive sleep apnoea causes loud snoring and daytime tiredness|, both of which partners often notice first.
The authors thank the reviewers for pointing out that |the median age of the cohort was 67 years|.
|Varicose veins are swollen and twisted veins just under the skin|, most often seen on the legs.
|Alcohol withdrawal can be fatal|, and delirium usually sets in two to three days after the last drink.
For the same reason, |live vaccines must not be given to people taking high-dose steroids|.
|Epinephrine is the first-line treatment for anaphylaxis|, whereas antihistamines only relieve the itching.
Like many other autoimmune diseases, |multiple sclerosis is more common in women than in men|.
|Bowel cancer screening reduces deaths from the disease|, as a meta-analysis of four randomised trials shows.
We searched six databases without language limits and found that |no trial had compared the two operations directly|.
|Vertigo is the feeling that the room is spinning|, even when you are not moving.
|Digoxin has a narrow therapeutic window|, a fact that junior doctors sometimes forget.
It may sound odd, but |regular use of headache tablets can itself cause daily headaches|.
|Down syndrome is caused by an extra copy of chromosome 21|, whose presence can be detected before birth.
Besides being expensive, |brand-name drugs contain the same active ingredient as generics|.
|The kidneys filter about 180 litres of fluid a day|, of which 99% is reabsorbed.
When you come to the clinic, the nurse will explain that |the dye used in the scan may make you feel warm|.
|Frailty independently predicted death after surgery in this cohort| (hazard ratio 2.4, 95% CI 1.7 to 3.3, p<0.001).
In a statement issued on Tuesday, the agency confirmed that |the batch had been contaminated with bacteria|.
|Norovirus spreads easily in care homes and on cruise ships|, and alcohol hand gel does not kill it.
Thanks to better treatment of HIV, |people living with the virus now have a near-normal life expectancy|.
|Retinal detachment is painless|, but it needs to be seen by an eye surgeon on the same day.
Above all, |do not stop taking your epilepsy tablets suddenly|, since this can provoke severe seizures.
|Osteoarthritis is the most common form of joint disease|, followed by gout.
Some experts prefer the term functional, but in either case |the symptoms are real and not imagined by the patient|.
|Acute pancreatitis causes severe pain in the upper abdomen|, often radiating to the back, and requires admission to hospital.
Given that the population is ageing, |the number of people with dementia is expected to rise|.
|Newborns receive vitamin K after birth|, because a deficiency could lead to bleeding in the brain.
|Hypothyroidism makes people feel tired, cold and low|; hyperthyroidism, if you were wondering, does the opposite.
Let us recall that |the placenta supplies the baby with oxygen and nutrients|.
|Pressure ulcers develop over bony areas such as the heels|, hips and lower back.
Despite decades of research, |motor neurone disease remains incurable|, and patients die within a few years on average.
|Legionella grows in warm stagnant water|, which explains the outbreaks linked to cooling towers.
Apart from the obvious financial burden, |caring for a relative with dementia often leads to exhaustion|.
|The MMR vaccine does not cause autism|, and the paper that claimed so was withdrawn.
To put it simply, |an aneurysm is a bulge in the wall of a blood vessel|.
|Cystic fibrosis makes the mucus in the lungs thick and sticky|, leading to repeated chest infections.
Until now we have spoken only about adults; |children with appendicitis often have vague symptoms|.
|Carbon monoxide has no smell, colour or taste|, so every home should have an alarm.
|Delirium is common after major operations in older people|, though families are rarely warned about it beforehand.
The registry, which does not include private clinics, is described elsewhere; |rabies is nearly always fatal once symptoms have begun|.
|Low-dose aspirin reduces the risk of pre-eclampsia in women at high risk|.
|Untreated strabismus can lead to permanent loss of vision in the weaker eye|.
|You should not drive for at least 24 hours after a general anaesthetic|.
|Statins are recommended for adults with established cardiovascular disease unless they are not tolerated|.
|There is no evidence that the vaccine affects fertility in men or women|.
|If a dose is missed by less than twelve hours, it should be taken immediately|.
|Only one of the eight trials reported any serious adverse events|.
|Compression stockings did not prevent post-thrombotic syndrome in this placebo-controlled trial|.
|Deep brain stimulation may improve tremor when medication no longer helps|.
|Measles is a highly infectious viral illness|, and it spreads through coughs and sneezes.
|Hand washing reduces the spread of stomach bugs|, so posters have been placed above every sink.
|Gout is caused by crystals of uric acid in the joints|; the word comes from the Latin for drop.
|Smoking doubles the risk of a heart attack| (British Heart Foundation, 2019).
|Whooping cough can be life-threatening in young babies|, which is why vaccination is offered in pregnancy.
|The optic nerve carries signals from the eye to the brain| and is made up of about a million fibres.
|High blood pressure usually has no symptoms|, as explained in the leaflet you were given.
|Rabies is almost always fatal once symptoms appear|; the disease is found on every continent except Antarctica.
|Scabies is spread by close skin contact|, and the mites are too small to see easily.
|Type 1 diabetes is an autoimmune disease| (see chapter four for a fuller description).
|Cataract surgery is usually carried out under local anaesthetic|, and you will be offered a drink afterwards.
|Obesity increases the risk of sleep apnoea|, a condition that also affects concentration and mood.
|Untreated chlamydia can cause infertility in women|, and testing is available at local clinics.
|Rotavirus vaccine is given by mouth|, as a liquid dropped gently into the baby's cheek.
|Meningitis is a medical emergency|, because bacteria can multiply very quickly in the spinal fluid.
|The mortality rate was 4.1% in the control group| and the median length of stay was six days.
|Heart failure affected 920,000 people in the country| (95% confidence interval 890,000 to 950,000).
|Statins lowered LDL cholesterol by 38%| (Table 2), and triglycerides were also measured.
|Cognitive behavioural therapy reduced insomnia severity|, a result consistent with earlier trials.
|Delirium was diagnosed in 31% of the patients|, using a bedside tool designed for nurses.
|Iron deficiency is the most common cause of anaemia|, and a simple blood test will detect it.
|Tuberculosis is caused by a bacterium|, which was first described by Robert Koch in 1882.
|Malaria is transmitted by infected mosquitoes|; these insects bite mainly between dusk and dawn.
|Mumps causes painful swelling of the salivary glands|, giving the face a rounded appearance.
|Warfarin interacts with many other medicines|, including some antibiotics and antifungal tablets.
|Raw shellfish can carry hepatitis A|, and oysters are a well-known example.
|Migraine is more common in women than in men|, and it often runs in families.
|Dehydration is a frequent cause of confusion in older people|; relatives are often the first to notice.
|Physical activity improves mood in people with depression|, and many gyms offer reduced fees.
|Endometriosis can cause severe period pain|, and the hospital has a dedicated nurse you can call.
|The flu vaccine does not contain live virus|, as it is made from inactivated particles.
|Antibiotics do not work against colds|, because colds are caused by viruses.
|Shingles cannot be caught from another person with shingles|, and the rash is usually on one side of the body.
|Head lice are not a sign of dirty hair|; they are found in both clean and unwashed hair.
|Carbon monoxide has no smell|, which makes alarms an important safety measure at home.
|Glaucoma can lead to permanent loss of sight|, and an optician can measure your eye pressure.
|The human papillomavirus causes almost all cervical cancers| (World Health Organization fact sheet, 2022).
|Lyme disease is spread by infected ticks|, which live in woodland, moorland and long grass.
|Hypothermia occurs when body temperature falls below 35 degrees|, and it should be treated as an emergency.
|Anaphylaxis should be treated immediately with adrenaline|, and you should dial 999 for an ambulance.
|All patients completed the six-month follow-up|, and questionnaires were returned by post.
|Eczema makes the skin dry and itchy|, and soothing creams can be bought at a pharmacy.
|Sepsis kills about 48,000 people a year in the UK|, according to the national sepsis charity.
|Kidney stones can cause sudden severe pain| and they are seen more often in hot countries.
|Ebola spreads through contact with body fluids|, such as blood, vomit and sweat.
|The trial recruited 412 adults with chronic cough|, and enrolment was completed in March 2018.
|Osteoporosis weakens the bones|, and it is often discovered after a fall.
|Alcohol raises the risk of mouth cancer|, and further advice is available on our website.
|Gestational diabetes usually disappears after the birth| (your midwife will explain this in more detail).
|Bowel cancer screening saves lives|; the test kit is sent to your home in a plain envelope.
|Blood samples were collected from every participant| by a trained research nurse.
|The patients were assessed for frailty| using a validated nine-point scale.
|The vaccine is injected into the muscle| of the upper arm with a fine needle.
|The tumour was removed completely| through a small incision below the navel.
|Nurses recorded pain scores every four hours| on a paper chart beside the bed.
|A national screening programme for newborn hearing was introduced| in 2006 by the health department.
|The outbreak of salmonella was traced to contaminated eggs| by public health investigators in Norway.
|You will be asked to sign a consent form| at the reception desk in the clinic.
|Your blood pressure will be measured| with a cuff placed around your upper arm.
|The cyst was drained| under ultrasound guidance by an experienced radiologist.
|Participants were randomly assigned to surgery or physiotherapy| by means of a computer-generated list.
|Sixteen hospitals took part in the study| across the north and south of England.
|We searched for randomised trials of compression stockings| in three electronic databases.
|A dietitian will talk to you about your weight| in a private room near the ward.
|The stitches are taken out ten days after the operation| by the practice nurse at your surgery.
|Adherence to treatment was high in both groups| as shown in the second figure of the supplement.
|The heart is scanned| with a probe that is moved gently across the chest.
|Your doctor will take a small sample of skin| in order to examine it under a microscope.
|The hospital banned smoking on its grounds| to protect patients and visitors from smoke.
|Physiotherapists taught the patients breathing exercises| during their weekly visits to the rehabilitation gym.
|Deaths from cervical cancer have fallen by 70%| thanks to the introduction of organised screening.
|Swimming pools should be disinfected regularly| because many germs can survive in warm water.
|Babies should be placed on their back to sleep| since this lowers the risk of sudden infant death.
|The clinical team monitors the baby's heartbeat| by means of two sensors strapped to the abdomen.
|Pharmacists gave each patient a written action plan| during the discharge interview on the ward.
|The data were analysed by intention to treat| with the help of a commercial statistics package.
|Contact lenses should be removed before swimming| as water can carry an amoeba that damages the cornea.
|The virus was identified in bats| by a team of Australian veterinary scientists.
|The guideline committee recommends exercise for knee osteoarthritis| on the basis of 44 randomised trials.
|Polio was eliminated from the Americas| in the early 1990s through mass vaccination.
|Postoperative infections were recorded| in a central database kept by the regional health board.
|The breathing tube was removed the next morning| in the intensive care unit without difficulty.
|Patients with dementia were interviewed| in their own homes by two psychologists.
|Women rated the video consultation as convenient| in a survey sent out by the maternity unit.
Unfortunately, |motor neurone disease gets worse over time|, and support is available from specialist teams.
Overall, |quality of life improved significantly in the exercise group|.
In addition, |secondhand smoke raises the risk of asthma in children|.
As you may already know, |diabetes can damage the small blood vessels of the eye|.
Researchers have confirmed that |lead exposure lowers intelligence scores in children|.
Several large trials have demonstrated that |blood pressure treatment prevents strokes|.
The World Health Organization states that |breast milk is the ideal food for infants|.
It is well established that |asbestos causes mesothelioma|, a cancer of the lining of the lung.
Since it is caused by a virus, |glandular fever does not respond to antibiotics|.
Because the skin of older people is thinner, |pressure sores can develop within hours|.
First described in Scotland in 1906, |the disease affects the nerves that control movement|.
As shown in the third table, |patients in the intervention group walked further than controls|.
To help you prepare for your visit, |the hospital will send you a letter with the date of your operation|.
This systematic review of 23 trials shows that |hip protectors reduce fractures in nursing homes|.
Although it sounds alarming, |a heart murmur is often harmless in children|, and many disappear with age.
In addition, |regular hand washing reduces the spread of norovirus on hospital wards|.
|Rinse your mouth with water after using the steroid inhaler|, as this helps to prevent thrush.
As mentioned above, |warfarin interacts with many commonly used antibiotics|.
|Appendicitis usually begins with pain around the navel|, which then moves to the lower right side.
|Store the insulin pens you are not using in the refrigerator|, for example in the door compartment.
Fortunately, |most febrile convulsions stop by themselves within five minutes|.
|The operation is performed under general anaesthesia| and usually takes about ninety minutes.
According to the current national guideline, |all newborns should receive vitamin K shortly after birth|.
|Clozapine can cause a dangerous fall in white blood cells|, so regular blood tests are required.
For this reason, |children under 16 should not be given aspirin unless a doctor prescribes it|.
|Brush your teeth twice a day with a fluoride toothpaste|, and visit your dentist regularly.
|Scarlet fever is caused by group A streptococci|, the same bacteria that can cause tonsillitis.
Dear patient, please note that |you must not drive for 24 hours after the sedation|.
|Pressure ulcers most often develop over bony areas|, such as the heels, hips and tailbone.
The study, published last spring, found that |smoking cessation before surgery lowered the rate of wound complications|.
|Rotavirus vaccine is given by mouth|, and the first dose is offered at eight weeks of age.
To prevent falls, |keep the bed in its lowest position and the call bell within reach|.
|Type 1 diabetes cannot be treated with tablets alone|, because the pancreas no longer produces insulin.
It is well established that |untreated hypertension increases the risk of stroke|.
|Panic attacks typically peak within ten minutes|, and many people describe a fear of dying.
Like other medicines in its class, |ramipril can cause a persistent dry cough|.
|The gallbladder is removed through small incisions in the abdomen|, a technique known as laparoscopic cholecystectomy.
Moreover, |the sensitivity of the assay was 88 per cent and its specificity 94 per cent|.
|Head lice are spread by direct head-to-head contact|, as often happens when children play together.
Remember: |never share your insulin pen with another person|, even if the needle has been changed.
|Swallow the capsule whole with a glass of water|; the active ingredient is released slowly over the day.
Our results show that |music therapy reduced anxiety before cataract surgery compared with usual care|.
|Croup causes a barking cough and a hoarse voice|, and symptoms are often worse at night.
|Seek emergency help immediately if your face or tongue swells|, since this may be a sign of anaphylaxis.
On the second day after surgery, as planned, |the urinary catheter was removed and the patient passed urine without difficulty|.
|Magnetic resonance imaging does not use ionising radiation|, unlike computed tomography.
Every year in our country, |influenza leads to thousands of hospital admissions among older people|.
|Gum disease begins with inflammation of the gums|, which dentists call gingivitis.
Because it thins the blood, |this medicine can increase bleeding after a tooth extraction|.
|Postnatal depression affects about one in ten mothers|, and it can begin at any time in the first year.
|There was no significant difference in mortality between the two groups at 30 days|, as shown in Table 2.
The World Health Organization states that |infants should be exclusively breastfed for the first six months|.
|Hand, foot and mouth disease usually clears up without treatment in seven to ten days|, and a specific medicine is not available.
Please tell your pharmacist, too, that |you are allergic to penicillin|.
|Alcohol must be avoided while you are taking metronidazole|, because the combination may make you feel very sick.
We therefore recommend that |patients with suspected sepsis receive antibiotics within one hour|.
|Osteoporosis often goes unnoticed until a bone breaks|, most commonly in the wrist, hip or spine.
Researchers from three university hospitals reported that |delirium was associated with a longer hospital stay|.
|Check the position of the feeding tube before every feed|, and record the result in the nursing notes.
|A blood pressure below 90/60 mmHg is generally considered low|, and some people feel dizzy when they stand up.
Also called glue ear, |otitis media with effusion is a common cause of hearing loss in young children|.
|The patch is applied to clean, dry skin on the upper arm or back|, using a different site each time.
In our view, and in that of most experts, |a single elevated reading is not sufficient to diagnose hypertension|.
|Obsessive-compulsive disorder can be treated with cognitive behavioural therapy|, and many patients notice an improvement within a few months.
|Tetanus is not passed from person to person|; the bacteria enter the body through wounds.
As the drug is excreted by the kidneys, |the dose must be reduced in patients with severe renal impairment|.
|Malaria is transmitted by infected Anopheles mosquitoes|, which bite mainly between dusk and dawn.
To sum up, |chlorhexidine bathing did not reduce the rate of bloodstream infections in this trial|.
|Do not put anything in the person's mouth during a seizure|, and stay with them until it has ended.
|Carpal tunnel syndrome is caused by pressure on the median nerve in the wrist|, and women are affected more often than men.
Many people are unaware that |liquorice can raise blood pressure when eaten in large amounts|.
|Asthma inhalers should be used with a spacer in young children|, and your nurse will show you how.
Furthermore, the review confirmed that |nicotine replacement therapy increases the chance of quitting smoking|.
|Cataract is a clouding of the lens of the eye|, and it usually develops slowly over several years.
|Human papillomavirus vaccination is offered to girls and boys|, in most schools through a visiting nurse.
|Wash your hands with soap and water|, and dry them with a clean towel.
In our department, |hip replacement is usually performed under spinal anaesthesia|, and most patients go home on the third day.
|Asthma is a long-term condition of the airways|; it affects around eight million people in the country.
As the figure shows, |smoking rates among pregnant women have fallen steadily since 2005|.
|Amoxicillin is an antibiotic of the penicillin group| (see section 6 for the list of other ingredients).
Founded in 1998, the registry shows that |knee replacements have become more common in every age group|.
|The most common side effects are nausea and headache|, which are listed in the table below.
Please remember that |you should bring all your medicines with you to the hospital|.
|Depression is a common mental disorder|, and the World Health Organization has published a fact sheet about it.
|Measles spreads very easily through the air| when an infected person coughs or sneezes.
|Store the vaccine in a refrigerator between 2 and 8 degrees|, in the original carton.
According to the national guideline, |adults with type 2 diabetes should have their feet examined every year|.
|Brush your teeth twice a day with fluoride toothpaste|, ideally in the morning and last thing at night.
|The appendix is a small pouch| attached to the beginning of the large intestine.
The study, which was funded by the university, found that |physiotherapy improved walking speed after stroke|.
|Postoperative delirium is frequent in older patients| and causes distress to their families.
|Head lice are tiny insects that live on the scalp|; they are about the size of a sesame seed.
Dental plaque is |a sticky film of bacteria that forms on the teeth|, and it can be coloured with disclosing tablets.
|Your anaesthetist will visit you before the operation| to answer your questions and explain the procedure.
|Pressure ulcers are painful and costly|, and they lengthen the hospital stay.
As you may already know, |the kidneys filter waste products from the blood|.
|The nurse will take your temperature, pulse and blood pressure| and write them on the chart at the end of your bed.
|Bipolar disorder usually begins in late adolescence or early adulthood| and affects men and women about equally.
In this randomised trial of 412 adults, |mindfulness training reduced anxiety scores compared with usual care|.
|Whooping cough is caused by the bacterium Bordetella pertussis|, first isolated in 1906.
|The tablets should be swallowed whole with a glass of water|; they are white, round and marked with the letter K.
This leaflet explains that |a colonoscopy is an examination of the large bowel| with a thin, flexible camera.
|Cataract surgery is one of the most frequently performed operations worldwide|, and the techniques continue to develop.
|Falls are the leading cause of injury among people over 65|, according to the ministry's annual report.
Our results confirm that |hand hygiene training improved compliance among ward staff|, as previous authors have also reported.
|Gout causes sudden attacks of severe joint pain|, often in the big toe.
|Croup is a childhood illness that causes a barking cough|; parents often notice it first at night.
|Heparin was given to all patients after the operation| by subcutaneous injection into the abdominal wall.
During the visit, |the health visitor weighs the baby and measures its length| and answers any questions from the parents.
|Ultrasound uses sound waves to create pictures of organs| inside the body, and no radiation is involved.
|The gallbladder stores bile| produced by the liver and releases it after meals.
|Schizophrenia affects about one in a hundred people| over the course of a lifetime; family support groups exist in most cities.
Located in the neck, |the thyroid gland produces hormones that control metabolism|.
|Malaria is transmitted by the bite of infected mosquitoes| of the genus Anopheles.
|Patients in the exercise group had less pain at twelve weeks than those in the control group|, and adherence was high.
|The pharmacist can show you how to use your inhaler|, and a video is available on our website.
|Scarlet fever is treated with antibiotics|, usually penicillin taken by mouth.
As part of the routine programme, |babies receive the rotavirus vaccine at eight and twelve weeks|, together with their other vaccines.
|Tooth decay happens when acids produced by bacteria dissolve the enamel|, the hard outer layer of the tooth.
The surgeon explained that |the hernia would be repaired with a synthetic mesh| through three small cuts.
|Magnetic resonance imaging showed a tear of the medial meniscus| in the left knee, with a small effusion.
|Chronic obstructive pulmonary disease is a major cause of death| and a growing burden on health services.
|Please tell the nurse at once if you feel short of breath|; the call bell is next to your bed.
|Insulin is a hormone made by the pancreas|, a gland that lies behind the stomach.
Together with our partners in primary care, we showed that |text message reminders increased attendance at cervical screening|.
|Postnatal depression affects more than one in ten women| within a year of giving birth.
|Impetigo is a contagious skin infection| that is common in young children.
|Salt intake in the population is too high|, and the agency has therefore agreed targets with the food industry.
The Canadian guideline states that |women should be offered a choice of contraceptive methods| and given written information about each.
|Sepsis is a life-threatening emergency| and every hospital should have a written protocol for it.
|The stitches dissolve by themselves|, so there is no need to have them taken out.
|Panic attacks are sudden episodes of intense fear| accompanied by palpitations, sweating and trembling.
In the second chapter we describe how |nurses assess pain with a numerical rating scale| at the bedside.
|Rubella infection in early pregnancy can damage the unborn baby|, causing deafness, cataracts and heart defects.
|The dentist numbs the gum with a local anaesthetic| before drilling out the decayed part of the tooth.
|Tuberculosis is curable with antibiotics|, and the drugs are supplied free of charge.
For this reason, |the ward keeps a record of every fall|, which is reviewed each month by the safety team.
|Migraine is more common in women than in men|; it typically starts between puberty and the age of 40.
|Blood samples were taken from all participants at baseline| and stored at minus 80 degrees until analysis.
|Anorexia nervosa has a high mortality| among psychiatric disorders, as shown in Table 3.
The word comes from Greek: |osteoporosis is a disease in which bones become thin and fragile|.
|Norovirus causes vomiting and diarrhoea|, and outbreaks are often reported from cruise ships and care homes.
|Opioids commonly cause constipation|, because they slow the movement of the bowel.
|The consultant will discuss the results with you| in the outpatient clinic about two weeks after the biopsy.
Dear parents, we would like to inform you that |the school nurse will give the HPV vaccine in October|.
|Laparoscopic surgery leaves smaller scars than open surgery| and is carried out with a camera and long instruments.
|Eczema makes the skin dry, itchy and cracked|; the name comes from a Greek word meaning to boil over.
|The sensitivity of the assay was 92% and the specificity was 97%|, with laboratory culture as the reference standard.
|Dementia is not a normal part of ageing|, and the charity runs a telephone helpline for carers.
Besides being inexpensive, |oral rehydration solution prevents deaths from diarrhoea in young children|.
|Gum disease is caused by a build-up of plaque on the teeth| and along the gum line.
|The drain was removed on the second day after surgery| by the ward nurse.
|Digoxin has a narrow therapeutic range|, which means that the effective dose is close to the toxic dose.
|Varicose veins are swollen and enlarged veins| that usually appear on the legs and feet.
As the name suggests, |hand, foot and mouth disease causes blisters on the hands, on the feet and in the mouth|.
|Obsessive-compulsive disorder can be treated with psychological therapy or medicines|; a list of therapists is given at the end.
|Air pollution worsens asthma symptoms|, and several cities have introduced low-emission zones.
|Patients should be encouraged to drink plenty of fluids|, for example water or diluted juice.
|The electrocardiogram records the electrical activity of the heart| through small sticky sensors placed on the skin.
It is important to know that |a used needle must never be put back into its cap|, and staff are reminded of this yearly.
|Most kidney stones pass out of the body in the urine|, and the pain can be compared with that of labour.
|Cleft lip is repaired at three to six months of age| by a specialised team of surgeons.
|The helpline is staffed by trained nurses| who answer calls in English and Welsh around the clock.
Based on data from 27 hospitals, we found that |surgical checklists were associated with fewer complications|.
|Hepatitis B can be passed from mother to baby at birth|, and midwives give advice on the vaccine.
|Children with diabetes need insulin every day|, and their teachers should be told about the condition.
In summary, |compression stockings reduced leg swelling after long flights| in this group of 231 passengers.
|The coroner's report listed pneumonia as the cause of death| and was sent to the family in May.
|Alcohol withdrawal can cause tremor, sweating and seizures|; the ward has a scoring chart for it.
|Dentures should be taken out at night| and kept in a glass of clean water.
|Carbon monoxide is a colourless gas with no smell|, so every home should have an alarm.
The team also reported that |early skin-to-skin contact increased breastfeeding rates at one month|, with similar findings in both hospitals.
|Glaucoma damages the optic nerve| at the back of the eye, usually through raised pressure.
|Stroke is a medical emergency|, and the campaign teaches the public to recognise its signs.
Importantly, |no serious adverse events occurred in either group| during the twelve months of follow-up.
|A hearing test is offered to every newborn| in the first weeks of life, usually before discharge.
|Metformin lowers blood glucose mainly by reducing its production in the liver|, and it rarely causes hypoglycaemia when used alone.
|Aspirin (acetylsalicylic acid) is a nonsteroidal anti-inflammatory drug|, first synthesised by Felix Hoffmann in 1897.
|Offer people with COPD an annual influenza vaccination|.[12]
|The thyroid is a butterfly-shaped gland| located at the front of the neck.
We conducted a systematic review and found that |mindfulness-based therapy reduced relapse of depression| (hazard ratio 0.69).
What this medicine is for: |Amlodipine is used to treat high blood pressure and angina|, a type of chest pain.
|Keep this medicine out of the sight and reach of children|, preferably in a locked cupboard.
|Type 1 diabetes results from autoimmune destruction of the beta cells| of the pancreas.
As with all medicines of this class, |omeprazole may mask the symptoms of gastric cancer|.
Conclusion: |intensive blood-pressure control reduced cardiovascular events| and was well tolerated.
|Each film-coated tablet contains 5 mg of apixaban|, together with lactose and sodium.
|Anaphylaxis is a serious allergic reaction that is rapid in onset and may cause death|, typically presenting with an itchy rash and throat swelling.
|Adrenaline should be given into the outer thigh|, where the muscle is well supplied with blood.
|Psoriasis is a long-lasting autoimmune disease| characterised by raised areas of abnormal skin.
Background: |Sepsis is a leading cause of death worldwide|, with an estimated 11 million deaths a year.
|Warfarin was first used as a rat poison|, a use that continues today.
Researchers in Denmark found that |the MMR vaccine does not increase the risk of autism|, adding to earlier evidence.
|The most frequently reported adverse reactions were headache, nausea and fatigue| (see Table 2).
|Rinse the syringe with water after each use| and let it dry in the air.
|Ask your pharmacist if you are not sure how to use the inhaler|, or call the number on the back page.
|Rabies is almost always fatal once symptoms appear|, and about 59,000 people die of it each year.
|Cholera is an infection of the small intestine| by some strains of the bacterium Vibrio cholerae.
The committee recommends that |all adults with suspected heart failure have their natriuretic peptide measured| and recorded in the notes.
|Participants were randomly assigned to receive either semaglutide or placebo|, in a 2:1 ratio.
|Gabapentin does not interact with warfarin|, so no change of dose is needed.
Named after the Scottish town where it was described, |the syndrome causes recurrent fever and joint pain|.
|Scurvy is caused by a lack of vitamin C|. It was once common among sailors.
|Blood pressure should be measured in both arms at the first visit|; if the readings differ, the higher one is used afterwards.
|Clopidogrel inhibits the P2Y12 receptor on platelets|, thereby preventing them from sticking together.
At a median follow-up of 3.3 years, |the trial was stopped early because of benefit|.
|Tell your doctor if you are pregnant or breast-feeding|, think you may be pregnant or are planning to have a baby.
|The heart has four chambers|: two atria and two ventricles.
|Tamoxifen increases the risk of endometrial cancer|.3,4 Women should report any bleeding.
|Smallpox was declared eradicated in 1980| by the World Health Assembly.
It should be noted that |St John's wort reduces the effectiveness of oral contraceptives|.
|The incidence of myocarditis was highest in males aged 16 to 29|, as previously reported.
|Penicillin was discovered by Alexander Fleming in 1928|, who noticed a mould growing on a culture plate.
|Wash the area gently with warm water and pat it dry| before you put on a new patch.
Strength of recommendation: strong. |Give oxygen to keep saturation between 94 and 98 per cent|.
|Digoxin toxicity can cause yellow vision|, which some have seen in the paintings of Van Gogh.
|Osteoarthritis most often affects the knees, hips and hands|, although any joint can be involved.
|The half-life of the drug is 12 hours| and steady state is reached after three days.
|Haemophilia A is inherited in an X-linked recessive pattern|, meaning that it mainly affects males.
In the words of the guideline, |every person with a first seizure should be seen by a specialist within two weeks|.
|Adverse events led to discontinuation in 7% of patients in each group|, most often because of diarrhoea.
|The spleen filters the blood| and stores platelets.
|Lay the person on their back and raise their legs|; loosen any tight clothing around the neck.
|Vitamin D is made in the skin| under the influence of sunlight.
|Hydroxychloroquine did not reduce mortality among hospitalised patients|, consistent with two other large trials.
|The tablets are round and white| with a score line on one side.
Also known as whooping cough, |pertussis is a highly contagious bacterial disease|.
|Mumps is preventable by two doses of vaccine|, usually given together with measles and rubella.
|The liver breaks down paracetamol into several products|, one of which is toxic.
Summary: |a low-salt diet lowers blood pressure in adults with and without hypertension|.
|Dispose of used needles in the sharps container|, never in household rubbish.
|Gestational diabetes usually resolves after birth| but raises the later risk of type 2 diabetes.
|Endoscopy showed a bleeding ulcer in the duodenum|, which was clipped.
|Statins are among the most widely prescribed drugs in the world|, with sales of over 20 billion dollars.
|Cystic fibrosis affects mostly the lungs|, but also the pancreas, liver, kidneys and intestine.
In a cohort of 22,000 nurses, |night work was associated with a higher risk of breast cancer|.
|Rheumatoid arthritis usually begins in the small joints| of the hands and feet.
|The drug is eliminated mainly by the kidneys| as unchanged substance.
|Insulin is injected into the fatty tissue| just under the skin.
|The aorta carries blood from the heart| to the rest of the body.
|Patients in both arms received dexamethasone| as premedication.
|Hepatitis B vaccine is given in three doses| over a period of six months.
|Epilepsy is a disorder of the brain| in which nerve cells fire abnormally.
|The committee met four times| between March and October.
|A total of 312 patients were enrolled| at 18 centres in Japan.
|The rash of measles begins behind the ears| and spreads downwards over three days.
|Vitamin B12 is found in meat, fish and dairy products| from healthy animals.
|Parkinson's disease is caused by loss of nerve cells| in a part of the brain called the substantia nigra.
|Carbamazepine induces liver enzymes| and thereby speeds up the breakdown of many drugs.
|The procedure takes about half an hour| and is done while you are awake.
|Chickenpox is an illness that mostly affects children| and is caused by the varicella-zoster virus.
|Cataracts cloud the lens| of the eye.
|We used Cox regression to estimate hazard ratios| with 95% confidence intervals.
|The stoma nurse will teach you how to change the bag| before you go home.
|Nausea was the most common adverse event|, occurring in 44% of patients.
|Tetracyclines stain developing teeth| because they bind calcium.
|The uterus is a hollow organ| about the size of a pear.
|Penicillin kills bacteria| by weakening their cell walls.
|Each inhaler contains 200 puffs| of salbutamol.
|Wipe the nozzle with a dry tissue| after every use.
|Gallstones form when bile contains too much cholesterol| and not enough bile salts.
|Angina is chest pain| caused by reduced blood flow to the heart.
The review concluded that |statins reduce cardiovascular events in people with diabetes| and called for wider use.
|Osteoporosis causes no symptoms until a bone breaks|, which is why it is called a silent disease.
The leaflet reminds readers that |alcohol can make depression worse|.
|Chronic kidney disease increases the risk of heart attack|, stroke and early death.
Interestingly, |caffeine intake was associated with a lower risk of Parkinson's disease|.
|Dengue is transmitted by the bite of Aedes mosquitoes|, chiefly in the tropics.
|A migraine aura usually lasts less than an hour|, and the headache follows.
|Allopurinol lowers uric acid by blocking xanthine oxidase|, the enzyme that makes it.
Investigators at two sites noted that |the wounds healed faster with negative pressure|, as they had expected.
|Lactose intolerance is not an allergy|; it results from a lack of the enzyme lactase.
|Folic acid before conception prevents neural tube defects|, and the tablets are cheap.
For adults: |swallow one tablet whole with water|.
After this introduction, |the second chapter turns to the treatment of asthma|.
|The pancreas lies behind the stomach| and measures about 15 cm in length.
|Lyme disease is transmitted by the bite of infected ticks| of the genus Ixodes.
The trial's principal finding was that |early feeding shortened hospital stay|.
|Sickle cell disease is most common in people of African descent|, who have some protection against malaria.
|The drug is metabolised in the liver| by the enzyme CYP3A4.
|Wear gloves when applying the cream| and wash your hands afterwards.
|The WHO declared the outbreak over| on 14 January.
|Bell's palsy causes sudden weakness of one side of the face|; most people recover within months.
|Tuberculosis is caused by Mycobacterium tuberculosis|, which Robert Koch described in 1882.
In other words, |the test misses one infection in ten|.
|The sample was spun in a centrifuge| for ten minutes.
|Cochlear implants bypass the damaged hair cells| and stimulate the auditory nerve.
|Participants filled in a diary| at home every evening.
|Polycystic ovary syndrome affects up to one in ten women| of reproductive age.
|Glaucoma can lead to blindness|, yet it can be detected with a simple eye test.
This page tells you how |hepatitis B is passed on|.
|Semaglutide is injected under the skin of the abdomen, thigh or upper arm|, at any time of day.
|Endometriosis is a condition| where tissue similar to the lining of the womb grows elsewhere.
|Bradycardia was observed in 3% of patients|, none of whom needed a pacemaker.
|Sleep apnoea raises the risk of high blood pressure|, and weight loss often improves it.
As the committee noted in 2019, |rapid tests have made treatment on the same day possible|.
|The kit contains two swabs| in sealed tubes.
|Herpes zoster results from reactivation of the varicella virus| lying dormant in nerve ganglia.
Secondly, |the intervention reduced readmissions by a third|.
|Do not share towels or razors|, because blood-borne viruses survive on them.
|The mean age was 62 years and 54% were women| (Table 1).
|Metastatic cancer has spread from where it began|, for instance to bone or liver.
|We excluded trials without a control group|, as the protocol required.
|Amlodipine belongs to a group of medicines called calcium channel blockers|, which relax blood vessels.
After adjustment for age and sex, |coffee drinking was associated with lower mortality|.
|Blood is drawn from a vein in your arm| with a thin needle.
|The vaccine contains a weakened form of the virus| grown in hen's eggs.
|Ringworm is not caused by a worm|; it is a fungal infection.
|Migraine often runs in families|, though its exact cause is unknown.
Their report says that |air pollution shortens life by about two years in the worst-hit cities|.
|Plaque builds up inside the arteries| over many years.
|The rash fades on its own|, leaving no scars.
|Ovarian cysts are usually found by chance| during an ultrasound scan.
|The surgeon makes a small cut below the navel| and passes the camera through it.
|Hypothermia sets in when body temperature falls below 35 degrees|, often outdoors in winter.
|Vitamin A deficiency is the leading cause of preventable blindness in children| worldwide.
|Measles can be prevented by vaccination|, a fact known since the 1960s.
|The most common cause is a viral infection|, such as a cold or flu.
|Thalassaemia is inherited from both parents| through faulty genes.
Put simply, |the immune system attacks the joints|.
|Adherence fell during follow-up|, as often happens in long trials.
|Rosacea makes the face look red and flushed|, especially across the nose and cheeks.
|The helpline is open every day| from eight in the morning until ten at night.
|The panel agreed that antibiotics should not be given for acute bronchitis|, with one abstention.
|A bone marrow sample is taken from the hip bone| under local anaesthetic.
|The liver is the largest internal organ| and weighs about 1.5 kg.
|Your GP will refer you to a dermatologist|, who may take a small skin sample.
|Anti-D is injected into the muscle of the upper arm|, usually at 28 weeks.
|The cohort was followed for eleven years| by linkage to national registers.
|Coeliac disease is an autoimmune condition| triggered by gluten.
|Cluster headache is sometimes mistaken for a dental problem|, and teeth have been pulled in vain.
|The catheter is made of silicone| and has a small balloon at its tip.
|Adrenaline narrows blood vessels and opens the airways|, which is why it is used in anaphylaxis.
|Interviews were recorded and transcribed| by two researchers.
Finally, |fluoxetine can interact with St John's wort|.
|Stomach acid flows back into the gullet| because the muscle at its lower end is weak.
|Dengue fever is spread by mosquitoes of the genus Aedes|, mainly A. aegypti.
|Sit upright for half an hour after taking the tablet|; otherwise it may irritate the gullet.
|The guideline was published in 2022| and replaces the one of 2014.
|Hepatitis E is usually a mild, self-limiting illness|, though rarely discussed in the press.
|The cornea has no blood vessels| and gets its oxygen from the air.
|Amoxicillin capsules are red and yellow| and are printed with the letters AMX.
|Nausea affects most women in early pregnancy|, as does tiredness.
Researchers at Leiden showed that |broken bones heal more slowly in smokers|, as had long been suspected.
|Shingles causes a painful rash on one side of the body|, often around the waist.
|The stent releases sirolimus| over several months.
|Salmonella bacteria live in the intestines of animals| such as chickens and turtles.
|Low back pain is the leading cause of disability worldwide| according to the Global Burden of Disease study.
|Mouth ulcers heal by themselves within two weeks|, and no treatment is needed.
|The incision was closed with absorbable sutures| and a dry dressing was applied.
|Down syndrome results from an extra copy of chromosome 21| in the cells of the body.
|Brush your tongue as well as your teeth|, since bacteria collect there.
|Patients rated their pain on a scale from 0 to 10| before and after the exercise.
|Penicillins kill bacteria by interfering with their cell walls|, whereas macrolides stop them from making protein.
|The disease was named after Alois Alzheimer|, a German psychiatrist.
|Hay fever is an allergy to pollen| that affects the nose and eyes.
|Tooth enamel is the hardest substance in the body|, yet acids can dissolve it.
|Caesarean section is one of the most common operations| in the world.
The charity reminds parents that |small batteries can cause fatal burns when swallowed|.
|Insulin was first given to a patient in 1922| at Toronto General Hospital.
|Pneumococcal vaccine protects against pneumonia, meningitis and blood poisoning|, all of which can be fatal.
|Iodine is needed to make thyroid hormones|, and sea fish is a good source.
|The electrodes are placed on the scalp| with a conductive paste.
|Varicose veins can ache|, particularly at the end of the day.
|The questionnaire has 36 items| and takes ten minutes to complete.
|Alcohol is broken down in the liver| at a rate of about one unit an hour.
|Kidney stones form when the urine is too concentrated|, for example in hot weather.
|Bed bugs hide in the seams of mattresses| and come out at night to feed.
|The reference range is 4 to 11 × 10⁹/L|, as printed on the report.
|The patient was discharged on the fourth day| with a follow-up appointment.
|Chronic bronchitis is defined as a productive cough for three months in two successive years|, a definition dating from 1965.
|Eardrops are warmed in the hand| before they are put into the ear.
|Two reviewers screened titles and abstracts|, and a third resolved disagreements.
|Tetany is a sign of low calcium|, along with tingling around the mouth.
|Cystitis is an infection of the bladder|, and it is far more common in women.
|The nurse will weigh you| and take your blood pressure.
As a rule, however, |the swelling goes down within a few days|.
|Asthma attacks can be triggered by cold air|, pollen or exercise.
|The meniscus is a piece of cartilage in the knee| that absorbs shock.
According to the European Medicines Agency, |the benefits of the vaccine outweigh its risks|.
|Gallstones are found in one in ten adults|; most never cause symptoms.
|The samples were stored at minus 20 degrees| until the end of the study.
|You will be given a card with your blood group|, which you should keep in your wallet.
|Tinnitus is the perception of sound when no external sound is present|, for example ringing or buzzing.
What is more, |physical activity improves sleep|.
|The prostate gland surrounds the urethra| just below the bladder.
|Lactose is the main sugar in milk|, and lactase is the enzyme that digests it.
|The trial was carried out in twelve hospitals| in Spain and Portugal.
|Preterm babies often need help with breathing| because their lungs are not fully developed.
|The mould Penicillium was noticed by Fleming in 1928|, when he returned from a holiday.
We are pleased to report that |the ward met its target for hand hygiene|.
|The gel is applied thinly to the affected skin|, normally in the evening.
|Symptoms include fever, headache and a stiff neck|, among others.
|Parkinson's disease progresses slowly|, and no two patients are alike.
|The tablets contain gelatine| from pigs.
|Acne is most common in teenagers| and young adults.
|Women in the study were aged between 18 and 45|, with a mean of 29.
Since 2015, |all blood donations have been tested for hepatitis E|.
|A dietitian can help you plan your meals|, and the first visit is free.
|The heart pumps about five litres of blood a minute| through the body.
|Hip fractures are usually treated by surgery|, and physiotherapy begins the next day.
|The authors declare no conflicts of interest|.
|Rabies virus is present in the saliva of infected animals| and is transmitted by bites.
|Meningitis is an inflammation of the membranes| around the brain and spinal cord.
|The app reminds patients to take their medicines|, and it is available in six languages.
It comes as no surprise that |smokers have more complications after surgery|.
|Hepatitis A spreads through contaminated food and water|, above all in countries with poor sanitation.
|Zoonoses are diseases that pass from animals to humans|, such as rabies.
|Remove contact lenses before using the drops|, and wait fifteen minutes before putting them back in.
|The hospital has 400 beds| and a helicopter pad.
|Smoking is a risk factor for bladder cancer|, as are certain dyes.
|The vagus nerve runs from the brainstem to the abdomen|, supplying the heart and lungs on its way.
|The leaflet was revised in March|, and copies can be ordered free of charge.
|The kidneys lie on either side of the spine| below the ribs.
|The drug was approved in the United States| in 1998.
|Patients were seen in a clinic| run by two rheumatologists.
|Coronary arteries supply the heart muscle| with oxygen-rich blood.
|Bacterial vaginosis is caused by an imbalance of bacteria| in the vagina.
|Bread and cereals are fortified with folic acid| in more than 80 countries.
|A colposcope is used to look at the cervix| in detail.
|Gout has been known| since antiquity.
|Ask your doctor or pharmacist for advice| before taking this medicine.
|Blood flows from the left ventricle| into the aorta.
|Motion sickness occurs when the eyes and the inner ear send different signals| to the brain.
|The study enrolled 512 women| from six countries.
|Hand washing removes germs| from the skin.
|Bile is made in the liver| and stored in the gallbladder.
|Red blood cells carry oxygen| around the body.
|The placenta passes nutrients from the mother| to the fetus.
|The vaccine is stored in a freezer| at minus 70 degrees.
|HIV attacks the immune system| by destroying CD4 cells.
|The patient is asked to breathe out forcefully| into a tube.
|Doctors listen to the lungs| with a stethoscope.
|The wound was rinsed with saline| and covered with gauze.
|Ventilators push air into the lungs| through a tube in the windpipe.
|The retina turns light into electrical signals| that travel along the optic nerve.
|Antibodies are proteins| that recognise foreign substances.
|Data were collected by telephone| between January and June 2020.
|Insulin helps glucose enter the cells| of muscle and fat.
|Two investigators extracted the data| independently.
|The test measures the amount of creatinine| in your blood.
|Asbestos fibres can stay in the lungs| for decades.
|Tuberculosis bacteria grow slowly| in culture.
|The eardrum separates the outer ear| from the middle ear.
|The baby's heart rate is monitored| throughout labour.
|Adrenal glands sit on top of the kidneys| and produce cortisol.
|You can order repeat prescriptions| on our website.
|Moisturisers work best| because they trap water in the skin.
|Hospital staff wear masks| to protect patients.
|Hepatitis C is transmitted through blood| and can be cured with tablets.
|The tumour was removed| by Professor Lindqvist's team in Uppsala.
|Lung function was measured with a spirometer| at every visit.
|Babies are born with a soft spot| on top of the head.
|Melanoma begins in the cells that make pigment| and can spread to other organs.
|Bowel cancer screening uses a kit| that is posted to your home.
|The cerebellum controls balance and coordination|, and alcohol impairs it.
|Chlamydia often causes no symptoms|, so many people do not know they have it.
Nonetheless, |vaccination remains the best protection|.
|Follow-up visits took place every six months| at the study centre.
|Scabies is caused by a mite| that burrows into the skin.
|Ketones are produced when the body burns fat|, as happens in fasting.
|Dialysis filters the blood| through a membrane.
|The knee is the largest joint in the body|.
|Tell the nurse if you feel dizzy|, or press the red button.
|Aspirin was first sold by Bayer in 1899| as a powder.
|The pain often spreads to the left arm| or the jaw.
|Some people find that stress makes their eczema worse|, while others blame certain foods.
|Keep your inhaler with you at all times|, especially during exercise.
It follows that |the mean residence time is three hours|.
|The parathyroid glands regulate calcium| in the blood.
|The biopsy showed inflammation of the portal tracts| with many eosinophils.
|All patients gave written consent| before enrolment.
|Measles vaccine was introduced in 1968| in the United Kingdom.
|The tonsils are two lumps of tissue| at the back of the throat.
|Vaccines train the immune system| to recognise a germ.
|The pancreas releases insulin into the blood| in response to a meal.
|Gum shields protect the teeth|, and dentists can make them to measure.
|Septic arthritis most often affects the knee|, followed by the hip.
|Coughs and colds are caused by viruses|, not bacteria.
|Cells were grown in culture| for three days.
|The skin is the largest organ| and protects against infection.
|Thyroid cancer has an excellent prognosis|, with survival above 95%.
|Pulse oximeters measure oxygen in the blood| by shining light through a finger.
|Trained volunteers answer the phone| day and night.
Our findings indicate that |text messages improve attendance|.
|The ethics committee approved the study|, and all participants gave consent.
|Radiation is aimed at the tumour| from several directions.
|Alzheimer's disease is the most common form of dementia|, accounting for two in three cases.
|Nits are the empty egg cases| of head lice.
|The recovery position keeps the airway open| and lets fluid drain from the mouth.
|Ear infections are common in toddlers| because their ear tubes are short and level.
|Participants walked on a treadmill| for six minutes.
|Frozen shoulder usually gets better on its own|, but this may take years.
|The femur is the longest bone in the body|, and the stapes is the smallest.
|Legionella bacteria multiply in warm water| and are inhaled in fine droplets.
|The letter from the hospital gives the date of your operation|, as well as the name of your surgeon.
|Prions are misfolded proteins| that cause fatal brain diseases.
|Gastroscopy is done with a thin tube| that has a camera at its end.
Likewise, |vitamin K reverses the effect of warfarin|.
|Bedwetting is common in young children|, and it is nobody's fault.
|The nasal spray contains a steroid|, which reduces swelling.
|Hypertension was defined as a blood pressure above 140/90 mmHg|, in line with earlier studies.
|Stem cells can develop into many kinds of cells|, for example nerve cells.
|Colostrum is rich in antibodies|; it is produced in the first days after birth.
|Patients with heart failure should weigh themselves every morning|, before breakfast if possible.
|The gallbladder was removed| through the navel.
|Hantavirus is carried by rodents| such as the bank vole.
|The median follow-up was 4.7 years| (interquartile range 3.9 to 5.2).
|Turner syndrome affects about one in 2,500 girls|, who are missing all or part of an X chromosome.
|Myopia is corrected with concave lenses|, which spread the light before it enters the eye.
The registry confirms that |hip implants last longer than 15 years in most patients|.
|Take the missed tablet as soon as you remember|, then carry on as normal.
|The doctor will ask about your symptoms| and examine your abdomen.
|Cardiac rehabilitation lowers the risk of readmission|, and most programmes last eight weeks.
|Uric acid crystals look like needles| under the microscope.
|The spleen was enlarged| on palpation.
|Polio is caused by an enterovirus| and is spread mainly through faeces.
|Reye's syndrome damages the liver and brain|; its cause is not fully understood.
|Amniocentesis is carried out from week 15|, when enough fluid is present.
|The instrument is sterilised| in an autoclave.
|People with haemophilia bleed longer than others| because they lack a clotting factor.
|Carbon dioxide dissolves in the blood| and makes it more acidic.
As Table 3 makes clear, |costs were similar in the two arms|.
|Heartburn is a burning feeling in the chest| caused by stomach acid.
|Children learn to use the device quickly|, parents told us.
|Fentanyl is about 100 times as potent as morphine|, hence the small doses.
|Dry mouth was reported by 14% of participants|, dizziness by 6%.
|The fever chart hangs at the foot of the bed|.
|The heart muscle receives its blood from the coronary arteries|, two vessels that arise from the aorta.
|Smoke irritates the lining of the airways|, increasing mucus.
|Nurses turned the patients every two hours| to prevent bedsores.
|Sunlight, alcohol and stress can all trigger rosacea|, and so can hot drinks.
|The bladder stores urine| until it can be passed.
|Sarcoidosis most often affects the lungs| and the lymph nodes in the chest.
|Immunoglobulin is made from donated plasma|, which is screened for viruses.
|The dressing should be changed daily|, preferably by the same nurse.
|Bird flu viruses seldom infect people|, and transmission between people is rarer still.
|The hippocampus is essential for memory|, as the case of Henry Molaison showed.
Meanwhile, |the number of centres offering the test has doubled|.
|Ear acupuncture is based on a map of the body| on the outer ear.
|The patch delivers nicotine| through the skin.
|Participants were blinded to their allocation|, as were the assessors.
|Haemoglobin carries oxygen| in red blood cells.
|A tourniquet is tied around the upper arm| before blood is taken.
|The word vaccine comes from the Latin for cow|, vacca.
The manufacturer has warned that |the device may switch off without an alarm|.
|Gluten is a protein found in wheat, barley and rye|; oats contain a similar one.
|Palliative care can be given alongside treatment|, and it often begins at diagnosis.
|The optic nerve leads from the eye| to the brain.
|Twins run in families| on the mother's side.
|Brain tumours cause headache, vomiting and seizures|, depending on where they grow.
|The committee consisted of nurses, doctors and two patients|, chaired by a judge.
|Swollen ankles are common in late pregnancy|, and raising the legs helps.
|Wounds heal faster when they are kept moist|, which is the principle of modern dressings.
|The medicine was developed at the University of Leuven| in the 1960s.
|Caffeine reaches the blood within 45 minutes|, and its half-life is about five hours.
|Fractures of the wrist are among the commonest injuries| of older women.
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
