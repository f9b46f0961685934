"""Pages of a line or two: walls in free wording, and articles that are no longer.

A line is a title and a text. Of the last three sets, when they were new, 78, 70 and 56 % of the
walls were told and 15, 15 and 13 % of the articles; by the rules before, 18 % and none of the
first.
"""

from __future__ import annotations

SHORT_WALLS = """
| We need a quick word before we let you through.
| Hold on while we make sure it is really you.
| Tick the pictures that show a bus to go on.
| Our readers help pay for this work. Join them and carry on where you left off.
| You have used up your three free looks this month.
| This story is for those who support us. Already do? Come in.
| Tell us your birthday first.
| Your visit looks unusual to us. Please come back later or write to our desk.
| That address leads nowhere.
| Whoops, someone unplugged something. Our people are on it.
| We are giving the place a fresh coat of paint. Back on Monday.
| Sorry, folks from where you are cannot see this.
| This part is best seen in our app. Get it for your phone.
| You are now leaving us for another place. OK?
| May we remember you? Yes, all. Only what is needed. Let me choose.
| To go any further, tell us who you are.
| For health professionals only. Confirm that you are one.
| Your library card number, please.
| The thing you were after has gone. It may have been renamed.
| Too fast! Take a breath and come back in a minute.
| Something in your set-up stops us from showing this.
| Nothing to see here.
| We'd like to show you this, but your employer has not paid for it.
| Pick your country to begin.
| The server is taking a nap.
| This piece is behind our members' door.
| Sign here to receive the whole thing by post.
| Members of the society, enter below. Everyone else: 35 euros for a day.
| Turn off your blocker and we will let you in.
| The shop has shut its doors for good. Thanks to all who came.
| This title has been withdrawn by its publisher.
| Your ticket has run out. Begin again.
| We have a new home! Update your favourites.
| If you see this line, your software is too old for us.
| Give us a second...
| The editors took this down after complaints.
| You must be of age where you live to go in.
| Our lawyers tell us not to show this where you live.
| Only people on the hospital's own network can look at this.
| A copy costs 42 dollars; your basket is empty.
| Too many people want in right now. You are number 1204 in line.
| No such thing. Did you type it right?
| The link your friend sent you works once only.
| We are not open to machines. Humans, press and hold.
| Choose what we may do with your data: everything, some, nothing.
| Your place in the queue will be kept. Do not close this window.
| The archive moved last year and left this note behind.
| Before you read on: 0.99 a week, stop whenever you like.
| Ask the person who runs this for a key.
| Trouble at our end. Number 0x88.3f. Sorry!
| Switch scripts on, then look again.
| Private. Ask its owner to share it with you.
| Thanks for dropping by! This will be filled soon.
| Your session slept too long. Start over.
| Free to look at from December on.
| You were sent here because what you wanted is gone.
| You have come to a page under construction by students of the class of 2019.
| Pay once, read for ever: 4.50.
| An account is all you need. It costs nothing and takes a minute.
| Our security people did not like the look of that.
Journal of Rehabilitation | Your institution does not hold this volume.
The Health Post | Ad-free for one pound. Or say yes to everything.
Robot or person? | Drag the arrow to the right.
Heart Online | We could not confirm your subscription. Call the desk on weekdays.
PubHub | This preprint is under embargo until Tuesday.
Clinic portal | Type in the code we just texted you.
Asthma guideline 2023 | This version has been replaced. See the newer one.
Diabetes UK | Loading your experience
NewsMed | Chapter two of five is for supporters.
MediBib | Your trial ended yesterday. Keep going for 12 euros.
hospital.example | The site you are trying to view does not want visitors from your area.
NHS Trust | Scheduled works tonight from 22:00 to 04:00. Pages come back after that.
Rheum Review | Oh no! That page took a sick day.
SciDoor | Your browser failed a test. Reference 7f3a.
Health Atlas | Best viewed on a bigger screen.
CareWiki | There is currently no text in this page. You can search for its title elsewhere.
Library | File too big to preview.
Med Answers | You must accept our terms before going on.
Doc viewer | Drive cannot open this right now. Get a copy or ask for access.
Pharma pro | This area is meant for prescribers in Germany. Please show your badge.
Wellness mag | Get one more for nothing: leave us your mail.
OpenMed | The editors are checking this entry. It will show up once they are done.
Mirror | You will be taken to the new home of this journal in 5 seconds.
Shop | Sorry, this product is no longer sold.
Institute | An unexpected thing occurred. We have been notified.
Forum | The topic you asked for was merged with another.
Forum | Guests may only look at the first post.
Archive | Snapshot not captured.
Cochlea | Subscribers read on. All others get this line.
PDF store | Preview ends here.
Nutrition Hub | Let us tailor this to you. Where do you live and how old are you?
University | Off-campus? Use your university name and secret.
Publisher | Article in press. Proof not yet released to the public.
Podcast | Listen in our player. Nothing to read at this address.
Kidney society | Our members see the full statement. Become one today.
Cloud | One more step: show that a human is typing.
Mother and baby | Turn your phone upright to see us.
Survey | Before we go on, four questions about you.
Statistics office | The table you wanted is being rebuilt.
Dental world | Too many tabs. Close one and press reload.
Clinical Trials Hub | Prove you are not software: choose every square with a boat.
MedNews | To keep reading, pass the till. One month costs less than a coffee.
BioLib | The item has been moved to a shelf that we cannot reach from here.
Patient.example | Something broke while we were fetching this for you.
Nursing Times | Tell us who you work for and we will show you more.
Endocrine Reviews | You do not hold a ticket to this volume.
Guideline Central | We could not tell whether you are allowed in. Ask your librarian.
Health.gov | The requested thing cannot be shown outside the country.
Univadis | Are you licensed to practise? Yes / No
Cancer Charity | Before you come in: what may we note down about your visit?
Repository | Deposited. Can be opened from 1 June.
WebMD-like | An extension in your browser is getting in the way.
PaperShare | The author has not made the full text public. Send them a line?
Eye Journal | Wait here. We are warming up the engine.
OldSite | This address has been bought by someone else.
Hospital intranet | You are not on our network.
Vaccine Facts | We've grown! Find us at our new place.
Reader | Open in the app for the best experience.
Archive.example | Nothing was saved here on that day.
Dermatology Today | Your three-day pass is over.
SearchMed | 0 hits. Fewer words may help.
Cochrane-like | The server had to think too long and gave up.
Lancet-like | Buy it, rent it, or ask your institution.
Maternity Hub | We have switched this part off for now.
MedTube | Playback needs a newer device.
PillBox | Choose the language you would like to go on with.
ClinicCMS | Hello! Your site is ready. Log on to fill it.
ForumDoc | Only those who have posted ten times may see this board.
PDF host | Virus check running. Your file will follow.
ChatDoc | This conversation is private.
Stats | The query ran into its limit of 30 seconds.
LawMed | Taken offline by order of a court.
EU Med | By going on you say yes to our rules.
Journal club | Our newsletter has it all. Where shall we send it?
Lib proxy | Your login has gone stale.
Sports medicine | Sorry folks, all seats are taken.
Rare disease net | The page you bookmarked is no more.
Preprint server | Version 1 was taken back by its authors.
Gateway | Upstream said no.
Mirror site | You were too quick. Try once more in ten seconds.
PubReader | This title has not been licensed by your library.
NeuroNet | Hang on – checking your ticket.
HealthLine-like | Please switch your blocker off. Advertisements pay our writers.
MedForum | You need 50 points to open this thread.
GovHealth | Scheduled works. Services resume at six.
Journal of Pain | Choose a way to get in: institution, society, payment.
Pharma info | Doctors only. Enter your number.
EyeWiki | An administrator has locked this entry.
Kidney.org-like | Thank you for your patience while we rebuild.
MedVideo | To watch, allow marketing trackers.
CancerStats | Your request could not be completed. Code: E-19.
Library proxy | Too many readers are using this book. Wait your turn.
ArXiv-like | No PDF for this one yet.
Dr Smith's practice | We have closed. Our patients are now looked after elsewhere.
OpenTrials | The record was merged. Follow the arrow.
BMJ-like | Take out a free trial and carry on.
Nutrition mag | Nearly there! Confirm your mail to see the recipe.
Mayo-like | Looks like the link was mistyped.
Blog | The author has turned this into a private diary.
CDN | Could not find the way back to origin.
PharmaSite | You are leaving the United Kingdom site. Are you a resident of the US?
Dental news | Your free month has come to an end.
JSTOR-like | Reading online is not offered for this volume. Order a scan.
MedGames | Rotate your device to play.
Ethics board | Not for public eyes.
WHO-like | This resource is being migrated. Expect it back shortly.
Mail | Confirm that this click was yours.
Vet med | Cookies first, then content.
Health insurer | Sign on with your member number.
Radiopaedia-like | You've hit your daily cap.
Hub | A newer edition exists. Go to it?
UpToWhen | Your seat licence is in use on another machine.
"""

SHORT_ARTICLES = """
Myxoedema coma | A rare, life-threatening form of severe hypothyroidism.
Paracetamol 500 mg tablets | Adults: one to two tablets up to four times a day.
Whitlow | A painful infection of the fingertip, often caused by herpes simplex.
Sprained ankle | Rest it, put ice on it and keep it raised.
Warts | Most go away by themselves.
Hiccups | Hold your breath, sip cold water, or breathe into a paper bag.
Fever in babies | Call your doctor if your baby is under three months old and feels hot.
Burns | Cool the burn under running water for 20 minutes. Do not put butter on it.
Tetanus | See: Vaccines for adults. Booster every ten years.
Drowning | Start rescue breaths at once and call for help.
Salt and your heart | Eating less salt lowers your blood pressure.
Nosebleed | Sit down, lean forward and pinch your nose for ten minutes.
Teething | Give your baby something cool to chew on.
Insomnia | You may sleep better if you get up at the same time every day.
Head lice | Comb your child's wet hair with a fine comb. Check everyone at home.
Choking | Ask if they can cough. If not, give five blows to the back.
Black eye | It will go away in about two weeks.
Hangover | Drink water and wait. Nothing else works.
Growing pains | Your child is well in the morning, and nothing is wrong with the legs.
Passive smoking | Ask guests to smoke outside your home.
Hand washing | Wash your hands for as long as it takes to sing a song twice.
Abstract | Background: Sepsis kills. Methods: We followed 300 adults. Results: 41 died.
Trial registration | NCT01234567. Recruiting. Phase 3. Metformin versus placebo in PCOS.
Retraction | This article has been retracted because data in Table 2 were wrong.
ICD-10 J45 | Asthma. Includes: allergic asthma, atopic asthma. Excludes: cardiac asthma.
Ramipril | ACE inhibitor. Starting dose 2.5 mg.
Bee stings | Scrape the sting out and wash your skin.
Gout diet | Cut down on beer, liver and sardines.
Stroke: act FAST | Face, arms, speech, time.
Colour blindness | It runs in families and cannot be cured.
Braxton Hicks | Your womb is practising. They stop when you change position.
Fluoride | Strengthens teeth.
Snoring | Sleep on your side. Lose weight if you need to. Stop smoking.
Blisters | Do not burst them. Cover them with a soft plaster.
Whooping cough | Babies may turn blue. The cough can last for three months.
Loneliness | Talk to someone you trust. You are not alone.
Morning sickness | Eat little and often. Ginger may help you.
Constipation | Eat more fibre, drink more and move about.
Ear wax | Put two drops of olive oil in your ear every night for a week.
First aid for fainting | Lay them down and raise their legs.
HIV test | Results are ready in three weeks. You can have one without giving your name.
Jet lag | Stay up until bedtime at your destination.
Dizziness | Stand up slowly.
Pregnancy | Your due date is 40 weeks from the first day of your last period.
Breastfeeding | Your baby decides how often and how long.
Vitamin D | We make it in our skin when the sun shines.
Bed sores | Turn the person every two hours.
Statins | If you forget one, take it when you remember. Never take two.
Aspirin | Ask your doctor before giving it to a child.
Sunburn | Stay in the shade between eleven and three.
Back pain | Keep moving.
Grief | It takes as long as it takes.
Blood groups | A, B, AB and O.
Apgar score | Appearance, pulse, grimace, activity, respiration.
Correction | In the version published on 3 May, the dose was given as 5 mg; it is 0.5 mg.
Editorial | We think that every child should learn to swim.
Drinking and driving | Your body needs an hour for each drink.
Food poisoning | If in doubt, throw it out.
Eye strain | Look away from your screen every 20 minutes.
Flu jab | You can have it at any time in winter, and every year.
Definition: tachypnoea | Breathing faster than normal.
Hypnic jerk | A sudden twitch just as you fall asleep.
Cold sores | They clear up in about ten days. Do not kiss babies.
Case report | We describe a woman of 54 with a swollen knee after a cat scratch.
FAQ: can I fly? | Yes, from two weeks after your operation. Ask your surgeon first.
Emergency number | Call 112 if someone is not breathing.
Trial result | The primary end point was not met.
Mpox | Mpox is spread by close contact.
Chapter summary | Older drivers have more crashes per mile. Tests of sight do not predict them.
Frostbite | Do not rub. Warm slowly.
Menarche | First menstruation, usually between 11 and 14.
Recall | The company recalls one lot of its syrup because of glass in two bottles.
News | Hospitals in the north ran out of beds last night.
Abstract | We asked 60 doctors how they break bad news. Most had never been taught.
Mindfulness | Sit still. Notice each breath. When your mind wanders, bring it back.
Car seats | Your child should ride facing backwards until the age of four.
Nutrition facts | Energy 250 kcal, fat 9 g, salt 0.8 g.
Meningitis rash | Press a glass on it. If it does not fade, call for help.
Glossary: comorbidity | Another illness that someone has at the same time.
Letter | We read the paper by Ho with interest. Its sample was too small.
Swimming | You should not swim alone if you have fits.
Vaping | It is not harmless, but less harmful than smoking.
Hearing | Keep the volume below 60 per cent.
Autism | Every autistic person is different.
Sleep apnea | You stop breathing in your sleep.
Notice | The committee meets twice a year and publishes its advice each autumn.
Walking | Ten minutes a day is enough to start with.
Advice | Ask for help early. You are not to blame.
Dying at home | Many people wish to die in their own bed. Few do.
Trans fats | Banned in Denmark since 2003.
Author's reply | We thank Dr Lee. The error does not change our result.
School lunch | Offer water rather than juice.
Lifting | Bend your knees, keep your back straight.
Ticks | Pull it out slowly with fine tweezers.
Toddlers | They copy what you do, not what you say.
Screen time | None before two, an hour a day before five.
Erratum | In the first sentence, "before" should read "after".
Prevalence | One in eleven.
Gait | The way a person walks.
Newborn screening | A few drops from the heel on day five.
Hypoxia | A state in which the body or a region of it is deprived of oxygen.
Amlodipine | Calcium channel blocker used to treat hypertension. Once daily by mouth.
First aid: poisoning | Call the poison line. Do not make the person vomit. Keep the packaging.
Quitting | Set a date. Tell your friends. Throw away your ashtrays.
Carers | Looking after someone is hard work. You can ask for a break.
Abstract | Objective: To compare two methods. Results: There was no difference.
Tonsil stones | Small lumps in the tonsils that may smell bad. They are not dangerous.
Periods | Your first one may come at any age between nine and sixteen.
Guideline 4.2 | Measure lactate again if it was above 2.
Dry eyes | Blink more often when you look at a screen.
Blood donation | You can give every twelve weeks if you are well.
Ask the expert | Can I drink while I take this? One glass does no harm.
Definition | The number of new cases per year.
Safety notice | Batch 44 may contain pieces of metal. Return it to your pharmacy.
Masks | Change yours when it gets damp.
History | The word comes from the Greek for sweet.
Growth charts | Half of all children are below the middle line.
Anger | Count to ten. Walk away. Come back when you are calm.
Clinic hours | Monday to Friday, eight to four. No appointment needed.
Meaning of CT | Computed tomography.
Toilet training | Wait until your child is ready. Praise helps more than scolding.
Lead in paint | Houses built before 1978 may have it.
Summary | Older people were helped most. Younger ones were not.
Tattoo removal | It takes about ten sessions and does not always work.
Dying | Your loved one may stop eating. This does not hurt them.
Hot weather | Stay indoors at midday and drink before you are thirsty.
Sex after birth | When you both feel ready.
Interpretation | A value below one favours the new method.
Night terrors | Your child will not remember it in the morning. Do not wake them.
Conflict of interest | Dr May has been paid by two makers of stents.
Baldness | Half of all men lose some hair by fifty.
Cutting nails | Straight across.
Memory | Write things down. Keep your keys in one place.
E-cigarettes | Keep them away from toddlers.
Funding | Supported by grant 1234 of the Heart Fund.
Deep breathing | In for four, hold for four, out for six.
Noise | Two hours at a concert can be too much.
Adoption | You may have questions about where you come from.
Editor's note | A reader has pointed out that the doses in the second example were swapped.
Nappy rash | Leave it off for an hour a day.
Ageusia | Loss of taste.
Ask a nurse | Yes, you can shower with the stitches in after two days.
Method | We searched four databases up to March 2021 and screened 1,204 titles.
Obituary | Professor Adler, who first described the syndrome, has died at 91.
Warning | Do not mix bleach with other cleaners.
Finding | The two groups did not differ.
Bunions | They run in families. Wide shoes help.
Pill | If you miss one by less than 12 hours, take it at once and carry on.
Blood tests | You need not fast for this one.
Correspondence | The authors reply that their data support the earlier claim.
Altitude | Go up slowly. Come down if your head aches.
Breech | Feet or bottom first.
Definition of fever | 38 °C or more.
Stammering | Give them time. Do not finish their sentences.
Moles | See someone if one changes its shape or colour.
Hepatitis A | You catch it from food or water.
Trial | Closed to new participants since 2019.
Flat feet | Most need nothing done.
Self-harm | You deserve help. Talk to someone you trust.
Colic | Rock them gently. It ends by four months.
Trivia | The smallest bone is in the ear.
Smallpox | Gone since 1980.
Caffeine | Three cups a day are fine.
Sterilisation | It is meant to last for ever.
Erratum | The name of the second author was misspelt.
Cast care | Keep it dry. Do not push anything inside.
Poll | Most doctors would not want it for themselves.
Norms | Girls walk at 12 months on average.
Concussion | No sport for three weeks.
Comment | This study is too small to settle the matter.
Sleepwalking | Guide them back to bed.
Handover | Tell the next team what you are worried about.
"""


def pages_of(lines: str) -> list[tuple[str, str]]:
    """(title, text) of each line."""
    pages = []
    for line in filter(None, lines.splitlines()):
        title, _, text = line.partition("|")
        pages.append((title.strip(), text.strip()))
    return pages
