"""Quotes that say something else than their page, and quotes that only look otherwise.

Written before the engine that they try. Every case is (page, quote): the page holds one of
``SENTENCES`` between two others, the quote is that sentence falsified in one place (``false_ones``)
or set in another way (``harmless_ones``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

SENTENCES = (
    "Take 500 mg of paracetamol every 6 hours and do not exceed 4 g in 24 hours.",
    "Aspirin is not recommended for children younger than 16 years.",
    "Start warfarin at 5 mg once daily and check the INR on day 3.",
    "About 12.5% of patients had a relapse, compared with 8.3% of controls.",
    "The vaccine was approved on 14 March 2019 for adults aged ≥ 65 years.",
    "Stop metformin if the eGFR falls to < 30 mL/min/1.73 m².",
    "Insulin must not be given by mouth because it is destroyed in the stomach.",
    "Platelets below 50 × 10⁹/L increase the risk of bleeding after surgery.",
    "Levothyroxine is started at 25 mcg in older adults with heart disease.",
    "Patients should fast for at least 8 hours before the procedure.",
    "No more than 2 tablets should be taken within 24 hours.",
    "Hypoglycaemia may occur with sulfonylureas, but rarely with metformin alone.",
    "The drug increases the heart rate and decreases the blood pressure.",
    "Blood cultures should be taken before the first dose of an antibiotic.",
    "Treatment without surgery was safe in 93 of 104 children (89.4%).",
    "Potassium above 6.5 mmol/L requires treatment within 30 minutes.",
    "Give amoxicillin 45 mg/kg per day in 2 divided doses for 10 days.",
    "The relative risk was 0.82 (95% CI 0.71–0.95; P = 0.008).",
    "Women who are pregnant must never take isotretinoin.",
    "Symptoms usually improve within 48 to 72 hours after treatment has begun.",
    "A temperature of −2 °C or lower damages the stored vaccine.",
    "There is no evidence that vitamin C prevents the common cold.",
    "Low-dose computed tomography is offered every year between 50 and 80 years of age.",
    "Systolic pressure was reduced by 9.1 mmHg and diastolic pressure by 4.6 mmHg.",
    "Gentamicin levels of more than 2 mg/L before the next dose are toxic.",
    "The second dose is given 21 days after the first dose.",
    "Most patients recover fully; fewer than 1 in 1,000 die of the infection.",
    "Up to 30% of carriers have no symptoms at all.",
    "Methotrexate is taken once weekly, never once daily.",
    "Heparin may be used during breastfeeding, while dabigatran is contraindicated.",
    "An HbA1c of 48 mmol/mol (6.5%) or higher confirms diabetes.",
    "The left kidney was removed and the right kidney was spared.",
    "Adrenaline 0.5 mg is injected into the muscle, not into a vein.",
    "Steroids are safe and effective when they are used for less than 7 days.",
    "Viral load fell from 10⁶ to 10³ copies per mL in 4 weeks.",
    "Children over 12 years may take the adult dose of 10 mL.",
    "Hyperkalaemia was seen in 7 patients, hypokalaemia in 15 patients.",
    "Bed rest is unnecessary, and early movement is encouraged.",
    "Sodium must be corrected slowly, by at most 10 mmol/L in 24 hours.",
    "The ulcer heals in 6–8 weeks with a proton pump inhibitor.",
    "Only patients with symptoms should be tested again after 3 months.",
    "Survival was higher with chemotherapy than with radiation alone (71% vs 64%).",
    "Colchicine 500 µg is given twice daily until the pain has gone.",
    "The test has a sensitivity of 96% and a specificity of 88%.",
    "Do not stop beta-blockers suddenly, since angina can become worse.",
    "Oral rehydration is preferred to intravenous fluids in mild dehydration.",
    "In January 2021 the trial was stopped early because of harm.",
    "The half-life is 5 hours in adults and 14 hours in newborns.",
)

SWAPS = (
    (" not ", " "),
    (" not ", " now "),
    ("No ", "Some "),
    (" no ", " some "),
    (" never ", " always "),
    (" never ", " "),
    ("Do not stop", "Do stop"),
    ("is no ", "is "),
    (" must not ", " must "),
    (" must ", " may "),
    (" may ", " must "),
    (" should ", " could "),
    ("without", "with"),
    (" with ", " without "),
    ("before", "after"),
    ("after", "before"),
    ("increases", "decreases"),
    ("decreases", "increases"),
    ("increase ", "decrease "),
    ("reduced", "raised"),
    ("at least", "at most"),
    ("at most", "at least"),
    ("more than", "less than"),
    ("less than", "more than"),
    ("No more than", "No less than"),
    ("fewer than", "more than"),
    ("Up to", "At least"),
    ("below", "above"),
    ("above", "below"),
    ("younger", "older"),
    ("older", "younger"),
    ("over 12", "under 12"),
    ("higher", "lower"),
    ("lower", "higher"),
    ("Hypo", "Hyper"),
    ("Hyper", "Hypo"),
    ("hypo", "hyper"),
    ("Low-", "High-"),
    ("≥", "≤"),
    ("≥", ">"),
    ("≥", "<"),
    ("<", ">"),
    ("<", "≤"),
    ("< ", ""),
    ("≥ ", ""),
    ("mg", "mcg"),
    ("mg", "g"),
    ("mcg", "mg"),
    ("µg", "mg"),
    ("mL", "L"),
    ("mmol", "mol"),
    ("mg/L", "mg/dL"),
    ("mg/kg", "mg"),
    ("/kg per day", "/kg"),
    ("mmol/L", "mmol"),
    ("mg", "Mg"),
    ("mmHg", "cmHg"),
    ("hours", "days"),
    ("hours", "minutes"),
    ("days", "weeks"),
    ("weeks", "months"),
    ("minutes", "hours"),
    ("years", "months"),
    ("daily", "weekly"),
    ("weekly", "daily"),
    ("twice", "once"),
    ("once", "twice"),
    ("every year", "every month"),
    ("%", ""),
    ("95%", "90%"),
    ("March", "May"),
    ("January", "June"),
    ("2019", "2009"),
    ("14 March", "4 March"),
    ("2021", "2012"),
    ("10⁹", "10⁶"),
    ("10⁹", "109"),
    ("10⁶", "106"),
    ("10³", "10²"),
    ("10⁶", "10⁻⁶"),
    ("m²", "m³"),
    ("−2", "2"),
    ("−2", "+2"),
    ("P = ", "P < "),
    ("P = ", "P ≠ "),
    ("0.71–0.95", "0.71, 0.95"),
    ("6–8", "68"),
    ("6–8", "6 8"),
    ("1,000", "1.000"),
    ("1,000", "100"),
    ("0.5", "5"),
    ("0.5", "0.05"),
    ("12.5", "1.25"),
    ("12.5", "125"),
    ("6.5", "65"),
    ("0.82", "0.28"),
    ("0.008", "0.08"),
    ("45 mg", "4 5 mg"),
    ("1 in 1,000", "11,000"),
    ("left", "right"),
    ("safe", "unsafe"),
    (" safe", " not safe"),
    ("unnecessary", "necessary"),
    ("contraindicated", "indicated"),
    ("Oral", "Intravenous"),
    ("mild", "severe"),
    ("improve", "worsen"),
    ("recover", "die"),
    ("sensitivity", "specificity"),
    ("Only", "All"),
    ("Systolic", "Diastolic"),
    ("second", "third"),
    ("rarely", "often"),
    ("usually", "seldom"),
    (" and ", " or "),
    ("effective", "ineffective"),
    ("A temperature", "Atemperature of"),
    ("is preferred", "is not preferred"),
    ("is offered", "is not offered"),
    ("were", "were not"),
    ("was safe", "was never safe"),
    ("worse", "better"),
    ("most ", "few "),
    ("Most ", "Few "),
    ("toxic", "nontoxic"),
    ("slowly", "quickly"),
    ("adult", "child"),
    ("between 50 and 80", "between 80 and 50"),
    ("48 to 72", "72 to 48"),
)

CUT = (
    (
        "Aspirin is not recommended for children younger than 16 years.",
        "recommended for children younger than 16 years",
    ),
    (
        "Insulin must not be given by mouth because it is destroyed in the stomach.",
        "be given by mouth because it is destroyed",
    ),
    (
        "There is no evidence that vitamin C prevents the common cold.",
        "evidence that vitamin C prevents the common cold",
    ),
    (
        "There is no evidence that vitamin C prevents the common cold.",
        "vitamin C prevents the common cold",
    ),
    (
        "Patients should fast for at least 8 hours before the procedure.",
        "8 hours before the procedure",
    ),
    ("The vaccine was approved on 14 March 2019 for adults aged ≥ 65 years.", "65 years"),
    ("Stop metformin if the eGFR falls to < 30 mL/min/1.73 m².", "30 mL/min/1.73 m²"),
    ("Stop metformin if the eGFR falls to < 30 mL/min/1.73 m².", "eGFR falls to < 30 mL"),
    ("Adrenaline 0.5 mg is injected into the muscle, not into a vein.", "5 mg is injected"),
    ("Adrenaline 0.5 mg is injected into the muscle, not into a vein.", "into a vein"),
    (
        "Take 500 mg of paracetamol every 6 hours and do not exceed 4 g in 24 hours.",
        "00 mg of paracetamol every 6 hours",
    ),
    (
        "Take 500 mg of paracetamol every 6 hours and do not exceed 4 g in 24 hours.",
        "exceed 4 g in 24 hours",
    ),
    ("Give amoxicillin 45 mg/kg per day in 2 divided doses for 10 days.", "amoxicillin 45 mg"),
    ("Give amoxicillin 45 mg/kg per day in 2 divided doses for 10 days.", "amoxicillin 45"),
    ("The test has a sensitivity of 96% and a specificity of 88%.", "a sensitivity of 96"),
    ("Viral load fell from 10⁶ to 10³ copies per mL in 4 weeks.", "Viral load fell from 10"),
    ("A temperature of −2 °C or lower damages the stored vaccine.", "2 °C or lower damages"),
    (
        "Hypoglycaemia may occur with sulfonylureas, but rarely with metformin alone.",
        "glycaemia may occur with sulfonylureas",
    ),
    (
        "Bed rest is unnecessary, and early movement is encouraged.",
        "necessary, and early movement is encouraged",
    ),
    ("Women who are pregnant must never take isotretinoin.", "take isotretinoin"),
    ("Methotrexate is taken once weekly, never once daily.", "Methotrexate is taken … once daily"),
    (
        "Aspirin is not recommended for children younger than 16 years.",
        "Aspirin is ... recommended for children younger",
    ),
    (
        "Insulin must not be given by mouth because it is destroyed in the stomach.",
        "Insulin must […] be given by mouth",
    ),
    ("The ulcer heals in 6–8 weeks with a proton pump inhibitor.", "8 weeks with a proton pump"),
    ("The ulcer heals in 6–8 weeks with a proton pump inhibitor.", "The ulcer heals in 6"),
    (
        "Most patients recover fully; fewer than 1 in 1,000 die of the infection.",
        "fewer than 1 in 1",
    ),
    (
        "Most patients recover fully; fewer than 1 in 1,000 die of the infection.",
        "000 die of the infection",
    ),
    (
        "No more than 2 tablets should be taken within 24 hours.",
        "more than 2 tablets should be taken within 24 hours",
    ),
    (
        "No more than 2 tablets should be taken within 24 hours.",
        "2 tablets should be taken within 24 hours",
    ),
    ("Up to 30% of carriers have no symptoms at all.", "30% of carriers have"),
    (
        "Only patients with symptoms should be tested again after 3 months.",
        "Patients with symptoms should be tested again after 3 months.",
    ),
    (
        "Most patients recover fully; fewer than 1 in 1,000 die of the infection.",
        "patients recover fully",
    ),
    ("Stop metformin if the eGFR falls to < 30 mL/min/1.73 m².", "the eGFR falls to < 30 mL/min"),
)

GLUED = (
    ("A symptomatic patient is treated at once.", "Asymptomatic patient is treated at once."),
    ("Asymptomatic patients need no drug.", "A symptomatic patients need no drug."),
    ("The fall is notable in the elderly.", "The fall is not able in the elderly."),
    ("She was not able to walk after 3 days.", "She was notable to walk after 3 days."),
    ("He took 2 500 mg tablets at noon.", "He took 2500 mg tablets at noon."),
    ("See section 3. 5 mg were given twice.", "See section 3.5 mg were given twice."),
    ("Give 1½ tablets in the morning.", "Give 11/2 tablets in the morning."),
    ("Give ½ tablet in the morning.", "Give 1 2 tablet in the morning."),
    ("The dose was 5 ± 2 mg in the first arm.", "The dose was 5 2 mg in the first arm."),
    ("Both groups were ≠ at entry of the trial.", "Both groups were = at entry of the trial."),
    ("A typical course lasts two weeks.", "Atypical course lasts two weeks."),
    ("The drug is in effective use since 1980.", "The drug is ineffective use since 1980."),
    ("Take 10 ml at night.", "Take 10 Ml at night."),
    ("Take 2 mU of the extract.", "Take 2 MU of the extract."),
    ("Take one on day 1, 3 and 5.", "Take one on day 1,3 and 5."),
    ("Levels rose by 2.5.", "Levels rose by 25."),
    ("Levels rose to 40 %.", "Levels rose to 40 ‰."),
    ("Children should take the tablets.", "Children shouldn't take the tablets."),
    ("He can't take the tablets at night.", "He can take the tablets at night."),
    ("A 5' walk helps older patients.", 'A 5" walk helps older patients.'),
    ("The risk is two-fold in smokers.", "The risk is ten-fold in smokers."),
    ("The risk is one in three among smokers.", "The risk is one in thirty among smokers."),
    ("Nonsteroidal drugs are avoided in asthma.", "Steroidal drugs are avoided in asthma."),
    ("The ratio is 1:4 in women over sixty.", "The ratio is 14 in women over sixty."),
)

# Kinds that the rules had not seen when these 100 were written: they let 3 of them pass.
OTHER_FALSE = (
    # a sign that is not there, or is a range's
    ("The risk fell by 31% in two years.", "-31% in two years"),
    ("Keep it at 5 °C in the dark.", "\u22125 °C in the dark"),
    ("Take 3-5 mg of it at night.", "-5 mg of it at night"),
    ("Take 3\u20135 mg of it at night.", "\u20135 mg of it at night"),
    # names that look alike
    (
        "Hydroxyzine 25 mg is given for itching at night.",
        "Hydralazine 25 mg is given for itching at night.",
    ),
    ("Start metoprolol succinate after the attack.", "Start metoprolol tartrate after the attack."),
    (
        "Vincristine must never be injected into the spine.",
        "Vinblastine must never be injected into the spine.",
    ),
    ("Prednisolone is stopped slowly over weeks.", "Prednisone is stopped slowly over weeks."),
    ("Chlorpropamide can cause a low sodium.", "Chlorpromazine can cause a low sodium."),
    (
        "Ceftriaxone and calcium are not mixed in newborns.",
        "Cefotaxime and calcium are not mixed in newborns.",
    ),
    (
        "Clonidine lowers the pressure within an hour.",
        "Clonazepam lowers the pressure within an hour.",
    ),
    (
        "Insulin glargine is given once in the evening.",
        "Insulin glulisine is given once in the evening.",
    ),
    # types, grades, vitamins, factors
    ("Vitamin B12 is injected every three months.", "Vitamin B6 is injected every three months."),
    ("Hepatitis B can be prevented by a vaccine.", "Hepatitis C can be prevented by a vaccine."),
    (
        "Type II diabetes begins after the age of forty.",
        "Type I diabetes begins after the age of forty.",
    ),
    ("Haemophilia A is a lack of factor VIII.", "Haemophilia A is a lack of factor VII."),
    ("Grade III burns need a graft.", "Grade II burns need a graft."),
    (
        "NYHA class IV patients are breathless at rest.",
        "NYHA class V patients are breathless at rest.",
    ),
    ("HLA-B*57:01 is tested before abacavir.", "HLA-B*15:02 is tested before abacavir."),
    ("Carriers of CYP2C9*2 need less warfarin.", "Carriers of CYP2C9*3 need less warfarin."),
    ("Carriers of CYP2C9*2 need less warfarin.", "Carriers of CYP2C92 need less warfarin."),
    ("The T4 is low and the TSH is high.", "The T3 is low and the TSH is high."),
    # routes and places
    (
        "Give adrenaline intramuscularly into the thigh.",
        "Give adrenaline intravenously into the thigh.",
    ),
    ("Give the vaccine IM, away from the nerve.", "Give the vaccine IV, away from the nerve."),
    ("The drops are for the eye alone.", "The drops are for the ear alone."),
    ("Lift the upper arm above the heart.", "Lift the lower arm above the heart."),
    (
        "Pain in the medial knee suggests a torn meniscus.",
        "Pain in the lateral knee suggests a torn meniscus.",
    ),
    (
        "The anterior wall was spared by the infarct.",
        "The posterior wall was spared by the infarct.",
    ),
    # who did it to whom
    ("Drug A was superior to drug B in adults.", "Drug B was superior to drug A in adults."),
    ("Rifampicin lowers the level of warfarin.", "Warfarin lowers the level of rifampicin."),
    (
        "Smoking causes cancer more often than drinking.",
        "Drinking causes cancer more often than smoking.",
    ),
    ("Girls are affected more often than boys.", "Boys are affected more often than girls."),
    ("Men over fifty are screened each year.", "Women over fifty are screened each year."),
    (
        "The mother's blood group decides on the injection.",
        "The father's blood group decides on the injection.",
    ),
    # number words
    ("Three doses are needed before travel.", "Four doses are needed before travel."),
    ("Half of the patients had died at one year.", "A third of the patients had died at one year."),
    ("Dozens of people fell ill after the meal.", "Hundreds of people fell ill after the meal."),
    ("The first trimester is the most dangerous.", "The third trimester is the most dangerous."),
    ("A quarter of those treated had nausea.", "Three quarters of those treated had nausea."),
    ("Two to three cups a day are safe.", "Two to eight cups a day are safe."),
    ("The risk doubles after ten years of use.", "The risk triples after ten years of use."),
    ("One million units are given daily.", "One billion units are given daily."),
    # conditions and quantifiers
    ("Stop the drug if the rash spreads.", "Stop the drug unless the rash spreads."),
    ("Do it unless the patient objects.", "Do it if the patient objects."),
    ("All patients need a scan of the head.", "Some patients need a scan of the head."),
    ("Both drugs are safe in pregnancy.", "Neither drugs are safe in pregnancy."),
    ("Scans help in every case of headache.", "Scans help in hardly any case of headache."),
    ("Fluids are given until the pressure rises.", "Fluids are given when the pressure rises."),
    ("The test can exclude an embolism.", "The test cannot exclude an embolism."),
    ("The test cannot exclude an embolism.", "The test can exclude an embolism."),
    ("It won't harm the baby.", "It will harm the baby."),
    ("Patients didn't improve on the drug.", "Patients did improve on the drug."),
    ("Neither drug helped the patients.", "Either drug helped the patients."),
    ("The benefit failed to reach significance.", "The benefit reached significance."),
    ("Antibiotics lack any benefit in colds.", "Antibiotics have a benefit in colds."),
    ("It is rare for the drug to fail.", "It is common for the drug to fail."),
    ("Everyone except children may take it.", "Everyone including children may take it."),
    (
        "It is possible that coffee protects the liver.",
        "It is certain that coffee protects the liver.",
    ),
    ("Coffee may be linked to fewer strokes.", "Coffee is linked to fewer strokes."),
    # words dropped or put in
    ("Aspirin helps in some patients with fever.", "Aspirin helps in patients with fever."),
    ("Surgery is needed in severe cases of reflux.", "Surgery is needed in cases of reflux."),
    ("Surgery is needed in cases of reflux.", "Surgery is needed in severe cases of reflux."),
    ("It works, except in smokers, within a week.", "It works within a week."),
    ("It is safe when taken with food at noon.", "It is safe when taken at noon."),
    ("The drug is said to be safe by its maker.", "The drug is safe by its maker."),
    ("Nearly half of them relapsed within a year.", "Half of them relapsed within a year."),
    ("About 40 patients relapsed within a year.", "40 patients relapsed within a year."),
    ("The drug reduced deaths from stroke in mice.", "The drug reduced deaths from stroke."),
    ("The old guideline advised aspirin for all.", "The guideline advised aspirin for all."),
    # clock, money, chemistry
    ("Take the tablet at 8 a.m. with water.", "Take the tablet at 8 p.m. with water."),
    ("Blood is drawn at 08:30 on the ward.", "Blood is drawn at 20:30 on the ward."),
    ("The course costs £40 in all.", "The course costs €40 in all."),
    ("The K+ is checked each day.", "The K− is checked each day."),
    ("Give Ca2+ slowly into a large vein.", "Give Ca+ slowly into a large vein."),
    ("Poisoning by CO is treated with oxygen.", "Poisoning by CO2 is treated with oxygen."),
    ("Wash the wound with H2O at once.", "Wash the wound with H2O2 at once."),
    ("A pH of 7.25 is acid.", "A pH of 7.52 is acid."),
    ("The share rose by 4 percentage points.", "The share rose by 4 percent."),
    ("It was O-negative blood that was given.", "It was O-positive blood that was given."),
    # what looks like a citation, a separator or a mark but is content
    ("The count was 10 000 cells in all.", "The count was 1 000 cells in all."),
    ("The count was 10,000 cells in all.", "The count was 1,000 cells in all."),
    ("The count was 1,250 cells in all.", "The count was 1,205 cells in all."),
    ("The dose is 2,5 mg in the evening.", "The dose is 25 mg in the evening."),
    ("The dose is 1.500 units each day.", "The dose is 1500.0 units each day."),
    ("It stopped in 12 (24%) patients at last.", "It stopped in 12 (42%) patients at last."),
    ("It stopped in 12 (24%) patients at last.", "It stopped in 12 patients at last."),
    ("The hazard ratio was 1.5 [1.2, 1.9] in men.", "The hazard ratio was 1.5 [1.2, 2.9] in men."),
    ("The stay was [1,2] days in the ward.", "The stay was [1,3] days in the ward."),
    ("The dose for adults (children) is 10 (5) mg.", "The dose for adults (children) is 10 mg."),
    ("The count rose to 10¹² in a week.", "The count rose to 10 in a week."),
    ("The surface is 20 m² in adults.", "The surface is 20 m in adults."),
    ("Give 2 × 500 mg at noon.", "Give 500 mg at noon."),
    ("Give 2 × 500 mg at noon.", "Give 2500 mg at noon."),
    ("Give 3*5 mL of the syrup.", "Give 35 mL of the syrup."),
    ("The dose is 50 mcg per kg.", "The dose is 50 mg per kg."),
    ("The dose is 50 ng per kg.", "The dose is 50 µg per kg."),
    ("The value was 5 [SD 2] at entry.", "The value was 5 [SD 3] at entry."),
    ("Ward [7] has twelve beds for stroke.", "Ward [8] has twelve beds for stroke."),
    ("Fever fell … but not the pain.", "Fever fell … the pain."),
    ("They gave 5 … 7 tablets to each.", "They gave 57 tablets to each."),
    ("The mean was 7 ± 2 days in the ward.", "The mean was 7 − 2 days in the ward."),
    ("The odds were 3:1 in favour of surgery.", "The odds were 1:3 in favour of surgery."),
    ("Rinse 2–3 times with salt water.", "Rinse 23 times with salt water."),
    ("Give 5 mg (1 tablet) at noon.", "Give 5 mg (2 tablet) at noon."),
)

_BEFORE = "This page was written by the editors for patients and their families."
_AFTER = "Ask a doctor or a pharmacist whenever you are in doubt."


def page_with(sentence: str) -> str:
    """A page that holds the sentence between two others."""
    return f"{_BEFORE} {sentence} {_AFTER}"


def false_ones() -> Iterator[tuple[str, str]]:
    """(page, quote) where the quote must not pass as found."""
    for sentence in SENTENCES:
        page = page_with(sentence)
        made = {sentence.replace(old, new, 1) for old, new in SWAPS if old in sentence}
        numbers = re.findall(r"\d+(?:\.\d+)?", sentence)
        for number in dict.fromkeys(numbers):
            whole = re.compile(rf"(?<![\d.,]){re.escape(number)}(?![\d.,]\d|\d)")
            last = str((int(number[-1]) + 3) % 10)
            for other in (number[:-1] + last, number + "0", number[0] + number):
                made.add(whole.sub(other, sentence, count=1))
        if len(dict.fromkeys(numbers)) > 1:
            one, two = list(dict.fromkeys(numbers))[:2]
            made.add(
                re.sub(
                    rf"(?<![\d.,])(?:{re.escape(one)}|{re.escape(two)})(?![\d.,]*\d)",
                    lambda found, one=one, two=two: two if found[0] == one else one,
                    sentence,
                )
            )
        yield from ((page, quote) for quote in sorted(made - {sentence}))
    yield from ((page_with(sentence), quote) for sentence, quote in (*CUT, *GLUED, *OTHER_FALSE))


# -- harmless --------------------------------------------------------------------------------------

_LIGATURES = (("ffi", "ﬃ"), ("ffl", "ﬄ"), ("fi", "ﬁ"), ("fl", "ﬂ"), ("ff", "ﬀ"))


def _ligated(text: str) -> str:
    for plain, one in _LIGATURES:
        text = text.replace(plain, one)
    return text


def _long_word(text: str, between: str) -> str:
    """The longest word broken in its middle."""
    word = max(re.findall(r"[A-Za-z]{8,}", text), key=len, default="")
    middle = len(word) // 2
    return text.replace(word, word[:middle] + between + word[middle:], 1) if word else text


def _wide(text: str) -> str:
    """Letters and digits in their full-width forms (NFKC)."""
    return "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in text)


def _decomposed(text: str) -> str:
    return text.replace("°C", "℃").replace("µ", "μ")


def _raised(text: str) -> str:
    """Powers as they are typed on one line."""
    return text.replace("⁹", "^9").replace("⁶", "^6").replace("³", "^3")


ON_PAGE = {
    "lines": lambda s: re.sub(r" (?=\w{4,} )", "\n", s),
    "line ends of Windows": lambda s: s.replace(" ", "\r\n", 3),
    "a hyphen at a line's end": lambda s: _long_word(s, "-\n"),
    "a hyphen and an indent": lambda s: _long_word(s, "-\n   "),
    "a soft hyphen": lambda s: _long_word(s, "\u00ad"),
    "a soft hyphen at a line's end": lambda s: _long_word(s, "\u00ad\n"),
    "a zero-width space": lambda s: _long_word(s, "\u200b"),
    "a word joiner": lambda s: _long_word(s, "\u2060"),
    "no-break spaces": lambda s: s.replace(" ", "\u00a0"),
    "thin spaces before units": lambda s: re.sub(r"(?<=\d) (?=[a-zµ%])", "\u2009", s),
    "no spaces before units": lambda s: re.sub(r"(?<=\d) (?=m[gL]\b|mmol|mcg|µg)", "", s),
    "spaces before per cent": lambda s: s.replace("%", " %"),
    "double spaces": lambda s: s.replace(" ", "  "),
    "tabs": lambda s: s.replace(" ", "\t", 4),
    "ligatures": _ligated,
    "a broken ligature": lambda s: s.replace("fi", " fi ", 1).replace("ff", "ff ", 1),
    "a word torn by the PDF": lambda s: _long_word(s, " "),
    "full-width forms": _wide,
    "composed signs": _decomposed,
    "spaces around signs": lambda s: re.sub(r"(?<=\w)([;:/=])(?=\D)", r" \1 ", s),
    "non-breaking hyphens": lambda s: s.replace("-", "\u2011"),
    "en dashes as hyphens": lambda s: s.replace("–", "-").replace("−", "-"),
    "a list": lambda s: "• " + s,
    "bold": lambda s: f"**{s}**",
    "letters apart": lambda s: s.replace("patients", "p a t i e n t s"),
    "accents as marks": lambda s: s.replace("a", "a\u0301", 1),
    "powers typed": _raised,
    "PDFium's hyphen": lambda s: _long_word(s, "\ufffe"),
}

IN_QUOTE = {
    "typographic quotes": lambda s: f"“{s}”",
    "guillemets": lambda s: f"«{s}»",
    "straight quotes": lambda s: f'"{s}"',
    "no full stop": lambda s: s.rstrip("."),
    "an ellipsis at its end": lambda s: s.rstrip(".") + "…",
    "a figure dash": lambda s: s.replace("–", "\u2012").replace("-", "\u2010"),
    "Unicode's other forms": lambda s: s.replace("²", "2").replace("µ", "\u03bc"),
}

SET = (
    ("The patient’s “red flags” aren’t seen.", "The patient's \"red flags\" aren't seen."),
    ("The patient’s “red flags” aren’t seen.", "The patient's 'red flags' aren't seen."),
    ("Long-term use of opioids is harmful.", "Long term use of opioids is harmful."),
    ("Long-\nterm use of opioids is harmful.", "Long-term use of opioids is harmful."),
    ("Long-\nterm use of opioids is harmful.", "Longterm use of opioids is harmful."),
    ("Œdema and diarrhœa were seen.", "Oedema and diarrhoea were seen."),
    ("Ménière’s disease causes dizziness.", "Meniere's disease causes dizziness."),
    ("The count was 1 000 cells.".replace("1 0", "1\u20090"), "The count was 1000 cells."),
    ("The count was 1,000 cells.", "The count was 1000 cells."),
    ("The count was 1\u202f000 cells.", "The count was 1 000 cells."),
    ("Give ½ tablet at night.", "Give 1/2 tablet at night."),
    ("Give 1½ tablets at night.", "Give 1 1/2 tablets at night."),
    ("Use CO₂ and H₂O in the bath.", "Use CO2 and H2O in the bath."),
    ("The haz-\nard ratio was 0·82.", "The hazard ratio was 0.82."),
    ("Doses\nof 5\nmg are\nlow.", "Doses of 5 mg are low."),
    ("| Drug | Dose |\n| Aspirin | 75 mg |", "Aspirin 75 mg"),
    ("First line\n• Take 5 mg\n• with food", "Take 5 mg with food"),
    ("The in-\nfection is in\u00adcurable.", "The infection is incurable."),
    ("Give 5 mL, i.e. one spoon.", "Give 5 ml, i.e. one spoon."),
    ("WARNING: DO NOT TAKE 500 MG AT ONCE.", "Warning: do not take 500 mg at once."),
    ("The drug—if given early—saves lives.", "The drug - if given early - saves lives."),
    ("Ef\ufb01cacy was 95\u00a0%.", "Efficacy was 95%."),
    ("non-\nsteroidal drugs are used.", "non-steroidal drugs are used."),
    ("It is in \ufb02ammation that matters.", "It is inflammation that matters."),
    ("Stop it if the eGFR is ≤ 30 mL/min.", "Stop it if the eGFR is <= 30 mL/min."),
    ("Treat at ages >= 65 years.", "Treat at ages ≥ 65 years."),
    ("Ear, nose &amp; throat clinics; rates &lt; 5%.", "Ear, nose & throat clinics; rates < 5%."),
    ("Store it between 2 ºC and 8 ºC.", "Store it between 2 °C and 8 °C."),
    ("Store it below 25º C.", "Store it below 25 °C."),
)


# And 100 harmless ones of unseen kinds: the rules found 41 of them.
OTHER_SET = (
    ("The mean change was \u22123.1 kg in a year.", "-3.1 kg in a year"),
    ("- 20 mg daily is enough for most adults.", "\u2013 20 mg daily is enough for most adults"),
    # the microgram, the multiplication sign
    ("Levothyroxine 25 µg is taken at dawn.", "Levothyroxine 25 mcg is taken at dawn."),
    ("Levothyroxine 25 mcg is taken at dawn.", "Levothyroxine 25 µg is taken at dawn."),
    ("Levothyroxine 25 mcg is taken at dawn.", "Levothyroxine 25 μg is taken at dawn."),
    ("Infuse 5 µg/kg/min through a pump.", "Infuse 5 mcg/kg/min through a pump."),
    ("Infuse 5 µg/kg/min through a pump.", "Infuse 5 ug/kg/min through a pump."),
    ("The level was 40 mcg/L in blood.", "The level was 40 µg/L in blood."),
    ("Platelets below 50 × 10⁹/L are low.", "Platelets below 50 x 10⁹/L are low."),
    ("Platelets below 50 × 10⁹/L are low.", "Platelets below 50 x 10^9/L are low."),
    ("Platelets below 50 x 10^9/L are low.", "Platelets below 50 × 10⁹/L are low."),
    ("Give 2 × 500 mg at noon.", "Give 2 x 500 mg at noon."),
    ("Give 2×500 mg at noon.", "Give 2 x 500 mg at noon."),
    ("The cyst was 3 x 4 cm in size.", "The cyst was 3 × 4 cm in size."),
    ("The risk was 3× higher in smokers.", "The risk was 3x higher in smokers."),
    # marks of references
    (
        "Aspirin lowers fever.[1] It also thins the blood.",
        "Aspirin lowers fever. It also thins the blood.",
    ),
    (
        "Aspirin lowers fever [1,2] and thins the blood.",
        "Aspirin lowers fever and thins the blood.",
    ),
    (
        "Aspirin lowers fever [1, 2] and thins the blood.",
        "Aspirin lowers fever and thins the blood.",
    ),
    (
        "Aspirin lowers fever [3–5] and thins the blood.",
        "Aspirin lowers fever and thins the blood.",
    ),
    (
        "Aspirin lowers fever[12][13] and thins the blood.",
        "Aspirin lowers fever and thins the blood.",
    ),
    ("Aspirin lowers fever (1) and thins the blood.", "Aspirin lowers fever and thins the blood."),
    (
        "Aspirin lowers fever (1,2) and thins the blood.",
        "Aspirin lowers fever and thins the blood.",
    ),
    (
        "Aspirin lowers fever (7, 9–11), and thins the blood.",
        "Aspirin lowers fever, and thins the blood.",
    ),
    ("Aspirin lowers fever¹ and thins the blood.", "Aspirin lowers fever and thins the blood."),
    ("Aspirin lowers fever¹² and thins the blood.", "Aspirin lowers fever and thins the blood."),
    ("Aspirin lowers fever¹,² and thins the blood.", "Aspirin lowers fever and thins the blood."),
    ("Aspirin lowers fever.³ It thins the blood.", "Aspirin lowers fever. It thins the blood."),
    ("Aspirin lowers fever,⁴⁻⁶ and thins the blood.", "Aspirin lowers fever, and thins the blood."),
    (
        "Aspirin lowers fever[citation needed] and thins the blood.",
        "Aspirin lowers fever and thins the blood.",
    ),
    (
        "Aspirin lowers fever[note 2] and thins the blood.",
        "Aspirin lowers fever and thins the blood.",
    ),
    ("Aspirin lowers fever[a] and thins the blood.", "Aspirin lowers fever and thins the blood."),
    ("Aspirin lowers fever and thins the blood.", "Aspirin lowers fever [1] and thins the blood."),
    ("Aspirin lowers fever and thins the blood.", "Aspirin lowers fever and thins the blood [1]."),
    ("Aspirin lowers fever and thins the blood.", "Aspirin lowers fever and thins the blood.[4,5]"),
    ("Aspirin* lowers fever and thins the blood.", "Aspirin lowers fever and thins the blood."),
    ("Aspirin† lowers fever and thins the blood.", "Aspirin lowers fever and thins the blood."),
    ("Aspirin‡ lowers fever and thins the blood.", "Aspirin lowers fever and thins the blood."),
    ("Aspirin lowers fever^1 and thins the blood.", "Aspirin lowers fever and thins the blood."),
    ("Aspirin lowers fever^[2]^ and thins the blood.", "Aspirin lowers fever and thins the blood."),
    # thousands
    ("The count was 1 000 cells in all.", "The count was 1000 cells in all."),
    ("The count was 1 000 cells in all.", "The count was 1,000 cells in all."),
    ("The count was 1,000 cells in all.", "The count was 1 000 cells in all."),
    ("The count was 10 000 cells in all.", "The count was 10,000 cells in all."),
    ("The count was 250'000 cells in all.", "The count was 250,000 cells in all."),
    ("The count was 1,250,000 cells in all.", "The count was 1 250 000 cells in all."),
    ("The count was 1250000 cells in all.", "The count was 1,250,000 cells in all."),
    # emphasis and other markup
    ("Aspirin *lowers* fever in adults.", "Aspirin lowers fever in adults."),
    ("Aspirin lowers fever in adults.", "Aspirin *lowers* fever in adults."),
    ("Aspirin lowers fever in adults.", "Aspirin **lowers** fever in adults."),
    ("Aspirin lowers fever in adults.", "Aspirin _lowers_ fever in adults."),
    ("Aspirin lowers fever in adults.", "*Aspirin lowers fever in adults.*"),
    ("Aspirin lowers fever in adults.", "`Aspirin lowers fever in adults.`"),
    ("Aspirin lowers fever in adults.", "> Aspirin lowers fever in adults."),
    ("Aspirin lowers fever in adults.", "- Aspirin lowers fever in adults."),
    ("Aspirin lowers fever in adults.", "* Aspirin lowers fever in adults."),
    ("1. Aspirin lowers fever in adults.", "Aspirin lowers fever in adults."),
    # ellipses on the page or around a quote
    ("Wait a while… then take the next tablet.", "Wait a while... then take the next tablet."),
    ("Wait a while... then take the next tablet.", "Wait a while… then take the next tablet."),
    ("Wait a while . . . then take the next tablet.", "Wait a while… then take the next tablet."),
    ("Wait a while… then take the next tablet.", "Wait a while then take the next tablet."),
    ("Aspirin lowers fever in adults.", "…Aspirin lowers fever in adults."),
    ("Aspirin lowers fever in adults.", "... Aspirin lowers fever in adults ..."),
    ("Aspirin lowers fever in adults.", "[…] Aspirin lowers fever in adults. […]"),
    ("aspirin lowers fever in adults.", "[A]spirin lowers fever in adults."),
    # invisible characters and odd spaces
    ("Aspirin\u200e lowers\u200f fever in adults.", "Aspirin lowers fever in adults."),
    ("\ufeffAspirin lowers fever in adults.", "Aspirin lowers fever in adults."),
    ("Aspirin\u3000lowers\u3000fever in adults.", "Aspirin lowers fever in adults."),
    ("Aspirin\u2028lowers fever\u2029in adults.", "Aspirin lowers fever in adults."),
    ("Aspirin\x0blowers\x0cfever in adults.", "Aspirin lowers fever in adults."),
    ("Aspirin\x85lowers fever in adults.", "Aspirin lowers fever in adults."),
    ("Take 5\u2007tablets of it.", "Take 5 tablets of it."),
    ("Aspirin ✔\ufe0f lowers fever.", "Aspirin ✔ lowers fever."),
    # spaces and punctuation
    ("Take it daily , with food , at noon .", "Take it daily, with food, at noon."),
    ("The ratio ( 95% CI 1 to 2 ) was high.", "The ratio (95% CI 1 to 2) was high."),
    ("Give it i. v. in an emergency.", "Give it i.v. in an emergency."),
    ("Use fruit, e. g. apples and pears.", "Use fruit, e.g. apples and pears."),
    ("The result was clear (P=0.04).", "The result was clear (p = 0.04)."),
    ("The result was clear (P = 0.04).", "The result was clear (P=0.04)."),
    ("Aspirin lowers fever; ask your doctor.", "Aspirin lowers fever;"),
    ("Aspirin lowers fever; ask your doctor.", "Aspirin lowers fever."),
    ("Aspirin lowers fever, and pain.", "aspirin lowers fever, and pain"),
    ("The dose is 5 mg: half a tablet.", "The dose is 5 mg:"),
    ("Rest for 6 – 8 weeks at home.", "Rest for 6–8 weeks at home."),
    ("Rest for 6-8 weeks at home.", "Rest for 6 – 8 weeks at home."),
    ("Rest for 6—8 weeks at home.", "Rest for 6–8 weeks at home."),
    ("The drug -- if given early -- saves lives.", "The drug — if given early — saves lives."),
    # signs in other forms
    ("The mean was 7 ± 2 days in the ward.", "The mean was 7 +/- 2 days in the ward."),
    ("Treat at ages ⩾ 65 years at once.", "Treat at ages ≥ 65 years at once."),
    ("Treat at ages ≧ 65 years at once.", "Treat at ages ≥ 65 years at once."),
    ("About ∼40 patients were seen.", "About ~40 patients were seen."),
    ("Store it below 25 ˚C in the dark.", "Store it below 25 °C in the dark."),
    ("Give 1⁄2 tablet at night.", "Give ½ tablet at night."),
    ("Give ¾ of the tablet at night.", "Give 3/4 of the tablet at night."),
    ("Cool it to –20 °C in the dark.", "Cool it to -20 °C in the dark."),
    # quotation marks and entities
    ("The „red flags“ of back pain are few.", 'The "red flags" of back pain are few.'),
    ("The ‹red flags› of back pain are few.", "The “red flags” of back pain are few."),
    ("The ''red flags'' of back pain are few.", 'The "red flags" of back pain are few.'),
    ("The patient`s pain is mild.", "The patient's pain is mild."),
    ("The patient&#8217;s pain is mild.", "The patient's pain is mild."),
    ("Treat at ages &ge; 65 years at once.", "Treat at ages ≥ 65 years at once."),
    ("Treatment-na\u00efve patients respond best.", "Treatment-naive patients respond best."),
    ("Give Ca\u00b2\u207a slowly into a vein.", "Give Ca2+ slowly into a vein."),
)


def harmless_ones() -> Iterator[tuple[str, str, str]]:
    """(what differs, page, quote) where the quote must be found."""
    for name, vary in ON_PAGE.items():
        for sentence in SENTENCES:
            if vary(sentence) != sentence:
                yield name, f"{_BEFORE}\n{vary(sentence)}\n{_AFTER}", sentence
    for name, vary in IN_QUOTE.items():
        for sentence in SENTENCES:
            if vary(sentence) != sentence:
                yield name, page_with(sentence), vary(sentence)
    for sentence in SENTENCES:
        yield "as it stands", page_with(sentence), sentence
        words = sentence.split()
        yield (
            "its beginning",
            page_with(sentence),
            " ".join(words[:5]) if _whole(words) else sentence,
        )
    for sentence, quote in SET:
        yield "as it is set", page_with(sentence), quote
    for sentence, quote in OTHER_SET:
        yield "as it is set otherwise", f"{_BEFORE}\n{sentence}\n{_AFTER}", quote


_NOT_CUT_THERE = (
    *("Blood cultures", "Steroids are", "Survival was", "Oral rehydration"),
    *("Women who", "Colchicine 500", "Aspirin is", "Insulin must"),
)
"""Sentences that after five words say something else: "Steroids are safe and effective"."""


def _whole(words: list[str]) -> bool:
    """Whether the first five words are cut off from no number, no unit and no condition."""
    begin = " ".join(words[:2])
    return begin not in _NOT_CUT_THERE and not re.search(r"\d", " ".join(words[3:7]))
