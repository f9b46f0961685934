"""Quotes in English, German and French that are cut, with and without a change of what they say.

Written by people who had not read the rule (``medlens.web.meaning_changing_words_beside_quotes``). A line is a sentence of a
page; the quote stands between the bars.
"""

from __future__ import annotations

ENGLISH_CHANGED = """
|Metoprolol may be restarted| when the heart rate has stayed above 60 for a day.
|The INR should be kept between 2| and 3 in most patients with atrial fibrillation.
|Give 1 g of tranexamic acid| over ten minutes, then another gram over eight hours.
|The false-negative rate was 3| per thousand scans.
|Sodium fell by 8| to 12 mmol/L in the first day.
|Apixaban is taken as 5 mg| twice daily.
|Start with 25| micrograms in patients with heart disease.
|Roughly 15| to 20 per cent of strokes are haemorrhagic.
|The median delay was 4|.5 hours.
|Only 7| of the 90 participants reported dizziness.
|Insulin should not be withheld| before surgery in type 1 diabetes.
|Blood cultures are not needed| in children with uncomplicated pneumonia.
|Do not thrombolyse| beyond four and a half hours without perfusion imaging.
|Antipsychotics should not be offered| as the first treatment for distress in dementia.
|Fever does not cause brain damage| below 41.5 °C.
|The patch must not be cut| unless the maker says that it is a matrix patch.
|Routine imaging does not help| in the first six weeks of back pain.
|Amiodarone is never given| through a peripheral vein for more than a day.
|No deaths were recorded| until the second year of follow-up.
|Bystanders cannot do harm| by pressing too hard on the chest.
There is insufficient evidence that |cranberry juice prevents cystitis|.
It has not been shown that |compression stockings lower the risk of clots on short flights|.
No trial has found that |chondroitin rebuilds cartilage|.
Nor is there reason to think that |the contraceptive implant causes infertility|.
None of the eight reviews concluded that |acupuncture cures tinnitus|.
Neither dose of the antibody |slowed the loss of memory|.
Few of the centres |offered dialysis at home|.
Scarcely any |patients remembered the advice a week later|.
In only two of eleven hospitals |was the checklist used at every operation|.
A minority of |women with endometriosis become infertile|.
It is a misconception that |asthma inhalers are addictive|.
It is often wrongly claimed that |fluoride in water lowers intelligence|.
Old textbooks taught that |fontanelles must be checked for dehydration by their pulse|.
Until the trial was repeated, it was assumed that |hypothermia protects the brain after cardiac arrest|.
The company said, without showing data, that |the lamp cures winter depression|.
The authors speculate that |the microbe triggers Parkinson's disease|.
The hypothesis was that |statins prevent delirium after surgery|.
We aimed to find out whether |music lowers the need for sedation|.
It is doubtful whether |bed alarms prevent falls|.
Whether or not |tight sugar control prevents strokes| is disputed.
If potassium is above 6.0, |the drug must be stopped at once|.
Unless the patient is pregnant, |a chest radiograph should be taken|.
Provided that there is no bleeding, |heparin can be started six hours after the operation|.
In children weighing less than 10 kg, |the dose is halved|.
Only when two inhalers have failed |should tablets be tried|.
Should the rash spread, |lamotrigine is withdrawn|.
Where no ultrasound is available, |the catheter may be placed by landmarks|.
In rats, |the extract restored hearing within a month|.
In cell culture, |metformin stopped the tumour from growing|.
In patients without diabetes, |the drug had no effect on weight|.
In the per-protocol analysis alone, |the vaccine prevented pneumonia|.
After adjustment for smoking, |coffee was no longer linked to lung cancer|.
Avoid |grapefruit juice while taking simvastatin|.
Refrain from |driving on the day after sedation|.
Stop |giving fluids by mouth four hours before the scan|.
Do not |rub the injection site after giving heparin|.
Never |mix the two insulins in one syringe|.
Patients were told not to |sleep on the operated side|.
There is no need to |repeat the smear within three years|.
The drug fails to |prevent relapse in most users|.
Contrary to expectation, |mortality was higher with early feeding|.
The reviewers could not confirm that |zinc shortens colds|.
It would be unethical to |leave the control group untreated|.
The panel voted against |screening all adults for thyroid disease|.
|Aspirin lowers the risk of heart attack| in people who have already had one.
|The scan is accurate| in the hands of experienced operators.
|Steroids speed recovery| from Bell's palsy when begun within three days.
|The tablets may be taken with alcohol|, though not on the first two days.
|Exercise is safe in pregnancy|, except for contact sports and diving.
|The graft lasts for life| in fewer than half of recipients.
|The antidote works| only if it is given within eight hours.
|Side effects were mild|, apart from one fatal liver failure.
|Screening saved lives| in the first analysis but not after the data were corrected.
|Patients can fly| ten days after open heart surgery at the earliest.
|Oral rehydration is enough| for children who are not vomiting.
|The device can stay in place| as long as there are no signs of infection.
|Warfarin can be used while breastfeeding|, provided that the baby has had vitamin K.
|Discharge is possible| once the patient has passed urine.
|The operation cures incontinence| in one woman in four.
|The blood test rules out coeliac disease| if the person has been eating gluten.
|Vitamin D prevents falls| according to a single small study.
|The new drug is superior| to placebo, yet inferior to lithium.
|Recurrence was lower after surgery| than after watchful waiting in men, but higher in women.
|The vaccine is 95% effective| for the first three months.
|Most patients recover completely| with early treatment.
|Children should receive antibiotics| if both ears are affected or there is discharge.
|Colonoscopy is recommended| every ten years from age 45.
|Heparin is the treatment of choice| in pregnancy.
|The tumour is harmless| in nine cases out of ten.
|Mothers should stop breastfeeding| during the week of radioiodine treatment.
|Sildenafil is safe in heart disease| provided nitrates are not taken.
|Lithium can be continued| with weekly blood tests.
|Weight fell by 12 kg| in the best responders.
|The risk of infection doubles| when the catheter stays for more than a week.
|Masks prevented transmission| in one of the twelve trials.
|Paracetamol is the safest painkiller| at doses of up to 4 g a day.
|Ibuprofen raises the blood pressure| in people with kidney disease.
|A second dose is required| in people with a weak immune system.
|The fracture heals by itself| in children under eight.
|Surgery was no better than exercise| at one year, but clearly better at three months.
Non-|diabetic patients do not need to fast|.
Untreated, |the infection leads to deafness|.
In the absence of a pulse, |adrenaline is given every four minutes|.
"""

ENGLISH_SAME = """
|Sepsis is a medical emergency|, and it should be treated within the hour.
|Iron is best absorbed on an empty stomach|, because food binds it.
|The aorta is the largest artery of the body| and arises from the left ventricle.
|Gout is caused by crystals of urate|, which form in cool joints.
|Asthma is a chronic disease of the airways| that affects about 300 million people.
|Migraine is more common in women| (see figure 2).
|The gallbladder stores bile| [14].
|Malaria is spread by female mosquitoes| (Anopheles), which bite at night.
|Rickets is due to a lack of vitamin D|; it is seen again in northern cities.
|Anaphylaxis is treated with adrenaline|, injected into the thigh.
|Penicillin was discovered by Alexander Fleming| in 1928.
|The heart of an adult beats about 100,000 times a day|, pumping some 7,000 litres of blood.
|Hypothyroidism often presents with fatigue|, weight gain and a slow pulse.
|Lyme disease is caused by a bacterium|, Borrelia burgdorferi.
|Parkinson's disease was first described in 1817|, by a physician in London.
|Appendicitis begins with pain around the navel|, then the pain moves to the right.
|Lead poisoning damages the developing brain|, and no level is known to be safe.
|Naloxone reverses the effects of opioids|; its own effect is short.
|Coeliac disease is an immune reaction to gluten| and can begin at any age.
|The cornea has no blood vessels|, so grafts are seldom rejected.
|Hepatitis B is preventable by vaccination|, as the table shows.
|The liver can grow back after part of it is removed|, a fact known since antiquity.
|Cataract is the leading cause of blindness in the world|, followed by glaucoma.
|Scurvy results from a lack of vitamin C|. Sailors suffered from it.
|Tetanus is caused by a toxin| that blocks the release of inhibitory transmitters.
|Levothyroxine should be taken before breakfast|, ideally half an hour before.
|Blood pressure should be measured while seated|, with the arm at the level of the heart.
|Smoking is the main cause of lung cancer|, accounting for about nine in ten cases.
|The pancreas produces insulin|, glucagon and digestive enzymes.
|Osteoporosis weakens bones|, which then break easily.
|The drug blocks the enzyme that makes uric acid|, as described above.
|Rabies is almost always fatal once symptoms appear|, which is why vaccination cannot wait.
|Chickenpox is highly contagious|, spreading through the air and by touch.
|Diabetes damages small vessels|, including those of the retina.
|The kidneys filter about 180 litres of fluid a day|, most of which is taken back.
|Whooping cough is most dangerous in infants| and is also called pertussis.
|Epilepsy is diagnosed after two unprovoked seizures|, according to the international league.
|Measles is caused by a virus| of the paramyxovirus family.
|A stroke occurs when blood flow to part of the brain stops|, and brain cells die within minutes.
|Folic acid lowers the risk of neural tube defects|, as many trials have shown.
In 2014, |the largest outbreak of Ebola began in Guinea|.
In 1967, |the first heart transplant was performed in Cape Town|.
In 2019, |the guideline was revised|.
By 1980, |smallpox had been eradicated|.
Since 2005, |the vaccine has been part of the national schedule|.
In addition, |smoking doubles the risk of a clot|.
Moreover, |the drug crosses the placenta|.
For example, |clarithromycin raises the level of simvastatin|.
Interestingly, |left-handed people were slightly more often affected|.
As a result, |the bones become brittle|.
In general, |viral infections clear up without treatment|.
According to the World Health Organization, |malaria killed 600,000 people in 2022|.
The guideline states that |oxygen should be given to keep saturation above 94%|.
The authors conclude that |early walking shortens the stay in hospital|.
This review confirms that |exercise reduces falls in older people|.
Studies have shown that |hand washing reduces diarrhoea by a third|.
It is well known that |obesity raises the blood pressure|.
We found that |nurses detected delirium earlier than doctors|.
Doctors recommend that |adults sleep at least seven hours a night|.
Note that |the tablets must be swallowed whole|.
Remember: |the pen must be kept in the refrigerator|.
However, |relapse is common after the drug is stopped|.
Therefore, |kidney function must be checked every year|.
Because it is broken down by the liver, |the drug should be avoided in cirrhosis|.
As the population ages, |more people will live with dementia|.
Along with diet, |exercise is the basis of treatment for type 2 diabetes|.
Besides the lungs, |tuberculosis can affect bones and kidneys|.
First described by Thomas Addison, |the disease destroys the adrenal cortex|.
Known since the Middle Ages, |ergotism is caused by a fungus of rye|.
Dr Smith and colleagues report that |infection rates fell after the new drape was introduced|.
At the annual meeting in Vienna, |the society presented its new guideline on heart failure|.
Today, |most children with leukaemia survive|.
Worldwide, |iron deficiency is the most common cause of anaemia|.
In summary, |compression is the mainstay of treatment for venous ulcers|.
Table 3 shows that |costs were lower with home care|.
Surprisingly, |the placebo group did just as well|.
For this reason, |every newborn is offered a hearing test|.
Also called shingles, |herpes zoster is a painful rash with blisters|.
|Hypertension is defined as a pressure of 140/90 mmHg or higher| (Williams et al., 2018).
|Delirium develops over hours to days|, unlike dementia.
|The thyroid sits in front of the windpipe|, just below the larynx.
|Sunscreen should be applied every two hours|, and hats should be worn.
|Blood in the urine must always be investigated|, the society says.
|Botulism is caused by a nerve toxin|, "the most poisonous substance known".
|The incubation period of measles is 10 to 14 days|, the rash following the fever.
|Statins lower LDL cholesterol by 30 to 50%|, depending on the substance and the dose.
|Warfarin interacts with many drugs|, such as amiodarone and metronidazole.
|Clostridium difficile spreads through spores|, so hands must be washed with soap.
|Newborns should be placed on their backs to sleep|: this has halved cot deaths.
|Vaccines train the immune system| to recognise a germ.
|The spleen removes old red cells from the blood|, while the marrow makes new ones.
|Insulin was first given to a patient in 1922|, a boy of fourteen.
|Pain in the calf can be a sign of a clot|, and a doctor should be seen.
|Dengue is transmitted by Aedes mosquitoes|, mainly during the day.
|Cholera causes profuse watery diarrhoea|, often described as rice water.
|About one in five adults has chronic pain|, a survey of 15 countries found.
|Sleep apnoea raises the risk of accidents at the wheel| and of high blood pressure.
|Allopurinol lowers uric acid|, thereby preventing attacks of gout.
|Frostbite should be rewarmed in water of 37 to 39 °C|, a painful procedure.
|Glaucoma usually causes no symptoms at first|, which is why screening matters.
|Atrial fibrillation raises the risk of stroke fivefold|, as the Framingham study showed.
"""

GERMAN_CHANGED = """
|Sie dürfen nicht Auto fahren|, bis die Anfälle seit einem Jahr ausbleiben.
|Das Mittel senkt das Risiko um 20| bis 30 Prozent.
|Nehmen Sie 500 mg| zweimal täglich ein.
|Die Impfung ist sicher|, sofern kein Fieber besteht.
|Metformin kann weiter eingenommen werden|, wenn die Nierenfunktion normal ist.
|Antibiotika helfen nicht| gegen Viren.
|Stillen ist möglich|, außer in der ersten Woche der Behandlung.
|Die Operation ist notwendig|, falls die Tabletten nicht wirken.
|Die Creme hilft|, aber nur für wenige Stunden.
|Eine Röntgenaufnahme ist nicht erforderlich|, es sei denn, die Schmerzen halten länger als sechs Wochen an.
Es gibt keine Belege dafür, dass |Vitamin C Erkältungen verhindert|.
Es ist ein Irrtum, dass |Antibiotika gegen die Grippe wirken|.
Weder der Bluttest noch das Röntgenbild |kann eine Infektion sicher ausschließen|.
Keiner der Patienten |hatte nach einem Jahr einen Rückfall|.
Nur wenige |der behandelten Kinder bekamen einen zweiten Anfall|.
Bei Mäusen |heilte der Wirkstoff die Infektion|.
Wenn das Kind jünger als drei Monate ist, |muss Fieber sofort abgeklärt werden|.
Es ist unklar, ob |das Medikament einer Demenz vorbeugt|.
Früher glaubte man, dass |Magengeschwüre durch Stress entstehen|.
Vermeiden Sie |das Heben schwerer Lasten in den ersten sechs Wochen|.
"""

GERMAN_SAME = """
|Asthma ist eine chronische Erkrankung der Atemwege|, die etwa jedes zehnte Kind betrifft.
|Gicht entsteht durch Kristalle der Harnsäure|, und meist ist die große Zehe betroffen.
|Eisen wird am besten nüchtern aufgenommen|, weil Nahrung es bindet.
|Die Leber ist das größte innere Organ des Menschen| und wiegt etwa anderthalb Kilogramm.
|Migräne ist bei Frauen häufiger| (siehe Tabelle 2).
|Malaria wird durch Mücken übertragen| [7].
|Penicillin wurde 1928 entdeckt|, und zwar von Alexander Fleming.
|Rauchen ist die wichtigste Ursache von Lungenkrebs|, wie zahlreiche Studien zeigen.
|Masern sind hoch ansteckend|; sie werden durch Tröpfchen übertragen.
|Naloxon hebt die Wirkung von Opioiden auf|, wirkt aber selbst nur kurz.
Im Jahr 2014 |begann in Guinea der bisher größte Ausbruch von Ebola|.
Die Leitlinie empfiehlt, dass |Erwachsene mindestens sieben Stunden schlafen|.
Außerdem |verdoppelt Rauchen das Risiko für eine Thrombose|.
Laut WHO |starben 2022 rund 600.000 Menschen an Malaria|.
Studien haben gezeigt, dass |Händewaschen Durchfall um ein Drittel verringert|.
Weltweit |ist Eisenmangel die häufigste Ursache der Anämie|.
Zum Beispiel |erhöht Clarithromycin den Spiegel von Simvastatin|.
Bekannt ist, dass |Übergewicht den Blutdruck erhöht|.
Deshalb |muss die Nierenfunktion jedes Jahr geprüft werden|.
|Der Blutdruck wird im Sitzen gemessen|, mit dem Arm auf Höhe des Herzens.
"""

FRENCH_CHANGED = """
|Vous ne devez pas conduire| tant que les crises ne sont pas contrôlées.
|Le traitement réduit le risque de 20| à 30 %.
|Prenez 500 mg| deux fois par jour.
|Le vaccin est sans danger|, sauf en cas de fièvre.
|La metformine peut être poursuivie| si la fonction rénale est normale.
|Les antibiotiques ne servent à rien| contre les virus.
|L'allaitement est possible|, à condition que le bébé soit né à terme.
|La chirurgie est nécessaire| lorsque les comprimés ne suffisent pas.
|La crème soulage|, mais seulement pendant quelques heures.
|Une radiographie est inutile|, à moins que la douleur ne dure plus de six semaines.
Il n'existe aucune preuve que |la vitamine C prévient le rhume|.
C'est une erreur de croire que |les antibiotiques guérissent la grippe|.
Ni la prise de sang ni la radiographie |ne permettent d'exclure une infection|.
Aucun des patients |n'a fait de rechute au bout d'un an|.
Très peu |d'enfants traités ont eu une deuxième crise|.
Chez la souris, |la molécule a guéri l'infection|.
Si l'enfant a moins de trois mois, |toute fièvre impose une consultation immédiate|.
On ignore si |le médicament prévient la démence|.
On pensait autrefois que |les ulcères étaient dus au stress|.
Évitez |de porter des charges lourdes pendant six semaines|.
"""

FRENCH_SAME = """
|L'asthme est une maladie chronique des bronches|, qui touche environ un enfant sur dix.
|La goutte est due à des cristaux d'urate|, et le gros orteil est souvent atteint.
|Le fer est mieux absorbé à jeun|, car les aliments le retiennent.
|Le foie est le plus gros organe interne| et pèse environ un kilo et demi.
|La migraine est plus fréquente chez les femmes| (voir le tableau 2).
|Le paludisme est transmis par des moustiques| [7].
|La pénicilline a été découverte en 1928|, par Alexander Fleming.
|Le tabac est la première cause de cancer du poumon|, comme l'ont montré de nombreuses études.
|La rougeole est très contagieuse| ; elle se transmet par voie aérienne.
|La thyroïde se trouve à l'avant du cou|, juste sous le larynx.
En 2014, |la plus grande épidémie d'Ebola a débuté en Guinée|.
La Haute Autorité de santé recommande que |les adultes de plus de 65 ans soient vaccinés contre la grippe|.
De plus, |le tabac double le risque de thrombose|.
Selon l'OMS, |le paludisme a tué 600 000 personnes en 2022|.
Des études ont montré que |le lavage des mains réduit les diarrhées d'un tiers|.
Dans le monde, |la carence en fer est la première cause d'anémie|.
Par exemple, |la clarithromycine augmente le taux de simvastatine|.
On sait que |l'obésité élève la tension artérielle|.
C'est pourquoi |la fonction rénale doit être contrôlée chaque année|.
|La tension se mesure en position assise|, le bras à hauteur du cœur.
"""

# Written after the rules for German and French, and not read beside them.
ENGLISH_CHANGED_LATER = """
|Nitrofurantoin can be used in renal impairment| as a short course when eGFR is 30 or more.
|Oral contraceptives need not be stopped| for minor surgery with early mobilisation.
|The daily maximum is 40| milligrams in people over 60.
|Bisphosphonates lowered hip fractures by 40| per cent in women, not in men.
|Give the first dose in clinic| and all others at home unless a reaction occurs.
|Clopidogrel should be withheld| five days before elective bypass surgery.
|The rapid test has a sensitivity of 98%| when symptoms began less than four days earlier.
It would be premature to conclude that |the vaccine halts transmission|.
There are anecdotal reports that |turmeric shrinks tumours|.
Rarely did |the treatment provoke seizures|.
Not a single trial has demonstrated that |routine episiotomy protects the pelvic floor|.
With the exception of the youngest age group, |survival improved over the decade|.
Were it not for their cost, |these antibodies would be first-line treatment|.
For mild attacks, |tablets are sufficient|.
Outside of clinical trials, |stem cells should not be injected into the knee|.
Assuming normal liver function, |the standard dose can be given|.
Less than a third of |general practitioners followed the guideline|.
Most, but by no means all, |patients regain their sense of smell|.
What the study does not show is that |sweeteners cause weight gain|.
The regulator rejected the claim that |the device detects early dementia|.
|Hydroxychloroquine reduced mortality| in one small series that has since been withdrawn.
|The patch may be worn in the bath| but not in a sauna.
|Home birth is as safe as hospital birth| for women who have had a child before.
|You may stop isolating after five days| provided you have had no fever for 24 hours.
|Caffeine improves performance| in tired drivers only.
|There is no need for antibiotics| after a clean bite from a healthy pet.
|Serum levels predicted outcome|, although not once age had been taken into account.
|The antidepressant worked better than placebo| by two points on a 52-point scale, less than a patient would notice.
|Babies can sleep in a car seat| while travelling, for no longer than half an hour.
|The guideline recommends annual mammography| for carriers of the mutation.
|Intravenous iron is preferred| where tablets are not tolerated.
|Bed rest is advised| for the first 24 hours only.
|The tumour marker need not be measured| unless relapse is suspected.
|Thalidomide is an effective treatment| of erythema nodosum leprosum.
|Metronidazole may be given in the first trimester|, if no alternative exists.
|The procedure carries no risk|, according to the clinic that sells it.
|Dogs can detect the cancer by smell|, a claim that a larger study could not support.
Delaying |the second dose weakens protection| by a trivial amount.
Inhaled, not oral, |steroids are the mainstay of treatment|.
Among survivors of the first week, |mortality was the same in both arms|.
"""

ENGLISH_SAME_LATER = """
|Bronchiolitis is most often caused by respiratory syncytial virus|, which circulates in winter.
|Eczema makes the skin dry and itchy|, especially in the bends of the elbows and knees.
|Hepatitis E is spread by contaminated water|; outbreaks follow floods.
|Anosmia is the loss of the sense of smell| (from Greek osme, smell).
|Psoriasis is driven by an overactive immune system|, and it runs in families.
|The cochlea turns sound into nerve signals|, a task for some 15,000 hair cells.
|Mumps causes swelling of the salivary glands|, giving the face a round look.
|Scarlet fever is treated with penicillin|, as it has been for seventy years.
|Vitamin B12 is found in meat, fish and eggs|, but not in plants.
|The committee met four times| in 2021 and twice in 2022.
|Sickle cell disease is inherited| from both parents.
|The tibia is the larger of the two bones of the lower leg|, the fibula the smaller.
|Dialysis removes waste from the blood|, usually three times a week in a centre.
|Rosacea affects the face|, and its cause is unknown.
|Ultrasound uses sound waves to make pictures| of the inside of the body.
|Antibodies against the virus were found in 12% of blood donors| (95% CI 10 to 14).
|Obesity is linked to thirteen types of cancer|, among them breast and bowel cancer.
|Triptans relieve migraine by narrowing blood vessels|, or so most textbooks explain it.
|Prostate cancer usually grows slowly|, over many years.
|Syphilis is caused by Treponema pallidum|, a spiral bacterium.
In 2012, |the agency approved the first gene therapy in Europe|.
In the same year, |the vaccine was licensed in Japan|.
In 1796, Edward Jenner showed that |cowpox protects against smallpox|.
The leaflet says that |drowsiness is a common side effect|.
Like other penicillins, |amoxicillin can cause a rash|.
Taken together, |these findings support earlier treatment|.
By contrast, |bacterial meningitis kills within hours|.
As with all vaccines, |soreness at the injection site is common|.
Compared with placebo, |the drug halved the number of attacks|.
Unlike type 1 diabetes, |type 2 develops slowly|.
In our cohort of 5,000 adults, |depression was twice as common in women|.
More recently, |robots have been used to remove the prostate|.
A large Danish study found that |the vaccine does not cause autism|.
Experts agree that |breast milk is the best food for babies|.
To prevent infection, |wash your hands before touching the wound|.
Named after a Viennese dermatologist, |Kaposi sarcoma appears as purple patches|.
Importantly, |the infusion must not be stopped suddenly|.
In other words, |the disease skips a generation|.
Every year, |about 700,000 people die by suicide|.
The WHO reminds travellers that |dengue has no specific treatment|.
"""

GERMAN_CHANGED_LATER = """
|Ibuprofen kann in der Schwangerschaft genommen werden|, allerdings nur bis zur 28. Woche.
|Die Kompressionsstrümpfe sollten getragen werden|, solange die Beine anschwellen.
|Die Wirkung hält 4| bis 6 Stunden an.
|Geben Sie 2 Tropfen| dreimal täglich in jedes Auge.
|Kinder dürfen das Arzneimittel nicht erhalten|, wenn sie jünger als zwölf Jahre sind.
|Der Test schließt eine Thrombose aus| bei Patienten mit niedrigem Risiko.
|Statine senken die Sterblichkeit| nur bei Menschen mit bekannter Herzkrankheit.
|Nach der Operation dürfen Sie duschen|, sobald die Wunde trocken ist.
|Das Mittel wirkt nicht| bei schweren Schmerzen.
|Der Tumor ist heilbar|, vorausgesetzt er wird früh erkannt.
|Die Beschwerden verschwanden|, kehrten aber nach drei Wochen zurück.
|Akupunktur hilft gegen Migräne|, behaupten manche Heilpraktiker.
Nicht belegt ist, dass |Zink Erkältungen verkürzt|.
Manche Eltern glauben irrtümlich, |Zahnen verursache hohes Fieber|.
Die Studie konnte nicht zeigen, dass |Fischöl das Herz schützt|.
Ob |Omega-3-Kapseln vor Demenz schützen|, ist offen.
Nur bei etwa jedem zehnten Patienten |kommt es zu einem Rückfall|.
Ohne Behandlung |führt die Krankheit zur Erblindung|.
Bei Neugeborenen |muss die Dosis halbiert werden|.
Statt |sofort Insulin zu spritzen|, sollten die meisten zuerst ihre Ernährung umstellen.
"""

GERMAN_SAME_LATER = """
|Die Neurodermitis beginnt meist im Säuglingsalter|; später bessert sie sich oft.
|Der Blinddarm liegt im rechten Unterbauch|, am Übergang vom Dünn- zum Dickdarm.
|Windpocken werden durch das Varizella-Zoster-Virus verursacht|, das lebenslang im Körper bleibt.
|Die Schilddrüse bildet zwei Hormone|, T3 und T4.
|Vitamin D entsteht in der Haut durch Sonnenlicht| und reguliert den Kalziumhaushalt.
|Diabetes schädigt kleine Gefäße|, zum Beispiel in der Netzhaut.
|Osteoporose macht Knochen brüchig|, weshalb sie leicht brechen.
|Die Grippeimpfung wird jedes Jahr angepasst|, da sich die Viren verändern.
|Scharlach wird mit Penicillin behandelt| (Stand: Mai 2023).
|Das Herz schlägt etwa 100.000-mal am Tag| und pumpt dabei rund 7.000 Liter Blut.
|Borreliose wird von Zecken übertragen|, vor allem im Sommer.
|Die Milz baut alte rote Blutkörperchen ab| [12, 13].
Der Beipackzettel weist darauf hin, dass |das Mittel müde machen kann|.
Anders als Typ-1-Diabetes |entwickelt sich Typ 2 langsam|.
Allerdings |sind Rückfälle häufig|.
In Deutschland |leben etwa acht Millionen Menschen mit Diabetes|.
Nach Angaben des Robert Koch-Instituts |stieg die Zahl der Masernfälle im Jahr 2019|.
Im Vergleich zu Placebo |halbierte das Medikament die Zahl der Anfälle|.
Denken Sie daran, dass |die Tabletten unzerkaut geschluckt werden müssen|.
Heute |überleben die meisten Kinder mit Leukämie|.
"""

FRENCH_CHANGED_LATER = """
|L'ibuprofène peut être pris pendant la grossesse|, mais uniquement jusqu'à la 24e semaine.
|Les bas de contention doivent être portés| tant que les jambes gonflent.
|L'effet dure 4| à 6 heures.
|Instillez 2 gouttes| trois fois par jour dans chaque œil.
|Les enfants ne doivent pas recevoir ce médicament| avant l'âge de douze ans.
|Le test exclut une thrombose| chez les patients à faible risque.
|Les statines réduisent la mortalité| seulement chez les personnes déjà malades du cœur.
|Vous pouvez prendre une douche| dès que la plaie est sèche.
|Le médicament n'agit pas| sur les douleurs sévères.
|La tumeur est curable|, pourvu qu'elle soit découverte tôt.
|Les symptômes ont disparu|, mais sont revenus au bout de trois semaines.
|L'acupuncture soulage la migraine|, affirment certains praticiens.
Rien ne prouve que |le zinc raccourcit le rhume|.
Certains parents croient à tort que |les dents donnent une forte fièvre|.
L'étude n'a pas pu montrer que |l'huile de poisson protège le cœur|.
La question de savoir si |les oméga-3 protègent de la démence| reste ouverte.
Seul un patient sur dix |présente une rechute|.
Sans traitement, |la maladie conduit à la cécité|.
Chez le nouveau-né, |la dose doit être réduite de moitié|.
Plutôt que |de commencer l'insuline tout de suite|, la plupart devraient d'abord changer de régime.
"""

FRENCH_SAME_LATER = """
|L'eczéma débute souvent chez le nourrisson| ; il s'améliore ensuite.
|L'appendice se trouve dans la partie droite du ventre|, à la jonction de l'intestin grêle et du côlon.
|La varicelle est due au virus varicelle-zona|, qui reste dans l'organisme toute la vie.
|La thyroïde fabrique deux hormones|, la T3 et la T4.
|La vitamine D est produite par la peau au soleil| et règle le métabolisme du calcium.
|Le diabète abîme les petits vaisseaux|, par exemple ceux de la rétine.
|L'ostéoporose fragilise les os|, qui se cassent alors facilement.
|Le vaccin contre la grippe est adapté chaque année|, car les virus changent.
|La scarlatine se traite par la pénicilline| (mise à jour de mai 2023).
|Le cœur bat environ 100 000 fois par jour| et pompe quelque 7 000 litres de sang.
|La maladie de Lyme est transmise par les tiques|, surtout en été.
|La rate élimine les vieux globules rouges| [12, 13].
La notice précise que |ce médicament peut provoquer une somnolence|.
Contrairement au diabète de type 1, |le type 2 s'installe lentement|.
Toutefois, |les rechutes sont fréquentes|.
En France, |environ quatre millions de personnes vivent avec un diabète|.
D'après Santé publique France, |le nombre de cas de rougeole a augmenté en 2019|.
Par rapport au placebo, |le médicament a réduit de moitié le nombre de crises|.
N'oubliez pas que |les comprimés doivent être avalés entiers|.
Aujourd'hui, |la plupart des enfants atteints de leucémie survivent|.
"""

# Written last, after those before were mended.
ENGLISH_CHANGED_LAST = """
|Breast implants do not need replacing| on a fixed schedule, though most fail within 20 years.
|Levetiracetam is started at 250| mg daily and raised every two weeks.
|The pump lowered HbA1c| in adults who wore it for more than six days a week.
|Dialysis patients may receive gadolinium| of group II only.
|Vaping is safe|, the industry would have us believe.
|Troponin rises within 3| to 6 hours of the onset of pain.
Were they given early, |steroids would save lives|.
It took years to refute the notion that |autism is caused by cold parents|.
Except during attacks, |lung function is normal|.
A handful of |patients walked again|.
The protocol forbids |moving the patient before imaging|.
Pilots have asked whether |naps improve vigilance|.
|Splenectomy cures the disease| in the hereditary form.
|Sterile water injections relieve back pain in labour| for up to two hours.
|Patients on clozapine need no blood tests| after the first year in some countries.
|Alcohol must be avoided| while taking disulfiram and for two weeks after.
|The risk was not increased| at intakes of up to two cups.
|Nine out of ten| infections cause no symptoms.
|The score rules out pulmonary embolism| if it is zero and the doctor's suspicion is low.
|Weight returned to normal| in all but two girls.
"""

ENGLISH_SAME_LAST = """
|Giardiasis causes greasy stools|, and travellers often bring it home.
|The retina lines the back of the eye|, where it turns light into signals.
|Mesothelioma is caused by asbestos|, decades after exposure.
|Sarcoidosis mostly affects the lungs| (in nine out of ten patients).
|Trachoma is the leading infectious cause of blindness|; it is spread by flies.
|Gallstones form when bile becomes too concentrated|, a process that takes years.
|Tinnitus is a ringing in the ears|, heard by nobody else.
|Zinc is needed to taste and smell|, among other things.
|Leprosy is curable with three drugs|, which the WHO provides free of charge.
|The patella protects the knee joint|, and it makes the thigh muscle stronger.
In 1981, |the first cases of AIDS were described|.
Last year, |the hospital opened a burns unit|.
Of note, |the rash spares the palms|.
The report found that |waiting times had doubled|.
During the pandemic, |visits to emergency departments fell|.
At birth, |the lungs fill with air|.
With age, |the lens becomes stiff|.
Our data show that |nurses can run the clinic|.
Named for its shape, |the sphenoid bone resembles a butterfly|.
A century ago, |tuberculosis was the leading cause of death|.
"""

GERMAN_CHANGED_LAST = """
|Das Pflaster darf nicht geschnitten werden|, sofern der Hersteller es nicht ausdrücklich erlaubt.
|Levetiracetam wird mit 250| mg täglich begonnen.
|Eine Impfung wird empfohlen| für Personen ab 60 Jahren.
|Das Arzneimittel kann in der Stillzeit angewendet werden|, jedoch höchstens drei Tage lang.
|Kaffee schadet dem Herzen nicht|, solange es bei vier Tassen am Tag bleibt.
|Die Punktion ist ungefährlich|, wenn die Gerinnung normal ist.
|Der Schlaf besserte sich|, aber nur in der ersten Woche.
|Ein Bluttest genügt|, es sei denn, die Beschwerden nehmen zu.
|Fieber sollte bei Kindern gesenkt werden| ab 39 Grad und bei schlechtem Allgemeinzustand.
|Jeder Zweite| mit Bluthochdruck weiß nichts davon.
Lange hielt sich die Vorstellung, |Rheuma komme von feuchten Wohnungen|.
Nicht jeder Knoten in der Schilddrüse |muss operiert werden|.
Befürworter behaupten, dass |Heilfasten das Immunsystem stärkt|.
Kaum einer der Befragten |nahm die Tabletten regelmäßig|.
Solange der Verband trocken bleibt, |ist Duschen erlaubt|.
Im Reagenzglas |tötet der Extrakt Krebszellen|.
Bei eingeschränkter Nierenfunktion |wird die Dosis halbiert|.
Dass |Impfungen Autismus auslösen|, wurde vielfach widerlegt.
Es wäre falsch zu glauben, |dass Antidepressiva abhängig machen|.
Verzichten Sie auf |Alkohol während der Behandlung|.
"""

GERMAN_SAME_LAST = """
|Tinnitus ist ein Ohrgeräusch|, das nur der Betroffene hört.
|Die Kniescheibe schützt das Gelenk|, außerdem verstärkt sie die Kraft des Oberschenkels.
|Zöliakie ist eine Unverträglichkeit gegenüber Gluten|; sie bleibt lebenslang bestehen.
|Lepra ist mit drei Medikamenten heilbar|, die kostenlos abgegeben werden.
|Gallensteine entstehen über Jahre| und verursachen oft keine Beschwerden.
|Die Netzhaut wandelt Licht in Signale um|, die der Sehnerv weiterleitet.
|Zink ist wichtig für den Geschmackssinn|, wie Versuche zeigen.
|Polio wurde in Europa ausgerottet|, zuletzt 2002.
|Röteln verlaufen bei Kindern meist mild| (siehe unten).
|Der Wirkstoff wird über die Nieren ausgeschieden|, vor allem unverändert.
Seit 2020 |ist die Masernimpfung in Deutschland Pflicht|.
Die Autoren kommen zu dem Schluss, dass |frühe Bewegung den Aufenthalt verkürzt|.
Wie andere Penicilline |kann Amoxicillin einen Ausschlag auslösen|.
Mit dem Alter |wird die Linse steif|.
In einer großen dänischen Studie |erhöhte die Impfung das Risiko für Autismus nicht|.
Vor hundert Jahren |war Tuberkulose die häufigste Todesursache|.
Zusammenfassend |ist die Kompression die wichtigste Behandlung|.
Bei der Geburt |füllen sich die Lungen mit Luft|.
Experten sind sich einig, dass |Muttermilch die beste Nahrung für Säuglinge ist|.
Jedes Jahr |sterben etwa 10.000 Menschen durch Suizid|.
"""

FRENCH_CHANGED_LAST = """
|Le patch ne doit pas être découpé|, sauf indication contraire du fabricant.
|Le lévétiracétam est débuté à 250| mg par jour.
|La vaccination est recommandée| pour les personnes de plus de 65 ans.
|Le médicament peut être utilisé pendant l'allaitement|, mais trois jours au maximum.
|Le café ne nuit pas au cœur|, tant que l'on se limite à quatre tasses.
|La ponction est sans danger| si la coagulation est normale.
|Le sommeil s'est amélioré|, mais seulement la première semaine.
|Une prise de sang suffit|, à moins que les symptômes ne s'aggravent.
|La fièvre doit être traitée| au-delà de 38,5 °C chez l'enfant gêné.
|Un hypertendu sur deux| ignore sa maladie.
On a longtemps cru que |le rhumatisme venait de l'humidité|.
Tous les nodules de la thyroïde ne |doivent pas être opérés|.
Ses partisans affirment que |le jeûne renforce les défenses|.
Presque aucun des participants |ne prenait les comprimés régulièrement|.
Tant que le pansement reste sec, |la douche est autorisée|.
In vitro, |l'extrait tue les cellules cancéreuses|.
En cas d'insuffisance rénale, |la dose est réduite de moitié|.
L'idée selon laquelle |les vaccins causent l'autisme| a été maintes fois réfutée.
Il serait faux de croire que |les antidépresseurs rendent dépendant|.
Abstenez-vous de |boire de l'alcool pendant le traitement|.
"""

FRENCH_SAME_LAST = """
|L'acouphène est un bruit dans l'oreille|, que seul le patient entend.
|La rotule protège le genou|, et elle renforce le muscle de la cuisse.
|La maladie cœliaque est une intolérance au gluten| ; elle dure toute la vie.
|La lèpre se guérit avec trois médicaments|, fournis gratuitement.
|Les calculs se forment en plusieurs années| et restent souvent silencieux.
|La rétine transforme la lumière en signaux|, que le nerf optique transmet.
|Le zinc est nécessaire au goût|, comme le montrent plusieurs essais.
|La poliomyélite a été éliminée d'Europe|, en 2002.
|La rubéole est le plus souvent bénigne chez l'enfant| (voir plus bas).
|Le principe actif est éliminé par les reins|, surtout sous forme inchangée.
Depuis 2018, |onze vaccins sont obligatoires en France|.
Les auteurs concluent que |la mobilisation précoce raccourcit le séjour|.
Comme les autres pénicillines, |l'amoxicilline peut provoquer une éruption|.
Avec l'âge, |le cristallin devient rigide|.
Dans une grande étude danoise, |le vaccin n'a pas augmenté le risque d'autisme|.
Il y a cent ans, |la tuberculose était la première cause de décès|.
En résumé, |la compression est la base du traitement|.
À la naissance, |les poumons se remplissent d'air|.
Les experts s'accordent à dire que |le lait maternel est le meilleur aliment du nourrisson|.
Chaque année, |environ 9 000 personnes se suicident|.
"""


# -- a last set of English, written without a look at the rule --------------------------------

ENGLISH_AGAIN_CHANGED = """
|Dabigatran should be stopped| two days before surgery in patients with normal kidneys.
|The vaccine prevented 41| to 63 percent of hospital admissions.
|Colchicine is given as 500 micrograms| two to four times a day.
|Steroids shorten the hospital stay| only when started within 24 hours.
|Babies may sleep on their front| once they can roll both ways.
|The catheter can stay in place for 7| days at most.
|Screening with PSA lowers deaths from prostate cancer|, though the trials disagree.
|Pregnant women should not travel by air| after 36 weeks.
|Oral iron works as well as intravenous iron| except in chronic kidney disease.
|Statins caused muscle pain| no more often than dummy tablets.
|About 5| per 100,000 people develop the syndrome each year.
|You can stop taking the tablets| as soon as your doctor tells you to.
|Children under 16 must not take aspirin| unless a specialist prescribes it.
|The test misses one| cancer in five.
|The drug halves the risk of stroke| compared with no treatment, but not compared with warfarin.
|Exercise helps| people with mild but not severe depression.
|Thiazides are preferred| over beta blockers in older people without heart failure.
|The wound needs no antibiotics| provided that it is clean.
|Insulin requirements fall by 30| percent or more after delivery.
|Warm compresses relieve the pain|, or so the makers claim.
There is no convincing evidence that |glucosamine rebuilds cartilage|.
It was once believed that |ulcers were caused by stress|.
It is doubtful whether |early surgery improves survival|.
Only a minority of |patients recover their sense of smell|.
If the airway is threatened, |intubate without delay|.
Contrary to popular belief, it is untrue that |cold weather causes colds|.
Few experts agree that |the diet reverses diabetes|.
Rather than |restarting the anticoagulant at once|, wait for two weeks.
The trial failed to show that |the device lowers blood pressure|.
Do not |flush the line with heparin|.
In mice, |the compound restored insulin secretion|.
The authors had hypothesised that |zinc would shorten the illness|.
Unless symptoms return, |no further scans are needed|.
Neither group |reported any serious harm|.
One of the 14 |patients died of the infection|.
Before 1990, |aspirin was given to children with fever|.
Under no circumstances may |the dose be doubled|.
Critics dispute the claim that |fluoride lowers intelligence|.
In the rare event of anaphylaxis, |inject adrenaline into the thigh|.
It is too early to say that |the therapy cures sickle cell disease|.
"""

ENGLISH_AGAIN_SAME = """
|Hepatitis A spreads through contaminated food and water|, most often in places with poor sanitation.
|Lyme disease is caused by Borrelia burgdorferi|, a spiral bacterium.
|The thyroid gland lies in the front of the neck| and makes two hormones.
|Gallstones are common|; most of them are found by chance.
|Coeliac disease is an immune reaction to gluten|, which is found in wheat, rye and barley.
|Sepsis kills about 11 million people a year|, according to the World Health Organization.
|Allopurinol lowers the uric acid in the blood| (see Figure 3).
|Vitamin B12 is found in meat, fish and eggs|, among other foods.
|Tuberculosis most often affects the lungs|, causing cough, fever and weight loss.
|Amoxicillin belongs to the penicillins|, a group of antibiotics discovered in 1928.
|Rabies is almost always fatal|, making vaccination after a bite essential.
|The plaster is removed by a nurse|, usually in the outpatient clinic.
|Migraine affects three times as many women as men| and often begins in youth.
|Salbutamol relaxes the muscles of the airways|, thereby making it easier to breathe.
|Measles is one of the most contagious diseases known|, so outbreaks spread quickly.
|Tetanus spores live in soil|, dust and manure.
|Ultrasound uses sound waves to make pictures of the body| and involves no radiation.
|A fractured scaphoid is easily missed|; tenderness in the snuffbox is the clue.
|Shingles is a reactivation of the chickenpox virus|, typically in one strip of skin.
|The pancreas makes insulin|, as was shown by Banting and Best.
In addition, |smoking narrows the small blood vessels|.
As the guideline notes, |naloxone reverses the effects of opioids|.
It is well established that |handwashing reduces infections|.
For this reason, |potassium is checked two weeks after the start|.
A large review confirmed that |influenza vaccines lower the risk of admission|.
It is important to remember that |meningitis can progress within hours|.
Dr Patel, who leads the unit, said that |the beds were full every night last winter|.
In summary, |delirium is common and often overlooked|.
Today, |cataract surgery takes less than half an hour|.
Not surprisingly, |obesity raises the risk of sleep apnoea|.
Fortunately, |most concussions heal within weeks|.
Researchers at Leiden found that |the gene codes for a sodium channel|.
Like other opioids, |tramadol slows the breathing|.
Worldwide, |malaria kills more than half a million people a year|.
First, |the skin is cleaned with chlorhexidine|.
Also known as whooping cough, |pertussis is caused by a bacterium|.
Because it crosses the placenta, |warfarin can harm the unborn child|.
As a result, |the ankles swell towards the evening|.
The leaflet explains that |the capsules contain gelatine|.
Together with the liver, |the spleen removes old red cells|.
"""
