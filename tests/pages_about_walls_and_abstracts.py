"""Pages that speak of walls without being one, walls, and abstracts whose full text is for sale:
written before the rules that they try were looked at for them. (name, outcome, HTML), as in
``tests.labelled_pages``. When they were new, 14 of the 20 were what they are told to be.
"""

from __future__ import annotations

from tests.labelled_pages import Labelled, bare, page

_BUY = (
    "Access through your institution. Buy or subscribe. Rent or buy this article. Prices may be"
    " subject to local taxes which are calculated during checkout."
)
_STRUCTURED = (
    "<h2>Abstract</h2>",
    "Background: Iron deficiency is common in women who menstruate. It is not known how often"
    " tablets should be taken.",
    "Methods: We gave 60 mg of iron to 40 women, daily to one half and on alternate days to the"
    " other half, for 14 days, and measured absorption with stable isotopes.",
    "Results: Fractional absorption was 16.3 % with daily and 21.8 % with alternate doses"
    " (p = 0.0013). Nausea was reported by 9 and 5 women.",
    "Conclusions: Iron on alternate days is absorbed better than iron every day.",
)

CAPTCHA_ARTICLES: tuple[Labelled, ...] = (
    (
        "what CAPTCHAs are",
        "ok",
        page(
            "CAPTCHA",
            "A CAPTCHA is a test that tells people from programs. Its name was coined in 2003. The"
            " first ones showed letters that were bent out of shape, which programs could not read"
            " at the time. Later ones show pictures and ask which of them hold a traffic light.",
            "Since 2014, many sites only ask to tick a box that says 'I'm not a robot', and watch"
            " how the pointer moves. People with poor sight fail such tests more often: in a study"
            " of 89 blind users, audio tests took 51 seconds and were solved by 46 %.",
        ),
    ),
    (
        "CAPTCHAs and dementia",
        "ok",
        page(
            "Dementia and signing in",
            "People with early dementia often fail the check that asks them to verify you are"
            " human. In a survey of 212 carers, 61 % said that they had solved a CAPTCHA for"
            " somebody else. Memory clinics advise sites to offer a telephone number instead.",
        ),
    ),
    (
        "bots in online surveys",
        "ok",
        page(
            "Fraud in online surveys of patients",
            "Of 1,120 answers to our survey on migraine, 847 came from bots. A CAPTCHA at the start"
            " kept out most of them. We recommend questions with known answers, a check of the time"
            " taken and no payment before the answers are reviewed.",
        ),
    ),
    (
        "screen readers",
        "ok",
        page(
            "Access for all",
            "Cloudflare's security check is announced by screen readers as 'Checking if the site"
            " connection is secure'. Users with tremor need more time to press and hold. Sites for"
            " patients should not use such checks on pages with information on medicines.",
        ),
    ),
    (
        "a history of spam",
        "ok",
        page(
            "How forums for patients fight spam",
            "Forums for people with diabetes were flooded with adverts for pills. 'Please verify"
            " that you are not a robot' was the answer of most of them. A third of users over 70"
            " gave up at that point, the study found, and asked their questions elsewhere.",
        ),
    ),
    (
        "an article and a widget",
        "ok",
        page(
            "Measles",
            "Measles spreads through the air and is caught by nine of ten people without"
            " protection. The rash comes on the fourth day and starts behind the ears. Vitamin A is"
            " given to children in hospital.",
            foot="Leave a comment. This site is protected by reCAPTCHA and the Google Privacy"
            " Policy and Terms of Service apply.",
        ),
    ),
    (
        "a real check",
        "blocked",
        bare(
            "Just a moment...",
            "<p>Verify you are human by completing the action below.</p><p>journal.example needs to"
            " review the security of your connection before proceeding.</p>",
        ),
    ),
    (
        "a real check that explains CAPTCHAs",
        "blocked",
        bare(
            "Security check",
            "<h1>One more step</h1><p>Please complete the security check to access the site.</p>"
            "<h2>Why do I have to complete a CAPTCHA?</h2><p>Completing the CAPTCHA proves you are"
            " a human and gives you temporary access to the web property.</p><h2>What can I do to"
            " prevent this in the future?</h2><p>If you are on a personal connection, like at home,"
            " you can run an anti-virus scan on your device to make sure it is not infected with"
            " malware.</p>",
        ),
    ),
    (
        "a check in friendly words",
        "blocked",
        bare(
            "Are you a robot?",
            "<p>We've detected unusual activity from your computer network. To continue, please"
            " click the box below to let us know you're not a robot.</p><p>Block reference ID:"
            " 9c1f</p>",
        ),
    ),
    (
        "a puzzle",
        "blocked",
        bare(
            "medical-library.example",
            "<p>Slide the piece into the puzzle to prove that you are no bot.</p>",
        ),
    ),
)

ABSTRACTS: tuple[Labelled, ...] = (
    ("structured, for sale below", "ok", page("Iron on alternate days", *_STRUCTURED, _BUY)),
    (
        "structured, for sale above",
        "ok",
        page("Iron on alternate days", "Get access to the full article.", *_STRUCTURED),
    ),
    (
        "a summary of one paragraph",
        "ok",
        page(
            "Statins in old age",
            "<h2>Summary</h2>",
            "Whether statins help people over 75 is debated. In a meta-analysis of 28 trials with"
            " 186,854 participants, of whom 14,483 were older than 75, statins lowered the risk of"
            " major vascular events by 21 % per mmol/L. The proportional reduction was smaller in"
            " the old without known vascular disease. There was no effect on cancer at any age.",
            "Purchase access to this article: 39.95 euros. Already a subscriber? Log in.",
        ),
    ),
    (
        "headings of their own",
        "ok",
        page(
            "Delayed cord clamping",
            "<h3>Objective</h3>",
            "To see whether clamping the cord after 60 seconds lowers deaths of preterm infants.",
            "<h3>Design</h3>",
            "Randomised trial in 25 hospitals in seven countries with 1,566 infants.",
            "<h3>Findings</h3>",
            "Death or major illness occurred in 37.0 % and 37.1 % (relative risk 1.00, 95 % CI 0.88"
            " to 1.13). Mortality was 6.4 % against 9.0 %.",
            "<h3>Interpretation</h3>",
            "Delayed clamping did not lower the combined outcome.",
            "To read this article in full you will need to make a payment. Purchase one-time"
            " access. Subscribe to The Journal.",
        ),
    ),
    (
        "a preview in German",
        "ok",
        page(
            "Eisenmangel",
            "<h2>Zusammenfassung</h2>",
            "Hintergrund: Eisenmangel ist die häufigste Ursache einer Anämie. Methoden: Wir haben"
            " 120 Frauen mit einem Ferritin unter 30 µg/l untersucht. Ergebnisse: Nach zwölf Wochen"
            " lag das Hämoglobin unter Tabletten um 1,4 g/dl höher. Schlussfolgerung: Tabletten"
            " jeden zweiten Tag genügen bei den meisten.",
            "Artikel kaufen. Zugang über Ihre Institution. Bereits Abonnent? Anmelden.",
        ),
    ),
    (
        "the first page of a chapter",
        "paywalled",
        page(
            "Asthma",
            "Asthma is a long-term disease in which the airways narrow and swell. This chapter"
            " reviews how it is diagnosed …",
            "This is a preview of subscription content. Log in via an institution. Chapter 29.95"
            " euros. eBook 139.99 euros. Buy chapter.",
        ),
    ),
    (
        "a title alone",
        "paywalled",
        page("Statins in old age: a review", "No abstract available.", _BUY),
    ),
    (
        "the beginning of a news article",
        "paywalled",
        page(
            "Hospitals run out of drips",
            "On Monday morning the pharmacist of a small hospital counted 14 bags of saline. By"
            " noon there were six. What happened next shows how thin the supply has become in much"
            " of the country, and how little",
            "To continue reading, subscribe from 1 euro a week.",
        ),
    ),
    (
        "an abstract that is cut off",
        "paywalled",
        page(
            "A trial of zinc",
            "<h2>Abstract</h2>",
            "Zinc has been proposed to shorten a cold. We gave …",
            "Subscribe to unlock the full abstract and article.",
        ),
    ),
    (
        "an abstract, free text below",
        "ok",
        page(
            "Iron on alternate days",
            *_STRUCTURED,
            "<h2>Introduction</h2>",
            "Tablets of iron raise hepcidin for a day, and less is then absorbed of the next one.",
            foot="Subscribe to our newsletter. Buy a reprint of this article.",
        ),
    ),
)
