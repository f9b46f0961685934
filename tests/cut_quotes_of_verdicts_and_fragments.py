"""Quotes cut from rates, from whom they are about, from a verdict in the next cell or above, from
their price or their company; and clauses, appositions and references that limit nothing.

Of each kind cuts that change the meaning and such as do not, written before the rule that they
try. Between [[ and ]] stands what is quoted, between {{ and }} what the quote replaces by "…"; a
pair is a page and a quote of it that is set in another way.
"""

from __future__ import annotations

import re

_BEFORE = "The clinic opened in 1998 and serves a large rural area."
_AFTER = "More can be read in the booklet for families."

Case = str | tuple[str, str]


def page_and_quote(written: Case) -> tuple[str, str]:
    """The page and the quote of a case."""
    if isinstance(written, tuple):
        page, quote = written
    else:
        found = re.search(r"\[\[(.*?)\]\]", written, re.DOTALL)
        assert found is not None, written
        quote = re.sub(r"\s*\{\{.*?\}\}\s*", " … ", found[1])
        page = re.sub(r"\[\[|\]\]|\{\{|\}\}", "", written)
    between = "\n\n" if "\n" in page else " "
    return f"{_BEFORE}{between}{page}{between}{_AFTER}", quote


KINDS: dict[str, tuple[tuple[Case, ...], tuple[Case, ...]]] = {
    "rates": (
        (
            "Around [[12 to 15]] in every 100,000 children are born with the defect.",
            "[[About 3]] for every 1,000 deliveries need a transfusion.",
            "[[Between two and four]] per million users had the reaction.",
            "The rate was [[40]] per 100,000 person-years before the programme.",
            "[[Roughly 7 to 9]] among a thousand births end in this way.",
            "It affects [[between 1 and 5]] in each 10,000 people.",
            "[[Six or seven]] out of every thousand who were screened had a cancer.",
            "[[One to two cases]] per 10,000 vaccinated adults were reported.",
            "[[Some 20 deaths]] per million doses occurred.",
            "[[The complication occurs in 4 to 6]] in a hundred operations.",
        ),
        (
            "[[Between 5 and 10 in every 10,000 people had a convulsion]] after the dose.",
            "[[The disease affects about 3 in every 1,000 men]], mostly in the north.",
            "[[The rate was 40 per 100,000 person-years]], and it did not change.",
            "[[One in five adults snores]], as any partner knows.",
            "[[Two of the 40 nurses fell ill]], and both recovered.",
            "[[The gene has 12 exons]] and lies on chromosome 7.",
            "[[The tumour measured 3 cm]] in its largest diameter.",
            "[[Six of ten children recovered]], and they went home in the same week.",
            "[[The report lists 14 cases]] in every detail.",
        ),
    ),
    "for whom, in front without a comma": (
        (
            "For patients on ciclosporin [[the highest dose of rosuvastatin is 5 mg]].",
            "In children under two [[paracetamol is given every six hours at most]].",
            "In people with heart failure [[pioglitazone raises the risk of admission]].",
            "For women who are breastfeeding [[the recommended antidepressant is sertraline]].",
            "In infants below three months [[fever requires a full work-up]].",
            "With severe renal impairment [[the interval between doses is doubled]].",
            "During pregnancy [[iodine needs rise by half]].",
            "In smokers [[the pill triples the risk of a heart attack]].",
            "After a splenectomy [[vaccination against pneumococci is mandatory]].",
            "For adults over 75 [[the target is 150 mmHg]].",
            "In patients with liver disease [[paracetamol can be fatal]].",
        ),
        (
            "In this study [[the vaccine reduced the rate of pneumonia by half]].",
            "In 2019 [[the agency approved the drug for asthma]].",
            "For many years [[aspirin has been used to relieve pain]].",
            "In our hospital [[every newborn is screened for deafness]].",
            "In humans [[the liver makes bile]].",
            "In general [[antibiotics do not help against colds]].",
            "For example [[warfarin must be stopped before surgery]].",
            "In most countries [[the vaccine is given at birth]].",
            "At the clinic [[patients are seen within a week]].",
            "In the liver [[the drug is broken down by an enzyme]].",
            "After the war [[penicillin became available to everyone]].",
            "In fact [[smoking doubles the risk]].",
            "For people in need of help [[there is a telephone line]].",
        ),
    ),
    "a subject alone": (
        (
            "[[Giving aspirin to children]] below sixteen years of age can cause Reye's syndrome.",
            "[[The use of NSAIDs in patients]] with kidney failure is dangerous.",
            "[[Stopping beta blockers]] abruptly can provoke angina.",
            "[[Treatment with metformin]] in people with an eGFR under 30 is contraindicated.",
            "[[Screening of men]] older than 75 is not worthwhile.",
            "[[Drinking alcohol]] while taking metronidazole causes vomiting.",
            "[[Exposure to X-rays]] during the first trimester harms the fetus.",
            "[[Vaccinating newborns]] of infected mothers prevents hepatitis B.",
            "[[Lowering the blood pressure]] of frail people beyond 80 leads to falls.",
            "[[Feeding babies]] before they are able to sit leads to choking.",
            "[[Infusing potassium]] through a peripheral vein at this rate is dangerous.",
        ),
        (
            "The test measures [[the amount of sugar in the blood]] over three months.",
            "It is [[a chronic disease of the airways]] that affects children and adults.",
            "Shingles is caused by [[the varicella zoster virus]], which also causes chickenpox.",
            "It is caused by [[a parasite of the genus Plasmodium]] that mosquitoes spread.",
            "[[Bacterial infection of the middle ear]] is common in winter.",
            "[[Inflammation of the pancreas]] causes severe pain in the upper abdomen.",
            "[[Removal of the appendix]] is done through three small cuts.",
            "[[Loss of smell]] is often the first sign.",
            "[[Washing your hands]] is the best way to avoid an infection.",
            "[[Treatment with antibiotics]] is started on the same day.",
            "[[Swelling of the ankles]] and a cough are common.",
        ),
    ),
    "a weak source, named behind": (
        (
            "[[Vitamin D prevents asthma attacks]], a post hoc analysis of one trial suggests.",
            "[[The diet reverses diabetes]], preliminary data hint.",
            "[[Coffee lengthens life]], one small cohort suggests.",
            "[[The implant restores hearing]], early experiments in mice indicate.",
            "[[Zinc halves the length of a cold]], an unpublished survey of 30 students found.",
            "[[Screen time causes myopia]], anecdotal reports imply.",
            "[[The herb cures migraine]], a single case report suggests.",
            "[[Statins slow dementia]], exploratory subgroup results suggested.",
            "[[Probiotics relieve colic]], a pilot study of 18 infants suggests.",
            "[[The mutation causes the disease]], animal data suggest.",
            "[[The stent prevents strokes]] – a small uncontrolled series suggests.",
        ),
        (
            "[[Vitamin D prevents rickets]], a meta-analysis of 40 trials shows.",
            "[[The diet lowers cholesterol]], two large randomised trials confirm.",
            "[[Coffee does not cause cancer]], a Cochrane review concluded.",
            "[[The implant restores hearing]], the guideline states.",
            "[[Zinc tastes bitter]], our results show.",
            "[[Screens tire the eyes]], researchers from Oslo report.",
            "[[Smoking shortens life]], a nationwide cohort study found.",
            "[[Statins prevent strokes]], the authors write.",
            "[[Malaria is in retreat]], data from 12 countries show.",
        ),
    ),
    "a restrictive clause, elided": (
        (
            "[[Adults {{who have had a transplant}} must not receive live vaccines.]]",
            "[[Drugs {{that prolong the QT interval}} are contraindicated.]]",
            "[[Children {{whose mothers are carriers}} should be vaccinated at birth.]]",
            "[[Patients {{with a mechanical valve}} need lifelong anticoagulation.]]",
            "[[Tablets {{which are coated}} must not be crushed.]]",
            "[[Women {{aged over 35 who smoke}} should not take the combined pill.]]",
            "[[People {{taking MAO inhibitors}} must avoid cheese.]]",
            "[[Infants {{born before 32 weeks}} are screened for retinopathy.]]",
            "[[Wounds {{that are older than a day}} should be left open.]]",
            "[[Men {{over 50}} are offered a yearly test.]]",
            "[[Travellers {{without a spleen}} should carry antibiotics.]]",
        ),
        (
            "[[Malaria{{, which kills half a million people a year,}} is spread by mosquitoes.]]",
            "[[The patients{{, who were all over 60,}} were followed for a year.]]",
            "[[Aspirin{{, a drug that was first made in 1897,}} prevents heart attacks.]]",
            "[[Coeliac disease {{(which affects 1 % of people)}} damages the gut.]]",
            "[[The pancreas{{, a gland behind the stomach,}} makes insulin.]]",
            "[[The virus {{that causes measles}} spreads through the air.]]",
            "[[Nurses {{who work at the clinic}} visited the families.]]",
            "[[Cholera{{, as the map of chapter 3 shows,}} spreads by way of water.]]",
            "[[The researchers {{who led the trial}} thanked the families.]]",
        ),
    ),
    "a verdict in the next cell or above": (
        (
            "Claim\tVerdict\n[[Garlic cures high blood pressure.]]\tMyth",
            "| Belief | True? |\n| --- | --- |\n| [[Cold weather causes the flu]] | No |",
            "Statement | Evidence\n[[Zinc prevents pneumonia]] | Refuted",
            "[[Antibiotics help against flu]]\tIncorrect\nThey do not act on viruses\tCorrect",
            "Outdated advice\n\n[[Put butter on a burn.]]\n\nCurrent advice\n\nCool the burn.",
            "What people used to believe\n\n[[Leprosy is contagious.]]\n\nToday\n\nIt is not.",
            "Myths about vaccines\n\n[[Vaccines cause autism.]]\n\nFacts\n\nThey do not.",
            "Misconceptions\n[[Epilepsy is a mental illness.]]",
            "Old recommendation (until 2015)\n\n[[Avoid peanuts before the age of three.]]",
            "Myth\n\n[[You should starve a fever.]]\n\nFact\n\nEating does no harm.",
            "Myth\tFact\n[[Cracking knuckles causes arthritis]]\tJoints are not damaged by it.",
            "What we once thought\n\n[[Newborns feel no pain.]]\n\nWhat we know now\n\nThey do.",
        ),
        (
            "Statement\tTrue or false\nInsulin must be frozen.\tFalse\n"
            "[[Insulin can be kept at room temperature.]]\tTrue",
            "Symptom\tCommon?\n[[Loss of smell]]\tNo\nCough\tYes",
            "What doctors know today\n\n[[Most ulcers are caused by bacteria.]]",
            "Facts\n\n[[Vaccines do not cause autism.]]",
            "Myths\n\nUlcers come from stress.\n\nFacts\n\n[[Most ulcers are caused by bacteria.]]",
            "Current advice\n\n[[Cool the burn under running water.]]",
            "History\n\n[[The drug was found in 1897.]]",
            "False positives\n\n[[The test may be positive after vaccination.]]",
            "Wrong dose: what to do\n\n[[Call your doctor.]]",
            "Outdated advice\n\nUse butter.\n\nWhat to do instead\n\n[[Cool the burn with water.]]",
            "Why the old advice was wrong\n\n[[Butter keeps the heat in the skin.]]",
            "Myth\tFact\nKnuckles cause arthritis.\t[[Joints are not damaged by cracking.]]",
            "Drug\tSafe in pregnancy\n[[Paracetamol 500 mg]]\tYes\nIbuprofen 400 mg\tNo",
        ),
    ),
    "a sentence cut before what narrows it": (
        (
            "[[The vaccine was recalled]] from two pharmacies in the north.",
            "[[The drug was withdrawn]] from the Danish market for lack of sales.",
            "[[All beds were closed]] in one ward for a week.",
            "[[The tablets were banned]] from the hospital's own formulary.",
            "[[Visits are forbidden]] on the isolation ward.",
            "[[The screening programme was stopped]] in a single county.",
            "[[The trial was halted]] at one of its 40 centres.",
            "[[Resistance to the drug has been found]] in two samples from Peru.",
            "[[Patients stopped smoking]] for the three days of their stay.",
            "[[The inhaler was taken off the market]] in one state of the country.",
        ),
        (
            "[[The vaccine was developed]] by a team from Oxford.",
            "[[The drug was withdrawn]] because it damaged the liver.",
            "[[The tumour was removed]] from the left kidney.",
            "[[Blood was taken]] from a vein in the arm.",
            "[[The gallbladder was removed]] through three small cuts.",
            "[[The drug was withdrawn]] from the market in 2004.",
            "[[The programme was stopped]] in 2012.",
            "[[The patient was discharged]] from hospital on the fifth day.",
            "[[Samples were collected]] from 12 hospitals.",
            "[[The vaccine was recalled]] by the manufacturer.",
        ),
    ),
    "a price": (
        (
            "[[Radiotherapy controls the tumour]] at the expense of a dry mouth for life.",
            "[[The early operation prevents strokes]], at the cost of some deaths in surgery.",
            "[[Clozapine is the most effective drug]], at the price of regular blood tests.",
            "[[Aspirin prevented heart attacks]], but only at the expense of more bleeds.",
            "[[Screening saves lives]], in exchange for many needless biopsies.",
            "[[The higher dose shortened the illness]] – at the cost of seizures in 4 %.",
            "[[Steroids improve lung function]], at a price: bones become brittle.",
            "[[The drug extends survival]], albeit at the cost of severe fatigue.",
            "[[Tight control protects the eyes]], at the expense of hypoglycaemia.",
            "[[The pump keeps glucose normal]], at the risk of severe infection.",
        ),
        (
            "[[Vaccination protects all children]], at the expense of the state.",
            "[[The clinic screens all newborns]], at a cost of four dollars per child.",
            "[[Vaccination prevents measles]], at no cost to families.",
            "[[The test detects the gene]], at a price that many can afford.",
            "[[Generic drugs work as well as branded ones]], at a lower price.",
            "[[Glasses correct short sight]], and their cost has fallen.",
            "[[Exercise lowers blood pressure]], and it costs nothing.",
            "[[Dialysis keeps people alive]], at the expense of the health service.",
        ),
    ),
    "its company": (
        (
            "[[The diagnosis of lupus rests on antinuclear antibodies]] together with signs.",
            "[[Levodopa relieves the symptoms]] when combined with carbidopa.",
            "[[Asthma is confirmed by a fall in FEV1]] along with variable symptoms.",
            "[[Mifepristone ends a pregnancy]] in conjunction with misoprostol.",
            "[[Exercise lowers weight]] only when combined with a diet.",
            "[[Brain death is established by absent reflexes]] in conjunction with an apnoea test.",
            "[[Sepsis is recognised by a high lactate]] in combination with an infection.",
            "[[Nicotine patches help smokers to stop]] as part of a programme with counselling.",
            "[[Cancer is diagnosed from the biopsy]] taken together with the scan.",
            "[[Probenecid prevents relapses]] as an adjunct to penicillin.",
        ),
        (
            "[[The pancreas makes insulin]] together with glucagon.",
            "[[Fever is common]] along with cough and a rash.",
            "[[The nurse visits the family]] together with a midwife.",
            "[[Measles causes a rash]] together with fever.",
            "[[The artery runs beside the nerve]] together with the vein.",
            "[[The team wrote the leaflet]] together with patients.",
            "[[Malaria is a major cause of death]], together with tuberculosis and HIV.",
            "[[Anaemia causes tiredness]], together with pale skin.",
        ),
    ),
    "clauses that limit nothing": (
        (
            "[[The drug shrinks tumours]], although it is not known whether this prolongs life.",
            "[[The cream heals the rash]], although the effect was not seen in women.",
            "[[The drug relieves pain]], but whether the effect lasts is unknown.",
            "[[The drug lowered mortality]], although the difference was not significant.",
            "[[Garlic lowers cholesterol]], although the evidence is not strong.",
            "[[The test detects cancer early]], but nobody has confirmed it.",
            "[[The vaccine works]], though not in children, for unknown reasons.",
            "[[Symptoms improved]], although it is not clear that the drug was the cause.",
            "[[The gene causes autism]], although the link is not proven.",
        ),
        (
            "[[Lupus is more common in women]], although nobody knows why.",
            "[[Lithium prevents mania]], although the mechanism is not understood.",
            "[[Migraine is more frequent in spring]], but it is not known why.",
            "[[Paracetamol relieves pain]], though scientists do not know exactly how.",
            "[[Asthma is more common in cities]], although the reasons remain unclear.",
            "[[Type 1 diabetes is rising]], even though the cause has not been found.",
            "[[Psoriasis runs in families]], although its exact cause is uncertain.",
            "[[Boys are affected more often]], but the reason for this is unclear.",
            "[[Botulinum toxin prevents migraine]], although how it does so is not understood.",
            "[[Men recover faster]], for reasons that are not understood.",
        ),
    ),
    "appositions": (
        (
            "[[The drug helped men]], the only group that was studied.",
            "[[Sugar makes children hyperactive]], a claim that was later withdrawn.",
            "[[The patch relieved pain]], an effect that vanished after a year.",
            "[[Bed rest helps the back]], a treatment that no guideline supports.",
            "[[The drug may be used in arthritis]], the only illness for which it is approved.",
            "[[Zinc prevents colds]], a result that two trials contradict.",
            "[[The herb heals ulcers]], a finding that rests on eight patients.",
            "[[Stress causes cancer]], an idea that has been abandoned.",
        ),
        (
            "[[Iron is needed to make haemoglobin]], the pigment that carries oxygen.",
            "[[Thiamine is required by the brain]], the organ that uses most glucose.",
            "[[Smokers heal poorly after surgery on the cornea]], the clear window of the eye.",
            "[[Metformin may cause lactic acidosis]], a condition that is treated in hospital.",
            "[[Patients should be tested for ferritin]], the protein that stores iron.",
            "[[The test is recommended for sarcoidosis]], an illness that affects the lungs.",
            "[[Fluoride is needed to harden enamel]], the hardest tissue in the body.",
            "[[Vaccination prevents tetanus]], the disease that is also called lockjaw.",
            "[[Vitamin K is needed to make prothrombin]], the factor that holds a clot together.",
            "[[Steroids suppress the adrenal glands]], which lie on top of the kidneys.",
        ),
    ),
    "references": (
        (
            (
                "The drug lowered the risk by 3.5 Oxygen helped too.",
                "The drug lowered the risk by 3",
            ),
            ("Patients were in class 3.5 Oxygen helped.", "Patients were in class. Oxygen helped."),
            (
                "The score was raised by 12.4 Points were lost.",
                "The score was raised by 12. Points were lost.",
            ),
            ("In that week,7 patients died of the flu.", "In that week, patients died of the flu."),
            ("Serum iron fell [by 12 %] in a week.", "Serum iron fell in a week."),
            ("The dose [12 mg] was raised slowly.", "The dose was raised slowly."),
            ("See table no.5 Patients were excluded.", "See table no. Patients were excluded."),
            ("The pH was low [7.1] on admission.", "The pH was low on admission."),
        ),
        (
            (
                "Croup is worst at night.4 Cold air helps.",
                "Croup is worst at night. Cold air helps.",
            ),
            (
                "Gout is common in men.12,14 Beer is a cause.",
                "Gout is common in men. Beer is a cause.",
            ),
            (
                "Most colds pass quickly.1–3 Rest is enough.",
                "Most colds pass quickly. Rest is enough.",
            ),
            (
                "The pill raises the risk,7 but smoking raises it more.",
                "The pill raises the risk, but smoking raises it more.",
            ),
            (
                "Scurvy is rare [3, pp. 12–15] and easily cured.",
                "Scurvy is rare and easily cured.",
            ),
            (
                "Rabies is fatal [7, Table 2] once symptoms appear.",
                "Rabies is fatal once symptoms appear.",
            ),
            (
                "Lyme disease is spread by ticks [12, chapter 4].",
                "Lyme disease is spread by ticks.",
            ),
            (
                "Measles spreads easily [4, p. 3; 9, p. 120] in schools.",
                "Measles spreads easily in schools.",
            ),
            (
                "Anaphylaxis is treated with adrenaline.6\n\nMore help is needed.",
                "Anaphylaxis is treated with adrenaline.",
            ),
            ("Tea contains caffeine.9 “It wakes you.”", "Tea contains caffeine. “It wakes you.”"),
        ),
    ),
}
"""By kind: the cuts that change the meaning, and what changes nothing."""

LATER_KINDS: dict[str, tuple[tuple[Case, ...], tuple[Case, ...]]] = {
    "rates": (
        (
            "[[Eleven]] in each thousand of those screened had an aneurysm.",
            "The registry counted [[between 30 and 50 new cases]] per million inhabitants.",
            "[[Nearly 2]] per thousand live births are affected.",
            "There were [[15 strokes]] per 1,000 patient-years.",
            "[[Perhaps three]] in every hundred who take it get a rash.",
        ),
        (
            "[[There were 15 strokes per 1,000 patient-years]] in this group, as we had expected.",
            "[[Eleven of the nurses]] were asked in every detail about their work.",
            "[[The hospital has 300 beds]] and a helipad.",
            "[[Every second child had a cold that winter]], which is not unusual.",
            "[[The kidneys filter 180 litres of fluid each day]], most of which is taken up again.",
        ),
    ),
    "for whom, in front without a comma": (
        (
            "In people who have had a stroke [[blood pressure should be lowered slowly]].",
            "Among women with gestational diabetes [[metformin is an alternative to insulin]].",
            "For children allergic to eggs [[the vaccine is given in hospital]].",
            "After a heart transplant [[live vaccines are forbidden]].",
            "With repeated use [[the spray makes congestion worse]].",
            "In those under 50 kg [[the dose is halved]].",
        ),
        (
            "In recent years [[the number of cases has fallen]].",
            "During the night [[the fever rose to 39 degrees]].",
            "In the second trial [[the drug prevented relapses]].",
            "With time [[the scar fades]].",
            "In northern Europe [[rickets was common among children]].",
            "On examination [[the abdomen was soft]].",
            "For centuries [[willow bark has been used to lower fever]].",
        ),
    ),
    "a subject alone": (
        (
            "[[Prescribing codeine]] to breastfeeding mothers has led to deaths.",
            "[[Raising the dose]] without checking the kidneys is a mistake.",
            "[[Long-term use of benzodiazepines]] by older people raises the risk of falls.",
            "[[Exercise]] shortly after a heart attack must be supervised.",
            "[[The administration of oxygen]] at high concentrations harms premature babies.",
            "[[Switching from one brand to another]] during an epidemic of seizures is risky.",
        ),
        (
            "[[Drinking enough water]] and eating fibre keep the bowel moving.",
            "[[Giving birth at home]] is popular in the Netherlands.",
            "[[The use of helmets]] has become more common since 2010.",
            "[[Screening for bowel cancer]] saves lives.",
            "The team studied [[giving antibiotics by mouth]] and by vein.",
        ),
    ),
    "a weak source, named behind": (
        (
            "[[Fish oil improves memory]], a study in twelve students suggests.",
            "[[Turmeric kills cancer cells]], according to laboratory work.",
            "[[Walking backwards relieves back pain]], some early findings suggest.",
            "[[Cannabis relieves spasticity]], although only one uncontrolled trial says so.",
            "[[Naps lengthen life]], an online poll claims.",
            "[[Ginger prevents travel sickness]] – at least an old survey of sailors hints at it.",
        ),
        (
            "[[Fish oil does not prevent strokes]], the largest trial so far has shown.",
            "[[Smoking harms the unborn child]], all studies agree.",
            "[[Aspirin thins the blood]], as every textbook says.",
            "[[Exercise lowers the risk of diabetes]], according to the World Health Organization.",
            "[[Salt raises blood pressure]], a trial with 20,000 participants found.",
        ),
    ),
    "a restrictive clause, elided": (
        (
            "[[Diabetics {{whose feet are numb}} should not walk barefoot.]]",
            "[[Bites {{that break the skin}} require antibiotics.]]",
            "[[Mothers {{with untreated HIV}} should not breastfeed.]]",
            "[[Antibiotics {{of the tetracycline class}} must not be given to children.]]",
            "[[Babies {{weighing less than 1500 g}} need extra iron.]]",
        ),
        (
            "[[Diabetics{{, whose feet are often numb,}} should not walk barefoot.]]",
            "[[Vaccines {{(of which there are several)}} prevent measles.]]",
            "[[The antibody {{that the company makes}} lowers cholesterol.]]",
            "[[Steroids{{, as noted above,}} thin the skin.]]",
        ),
    ),
    "a verdict in the next cell or above": (
        (
            "Belief\tWhat studies show\n[[Sugar makes children wild.]]\tNo effect in 23 trials.",
            "| Claim | Correct? |\n|---|---|\n| [[Insulin is swallowed.]] | Incorrect |",
            "Things people get wrong about allergies\n\n[[Hay fever is contagious.]]",
            "Five myths\n\n[[Cold air causes pneumonia.]]\n\nAntibiotics cure colds.",
            "Five myths\n\nCold air causes pneumonia.\n\n[[Antibiotics cure colds.]]",
            "Superseded guidance\n\n[[All children with fever should have a lumbar puncture.]]",
            "Then\tNow\n[[Bed rest for six weeks after a heart attack]]\tUp on the second day",
            "Myth 2: [[Vaccines overload the immune system.]] They do not.",
            "What was believed in 1950\n\n[[Polio is spread by ice cream.]]",
        ),
        (
            "Question\tAnswer\n[[Insulin must be injected.]]\tTrue, the stomach destroys it.",
            "Treatment then and now\n\n[[Patients get up on the second day.]]",
            "What was found\n\n[[Polio is spread by water.]]",
            "| Drug | Dose |\n|---|---|\n| [[Ibuprofen is taken with food]] | 400 mg |",
            "Former smokers\n\n[[The risk falls after five years.]]",
            "Old age\n\n[[Falls are common.]]",
            "Test\tResult\n[[The stool contained blood]]\tNegative for worms",
        ),
    ),
    "a sentence cut before what narrows it": (
        (
            "[[The ban on smoking was lifted]] in the garden of the hospice.",
            "[[Operations were cancelled]] on the day of the strike.",
            "[[The contrast agent was abandoned]] for examinations of the knee.",
            "[[Polio has been eradicated]] in two of its three types.",
            "[[The drug was discontinued]] in patients who had a rash.",
            "[[Resistant strains were detected]] in a single patient.",
        ),
        (
            "[[Polio has been eradicated]] thanks to vaccination.",
            "[[The drug was discontinued]] by its maker in 2011.",
            "[[The wound was closed]] with stitches.",
            "[[The airway was opened]] with the head tilted back.",
            "[[Antibodies were detected]] by an immunoassay.",
            "[[The needle was removed]] from the arm.",
        ),
    ),
    "a price": (
        (
            "[[Chemotherapy lengthened survival]], but the price was hearing loss in a third.",
            "[[Warfarin prevents strokes]], at the risk of bleeding into the brain.",
            "[[The brace straightens the spine]] at considerable cost to the child's comfort.",
            "[[The surgery restores continence]], although often at the cost of pain.",
            "[[Fasting lowers weight]], but at the expense of muscle.",
        ),
        (
            "[[The pump spares injections]], and its price is covered.",
            "[[All refugees are vaccinated]], at public expense.",
            "[[Masks prevent infection]], at little cost.",
            "[[The test saves time]], at a cost of 20 euros.",
            "[[Statins prevent heart attacks]], at low cost and with few side effects.",
        ),
    ),
    "its company": (
        (
            "[[Meningitis is diagnosed by neck stiffness]] together with changes in the fluid.",
            "[[Buprenorphine reduces relapses]] if combined with counselling.",
            "[[Lactulose improves the outcome]] when added to rifaximin.",
            "[[Light therapy heals the rash]] along with a drug that makes the skin sensitive.",
            "[[Weight loss was achieved]] with the drug plus a diet.",
        ),
        (
            "[[The facial nerve leaves the skull]] together with an artery.",
            "[[Dr Lund described the disease]] together with her husband.",
            "[[The liver stores iron]] along with vitamin B12.",
            "[[Nausea occurs]] along with dizziness.",
            "[[The committee published the guideline]] in conjunction with a patient group.",
        ),
    ),
    "clauses that limit nothing": (
        (
            "[[The herb lowers blood pressure]], although nobody knows if it prevents strokes.",
            "[[Survival improved]], though for unknown reasons only in men.",
            "[[The screening test is accurate]], although how accurate is not known.",
            "[[The pill is effective]], but it is not known how long it works.",
            "[[Acupuncture relieves pain]], although the trials were not blinded.",
        ),
        (
            "[[Hay fever has become more common]], and no one is quite sure why.",
            "[[Narcolepsy starts in youth]], though its cause is a mystery.",
            "[[Women live longer than men]], but why this is so remains unclear.",
            "[[Cluster headaches return in spring]], although what triggers them is not known.",
            "[[The lithium level rises in heat]], although the mechanism has not been worked out.",
        ),
    ),
    "appositions": (
        (
            "[[The treatment cured the infection]], the first case in which it was tried.",
            "[[Vitamin E protects the heart]], a hope that large trials have dashed.",
            "[[The drug slows Alzheimer's disease]], a conclusion that few experts share.",
            "[[The vaccine is effective]], a claim based on one season.",
        ),
        (
            "[[Calcium is needed to build bone]], a tissue that is renewed all life long.",
            "[[The test must be done before surgery on the thyroid]], a gland in the neck.",
            "[[Penicillin is recommended for scarlet fever]], a disease of childhood.",
            "[[Glucagon should be kept in the refrigerator]], the place where insulin is kept too.",
            "[[Beta blockers may mask hypoglycaemia]], a fall in blood sugar.",
        ),
    ),
    "references": (
        (
            (
                "The mean pain score was three.2 points lower.",
                "The mean pain score was three. points lower.",
            ),
            (
                "Use the cream in winter.3 Times a day is enough.",
                "Use the cream in winter 3 times a day is enough.",
            ),
            ("The ratio [1:4] was kept in both groups.", "The ratio was kept in both groups."),
        ),
        (
            (
                "Mumps causes swelling of the glands.¹⁴ Rest helps.",
                "Mumps causes swelling of the glands. Rest helps.",
            ),
            (
                "Mumps causes swelling of the glands.14\nRest helps.",
                "Mumps causes swelling of the glands. Rest helps.",
            ),
            ("Eczema itches (see ref. 12) at night.", "Eczema itches (see ref. 12) at night."),
            ("Statins lower cholesterol [5, pp. 3-9].", "Statins lower cholesterol."),
            (
                "Statins lower cholesterol,5,6 and prevent strokes.",
                "Statins lower cholesterol, and prevent strokes.",
            ),
            (
                "Insulin lowers glucose [Smith 2010, p. 4] within minutes.",
                "Insulin lowers glucose within minutes.",
            ),
        ),
    ),
}
"""Written once the rule had been made after the others: 49 of 66 and 7 of 65 were told then."""

OF_EVERY_KIND: tuple[tuple[Case, ...], tuple[Case, ...]] = (
    (
        "[[Some 40]] out of every 1,000 women over 70 break a hip.",
        "[[The error rate is 3]] per ten thousand prescriptions.",
        "In patients who take steroids [[fever may be absent]].",
        "For newborns of diabetic mothers [[glucose is measured every hour]].",
        "On an empty stomach [[the tablet is absorbed twice as fast]].",
        "During the second trimester [[the drug is considered safe]].",
        "[[Rubbing alcohol]] into a burn makes it worse.",
        "[[Removing a tick]] with petrol is not advised.",
        "[[Vaccination of children]] with egg allergy is done in hospital.",
        "[[Mistletoe prolongs survival]], one retrospective series from 1982 claims.",
        "[[Kangaroo care lowers mortality]], a trial in 43 babies hinted.",
        "[[Vitamin B12 prevents dementia]], so an abstract says.",
        "[[Athletes {{with long QT syndrome}} must not compete.]]",
        "[[Lesions {{that bleed or itch}} should be removed.]]",
        "[[Nurses {{who are not immune to varicella}} should not care for these patients.]]",
        "Popular belief | Science says\n[[Carrots improve night vision]] | Not true",
        "Myth busting\n\n[[Shaving makes hair grow thicker.]]",
        "Discredited theories\n\n[[Miasma causes cholera.]]\n\nThe germ theory\n\nBacteria do.",
        "Statement\tT/F\n[[HIV is spread by mosquitoes.]]\tF",
        "What grandmother said\n\nMyth: [[Reading in the dark ruins the eyes.]]",
        "[[The licence was suspended]] in two cantons.",
        "[[The test was abandoned]] for children under six.",
        "[[Visitors are allowed]] in the afternoon only.",
        "[[Measles was eliminated]] from the Americas.",
        "[[Transplantation restores sight]], at the price of lifelong drops.",
        "[[Heparin reduced clots]] at the cost of more bleeding.",
        "[[Opioids relieve pain]], in return for constipation.",
        "[[Diagnosis rests on a low sodium]] in conjunction with concentrated urine.",
        "[[Rifampicin cures tuberculosis]] only together with other drugs.",
        "[[The patch works]] when coupled with advice.",
        "[[Green tea prevents cancer]], a theory that no trial has borne out.",
        "[[The implant lasts for life]], the makers hope.",
    ),
    (
        "[[Some 40 out of every 1,000 women over 70 break a hip]], most of them at home.",
        "[[The error rate is 3 per ten thousand]], as in other hospitals.",
        "In the morning [[the joints are stiff]].",
        "On the third day [[a rash appears on the face]].",
        "In the United States [[about 40,000 people a year need dialysis]].",
        "[[Rubbing the eyes]] is a habit of many children.",
        "[[Removal of the tonsils]] is a common operation.",
        "[[Kangaroo care lowers mortality]], a Cochrane review of 21 trials shows.",
        "[[Smoking causes lung cancer]], epidemiologists have shown.",
        "[[Athletes{{, who sweat a lot,}} must drink more.]]",
        "[[The lesions {{that we saw}} were benign.]]",
        "Popular belief | Science says\nCarrots cure blindness "
        "| [[Vitamin A deficiency causes night blindness]]",
        "What we know\n\n[[Bacteria cause cholera.]]",
        "Statement\tT/F\n[[HIV is spread by sexual contact.]]\tT",
        "Truth and myth\n\n[[Reading in dim light tires the eyes.]]",
        "Previous surgery\n\n[[Adhesions may form after an operation.]]",
        "Old and new names\n\n[[Wegener's disease is now called GPA.]]",
        "[[The operation was stopped]] because of bleeding.",
        "[[Measles was eliminated]] through vaccination.",
        "[[The lens was removed]] by suction.",
        "[[Dialysis saves lives]], and the costs are borne by insurers.",
        "[[Screening is offered to all]], at no charge.",
        "[[The artery divides]] together with the nerve.",
        "[[Gout is more common in men]], for reasons that are not fully understood.",
        "[[Sleep strengthens memory]], though exactly how is unknown.",
        "[[Vitiligo often begins in childhood]], but what causes it is still unclear.",
        "[[Insulin is made in the pancreas]], a gland behind the stomach.",
        "[[Warfarin inhibits vitamin K]], the vitamin that is needed for clotting.",
        "[[Patients should avoid tyramine]], an amine found in cheese.",
        ("Polio paralyses few.8,9 Most recover.", "Polio paralyses few. Most recover."),
        ("Rickets softens bones (Lund et al., 2011) early.", "Rickets softens bones early."),
        ("Scabies itches at night [14, p. 201].", "Scabies itches at night."),
        ("Statins are safe [2,3; 7, pp. 4–9] in the elderly.", "Statins are safe in the elderly."),
    ),
)
"""Written last: when they were new, 30 of 32 and 2 of 33 were told."""
