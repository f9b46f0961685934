"""Quotes that are cut so that they say something else, and such as say the same: a set of passages
from other corners of medicine, written without a look at the rule. A line as in
``tests.cut_quotes``. Of the first, 31 of 40 and 2 of 40 were told when they were new; of the
second, 26 of 30 and 3 of 30.
"""

from __future__ import annotations

CHANGED = """
|Haemodialysis removes lithium| more slowly than the kidneys of a healthy person do.
|Ketamine relieves pain| at a tenth of the dose that causes sleep.
|The plaster may be taken off| by the surgeon alone.
|Insulin pumps can be worn in the scanner| if their label says so.
|Newborns lose weight| of no more than a tenth in the first days.
|Fluoride prevents caries| in teeth that have already erupted.
|The lens can be replaced| as soon as the cornea has healed.
|Hearing returns| in one ear only, as a rule.
|The device must be charged| every second night.
|Radiotherapy cures the tumour| where it has not reached the nodes.
|Most moles are harmless|; those that bleed are not.
|Smokers had fewer attacks| than former smokers, but more than those who had never smoked.
|The antidote works| within an hour of the bite, and not at all later.
|The rash fades by itself|, which is no reason to wait.
|Adrenaline is the first drug to give|, and antihistamines come second at most.
|Vitamin K reverses warfarin|, though not the newer agents.
|The stent stays open for years| in eight of ten patients.
|Rest speeds up healing|, as was long believed.
|Milk soothes the ulcer|: a mistaken belief of the last century.
|Sunlight helps against jaundice|, yet it is no treatment.
|Gloves protect the nurse|, at best for twenty minutes.
|The boy may go to school| as of the fifth day of treatment.
|The scan shows the bleed| in all but the first six hours.
|The score predicts death| no better than age does.
|The drug lowers the pressure| by 2 mmHg.
|Doubling the dose| did not help.
It is a myth that |a cold causes pneumonia|.
Hardly any |patients needed a transfusion|.
Nobody has shown that |magnets relieve pain|.
Only after the second dose |is protection complete|.
In rats, |the compound halved the size of infarcts|.
Were it not for its price, |the drug would be the first choice|.
Contrary to what was hoped, |the vaccine prevents spread| in no age group.
The authors retracted the claim that |zinc shortens a cold|.
Unless a fracture is seen, |no plaster is needed|.
Some hold that |all tonsils should come out|.
Except in pregnancy, |the test is reliable|.
Far from proving that |screening saves lives|, the trial was stopped.
No more than a quarter of |those treated were free of pain|.
It remains to be seen whether |the implant outlasts its battery|.
"""
"""What the quote says is not what the sentence says."""

SAME = """
|Haemodialysis removes lithium|, an ion that is not bound to protein.
|Ketamine relieves pain| and is on the list of essential medicines.
|The plaster is taken off with a saw| that does not cut skin, so nobody need be afraid.
|Insulin pumps deliver insulin through a thin tube|, which is changed every third day.
|Newborns lose weight in the first days|, and then gain it again.
|Fluoride prevents caries|, as trials in many countries have shown.
|The lens can be replaced in a short operation|; most people go home on the same day.
Many people notice that |hearing returns within two weeks|.
|The device must be charged every second night|, as its manual says.
|Radiotherapy uses rays of high energy|, and it is given in many small doses.
|Most moles are harmless|, and they need no treatment.
|Smokers had more attacks than others|, a finding that surprised nobody.
|The antidote is made from the serum of horses|, like other antivenoms.
|The rash fades by itself|.
|Adrenaline is the first drug to give|, since it works within minutes.
|Vitamin K reverses warfarin|; it is given by mouth or into a vein.
|The stent stays open for years|, the manufacturer reports.
As every nurse knows, |rest speeds up healing|.
According to the society, |milk does not soothe the ulcer|.
|Sunlight helps against jaundice|, because blue light changes bilirubin.
|Gloves protect the nurse|, and they protect the patient as well.
The guideline says: "|The boy may go to school on the fifth day of treatment|."
|The scan shows the bleed| as a white area.
|The score predicts death within a month| (area under the curve 0.81).
|The drug lowers the pressure by 12 mmHg| [14].
Furthermore, |doubling the dose did not help|.
|A cold does not cause pneumonia|, but it may come before it.
In this trial, |few patients needed a transfusion|.
Two large trials have shown that |magnets do not relieve pain|.
|Protection is complete after the second dose|, that is, about two weeks later.
In the same year, |the compound was approved in Japan|.
|The drug is the first choice|, and it costs little.
It is well known that |the vaccine prevents severe disease|.
The authors conclude that |zinc shortens a cold by a day|.
|No plaster is needed|, and the toe is strapped to its neighbour.
Today, |tonsils are left in place as a rule|.
|The test is reliable|; its result is there within ten minutes.
Last, |screening for this cancer saves lives|, which is why most countries offer it.
At the end of the study, |a quarter of those treated were free of pain|.
The registry shows that |the implant outlasts its battery|.
"""
"""What was left out changes nothing."""

SECOND_CHANGED = """
|Cooling protects the brain| less well than was once taught.
|Leeches restore the flow of blood| in nine out of ten reattached fingers.
|The tube may be removed| as from the third day.
|Steroids shorten the attack|, as textbooks used to say.
|Blood can be stored| for 42 days at 4 °C.
|Most fevers need no treatment|; others do.
|Dialysis can be stopped| by one patient in ten.
|The graft takes| in all but the heaviest smokers.
|Oxygen helps| at flows above 4 litres.
|Contact lenses may stay in overnight| if they are made for it.
|The wound heals| twice as slowly in smokers.
|The seizure stops by itself| within five minutes, or else needs a drug.
|Nobody is contagious| after the third week.
|Splints relieve the numbness| at night only.
|Aspirin prevents clots| in arteries rather than in veins.
|The tick must be attached| for at least a day.
|Infants can swim| with their ears plugged.
|The vaccine gives lasting protection| in four fifths of those over 60.
|Green tea lowers the risk of cancer|, if one believes its sellers.
|Vision improved| in the placebo group alone.
Little suggests that |copper bracelets help|.
Not one of the |twelve infants survived|.
If the culture is negative, |antibiotics can be stopped|.
As long as the drain is in place, |the patient may not shower|.
Those who say that |vaccines cause autism| are wrong.
A minority of |carriers fall ill|.
In mice fed a diet rich in fat, |the drug lowered weight|.
Without a second reading, |pressure is overestimated|.
It was once standard that |mothers stayed in bed for ten days|.
Barring a fracture, |the ankle can bear weight|.
"""
SECOND_SAME = """
|Cooling protects the brain|, and it is begun in the ambulance.
|Leeches restore the flow of blood| by means of an enzyme in their saliva.
|The tube is removed on the third day|, after which the child may drink.
|Steroids shorten the attack|, as trials since 1987 have shown.
|Blood can be stored for 42 days at 4 °C|, whereas platelets are kept warm.
|Most fevers need no treatment|, for they pass within three days.
|Dialysis takes four hours|, three times a week.
|The graft takes within five days|: new vessels grow into it.
|Oxygen is given through a mask| with a reservoir bag.
|Contact lenses rest on a film of tears|, which carries oxygen.
|The wound heals within two weeks| and leaves a pale scar.
|The seizure stops by itself within five minutes|; then the child sleeps.
|The illness is passed on by coughing| and by touch.
|Splints relieve the numbness|, and surgery cures it.
|Aspirin prevents clots in arteries|, because it keeps platelets from sticking together.
|The tick must be attached for at least a day|, the agency says.
|Infants swallow air while they drink|, which is why they burp.
|The vaccine gives lasting protection|. A booster is not needed.
|Green tea contains caffeine|, though less than coffee does.
|Vision improved in both groups|, and pain did as well.
Surveys suggest that |one adult in five has back pain|.
All of the |twelve infants survived|.
Since the culture was negative, |antibiotics were stopped|.
For this reason, |the patient may not shower|.
Large studies have found that |vaccines do not cause autism|.
In practice, |most carriers never fall ill|.
After the operation, |the drain stays in place for two days|.
Published in May, the trial showed that |the drug lowered weight by 8 kg|.
Until recently a rare finding, |mothers over 45 are now common|.
Fortunately, |the ankle can bear weight|.
"""
"""Written when the kinds that the first two missed were mended."""
