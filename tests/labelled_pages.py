"""Pages with what they are: written before the rules that they try.

Each is (name, outcome, HTML). All were answered with status 200.
"""

from __future__ import annotations

import json

Labelled = tuple[str, str, str]

ASTHMA = (
    "Asthma is a long-term disease in which the airways narrow and swell. Breathing becomes hard,"
    " and people cough or whistle when they breathe out. Most children who have it were ill before"
    " they were five years old. Inhaled steroids keep the swelling down and are taken every day."
    " A reliever inhaler opens the airways within minutes and is used when symptoms come."
)
IRON = (
    "Iron deficiency is the commonest cause of anaemia in the world. Blood loss, pregnancy and a"
    " diet without meat make it more likely. Tablets are taken on an empty stomach, since tea, milk"
    " and calcium keep iron from being absorbed. The blood count is checked again after three"
    " weeks."
    " Treatment goes on for three months once the count is normal, so that the stores are filled."
)
STATINS = (
    "Statins lower the amount of cholesterol that the liver makes. Taken for five years, they"
    " prevent about ten heart attacks or strokes among a thousand people of moderate risk. Muscle"
    " pain is reported often and is rarely caused by the drug. Grapefruit juice raises the level of"
    " simvastatin and should be left out. Liver tests are done before and three months after."
)
VACCINE = (
    "The measles vaccine is given twice, at twelve months and before school. Two doses protect 97"
    " of 100 children. Fever follows in one child of six and passes within two days. Children with"
    " a weak immune system should not have it, because it holds living virus. Side effects that"
    " last are very rare: about one case of a low platelet count in thirty thousand doses."
)
SHORT = "The usual dose for adults is 500 mg every six hours; 4 g a day must not be exceeded."
SITE = "Home About us Contact Careers Privacy Terms of use Sitemap"


def page(title: str, *body: str, foot: str = "", head: str = "", nav: str = SITE) -> str:
    """A page as sites make them: navigation, an article, a footer."""
    main = "".join(one if one.startswith("<") else f"<p>{one}</p>" for one in body)
    return (
        f"<!doctype html><html lang='en'><head><title>{title}</title>{head}</head><body>"
        f"<nav><a href='/'>{nav}</a></nav><main><article><h1>{title}</h1>{main}</article></main>"
        f"<footer><p>{foot}</p></footer></body></html>"
    )


def bare(title: str, body: str, head: str = "") -> str:
    """A page with nothing but this."""
    return f"<html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def linked(data: object) -> str:
    """Data for machines (schema.org)."""
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


_COOKIES = (
    "We use cookies to improve your experience. By using this site you accept our cookie policy."
    " Manage cookie preferences. Accept all. Reject all."
)
_PARTNERS = (
    "We and our 842 partners store and access information on your device, such as cookies. You can"
    " accept all, reject all or manage your choices. Some partners rely on legitimate interest and"
    " do not ask for your consent. Your choices apply to this site alone. See our privacy policy"
    " and our cookie notice to learn how personal data are processed by us and our partners."
)

READABLE: tuple[Labelled, ...] = tuple(
    (name, "ok", html)
    for name, html in (
        ("subscriber in the footer", page("Asthma", ASTHMA, foot="Already a subscriber? Sign in")),
        (
            "results of a portal",
            page("Iron", IRON, foot="Log in to view your results in the portal."),
        ),
        (
            "a vaccination takes a moment",
            page(
                "Measles vaccine",
                VACCINE,
                "The injection takes just a moment. Stay for fifteen minutes afterwards.",
            ),
        ),
        ("a cookie notice under it", page("Statins", STATINS, foot=_COOKIES)),
        ("a cookie notice over it", page("Statins", f"<div class='cc'>{_COOKIES}</div>", STATINS)),
        ("a long consent under it", page("Asthma", ASTHMA, IRON, foot=_PARTNERS)),
        ("a newsletter", page("Iron", IRON, foot="Subscribe to read our newsletter every week.")),
        (
            "a newsletter asked for",
            page("Iron", IRON, "Sign up to continue receiving our newsletter."),
        ),
        (
            "a member's area",
            page(
                "Measles vaccine",
                VACCINE,
                foot="Members only: sign in to the area"
                " for professionals. Register to access the forum.",
            ),
        ),
        ("a login in its head", page("Asthma", ASTHMA, nav="Log in Register Subscribe Basket")),
        (
            "a sign that data are free",
            page(
                "Statins", STATINS, head=linked({"@type": "Article", "isAccessibleForFree": True})
            ),
        ),
        (
            "a table of doses",
            page(
                "Doses",
                "<table><tr><th>Drug</th><th>Dose</th></tr><tr><td>Ramipril"
                "</td><td>2.5 mg</td></tr><tr><td>Lisinopril</td><td>10 mg</td></tr><tr><td>Enalapril</td>"
                "<td>5 mg</td></tr></table>",
                foot="Already a subscriber? Sign in",
            ),
        ),
        (
            "a list of signs",
            page(
                "Signs of a stroke",
                "<ul><li>face drops on one side</li><li>arm"
                " cannot be lifted</li><li>speech is slurred</li><li>sudden headache</li><li>loss of balance"
                "</li><li>trouble seeing</li></ul>",
                foot="Log in to save this page",
            ),
        ),
        ("one sentence", page("Paracetamol", SHORT)),
        (
            "one sentence and cookies",
            page(
                "Paracetamol",
                SHORT + " Do not take it with alcohol. Ask a"
                " pharmacist about other medicines that hold it, such as cold remedies.",
                foot=_COOKIES,
            ),
        ),
        (
            "an article about a site's errors",
            page(
                "Why links in papers die",
                "A link dies when its page"
                " is moved. Readers then see the words page not found, with the number 404. We followed nine"
                " thousand links in medical papers and found that a fifth no longer led anywhere. Archives"
                " helped in half of these cases. Editors should ask authors for an archived copy of each"
                " page they cite, and check the links once more before a paper is printed.",
            ),
        ),
        (
            "a page about denial of access",
            page(
                "Access to care",
                "In many regions access is denied to"
                " people without papers. Clinics that ask for no insurance are found in larger towns. A nurse"
                " sees patients without an appointment, and treatment of tuberculosis is free for everyone."
                " Translators can be called by telephone, day and night, in more than forty languages.",
            ),
        ),
        (
            "about robots",
            page(
                "Robot-assisted surgery",
                "Are you a robot? Patients ask surgeons this in"
                " jest. In robot-assisted surgery the surgeon moves the arms from a console. Blood loss is"
                " lower than in open surgery, while operations take longer. Five-year survival is the same."
                " Hospitals should tell patients how many such operations their surgeon has done.",
            ),
        ),
        (
            "about subscriptions to drugs",
            page(
                "Paying for insulin",
                "Some makers sell insulin by"
                " subscription. Patients pay thirty-five dollars a month and get what they need. Subscribers"
                " only pay the fee while they use the drug. Those who cannot pay ration their doses, which"
                " leads to ketoacidosis. One in four adults with diabetes has done so in the last year.",
            ),
        ),
        (
            "an abstract that is free",
            page(
                "A trial of iron every other day",
                "Background. Iron every"
                " other day may be absorbed better. Methods. We gave 150 women 60 mg of iron daily or on"
                " alternate days. Results. Absorption was 34% higher on alternate days. Nausea was rarer. "
                "Conclusion. Alternate-day dosing is a fair choice for women with mild deficiency.",
                foot="Download PDF. Cite this article. Log in to comment.",
            ),
        ),
        (
            "free text in a graph",
            page(
                "Asthma",
                ASTHMA,
                head=linked(
                    {
                        "@graph": [
                            {"@type": "WebSite", "name": "Lungs"},
                            {"@type": "Article", "isAccessibleForFree": "True"},
                        ]
                    }
                ),
            ),
        ),
        (
            "long and metered",
            page(
                "All about asthma",
                *[ASTHMA, IRON, STATINS, VACCINE] * 3,
                "Subscribe to continue reading other articles.",
                head=linked({"@type": "NewsArticle", "isAccessibleForFree": False}),
            ),
        ),
        (
            "a shop beside it",
            page("Statins", STATINS, foot="Buy this article's poster in our shop."),
        ),
        ("a loading widget", page("Measles vaccine", VACCINE, "<div>Loading comments…</div>")),
        (
            "JavaScript asked for",
            page(
                "Iron",
                IRON,
                "<noscript>Please enable JavaScript.</noscript>",
                foot="Please enable JavaScript to use the calculator.",
            ),
        ),
        (
            "a domain in words",
            page(
                "Fake pharmacies",
                "Criminals buy names of closed pharmacies. A"
                " domain that is for sale today sells pills tomorrow. Look for the seal of the authority, and"
                " compare the address with the one in the public list. Pills bought elsewhere held no drug at"
                " all in a third of tests, and a wrong dose in another third of them.",
            ),
        ),
        (
            "German",
            page(
                "Eisenmangel",
                "Eisenmangel ist die häufigste Ursache einer Blutarmut."
                " Tabletten"
                " werden nüchtern eingenommen, weil Tee und Milch die Aufnahme hemmen. Nach drei Wochen wird"
                " das Blutbild kontrolliert, die Behandlung dauert insgesamt etwa drei bis sechs Monate.",
                foot="Alle Cookies akzeptieren. Anmelden, um Ihre Befunde zu sehen.",
            ),
        ),
        (
            "Japanese",
            page(
                "喘息",
                "喘息は気道が狭くなる慢性の病気です。吸入ステロイド薬を毎日使うと炎"
                "症が抑えられます。"
                "発作のときは気管支拡張薬を吸入します。" * 3,
                foot="ログイン",
            ),
        ),
        (
            "a notice of a move",
            page("Iron", "This page has moved to a new address; please update your links.", IRON),
        ),
        (
            "reviewed content",
            page("Asthma", ASTHMA, "This article is no longer available in print."),
        ),
        (
            "a question that follows",
            page(
                "Measles vaccine",
                VACCINE,
                "Are you a healthcare professional? Read the version for professionals.",
            ),
        ),
        (
            "verify",
            page("Statins", STATINS, "Verify you are human milk bank members only if you donate."),
        ),
    )
)

_TEASER = "Asthma is a long-term disease in which the airways narrow and swell."

PAYWALLED: tuple[Labelled, ...] = tuple(
    (name, "paywalled", html)
    for name, html in (
        ("subscribe to continue", page("Asthma", _TEASER, "Subscribe to continue reading.")),
        (
            "a teaser of a paragraph",
            page(
                "Iron",
                IRON,
                "This article is for subscribers only.",
                "Already a subscriber? Sign in to read the full article.",
            ),
        ),
        (
            "a journal",
            page(
                "A trial of iron",
                "Iron every other day may be absorbed better than iron every day.",
                "Buy this article. Get full access to this article. Access through your"
                " institution.",
            ),
        ),
        (
            "an abstract for sale",
            page(
                "Statins in old age",
                STATINS,
                "Access through your institution."
                " Buy or subscribe. Rent or buy this article. Prices may be subject to local taxes.",
            ),
        ),
        (
            "linked data",
            page(
                "Asthma",
                _TEASER,
                head=linked({"@type": "NewsArticle", "isAccessibleForFree": False}),
            ),
        ),
        (
            "linked data as a word",
            page(
                "Asthma",
                _TEASER,
                head=linked([{"@type": "NewsArticle", "isAccessibleForFree": "False"}]),
            ),
        ),
        (
            "linked data in a graph",
            page(
                "Asthma",
                _TEASER + " It begins in childhood.",
                head=linked(
                    {
                        "@context": "https://schema.org",
                        "@graph": [
                            {"@type": "WebPage"},
                            {"@type": "Article", "isAccessibleForFree": "false"},
                        ],
                    }
                ),
            ),
        ),
        (
            "a part in a graph",
            page(
                "Iron",
                IRON,
                head=linked(
                    {
                        "@graph": [
                            {
                                "@type": "Article",
                                "hasPart": {
                                    "@type": "WebPageElement",
                                    "isAccessibleForFree": False,
                                    "cssSelector": ".p",
                                },
                                "isAccessibleForFree": False,
                            }
                        ]
                    }
                ),
            ),
        ),
        (
            "a login to read",
            page(
                "Vaccines",
                "Measles is on the rise.",
                "Log in to read the rest of this article. Not a member? Register to continue.",
            ),
        ),
        (
            "the limit is reached",
            page(
                "Statins",
                "Statins lower cholesterol.",
                "You have reached your"
                " limit of free articles this month. Subscribe now for unlimited access.",
            ),
        ),
        (
            "reserved",
            page("Iron", _TEASER, "The rest of this content is reserved for subscribers."),
        ),
        ("a trial", page("Vaccines", _TEASER, "Start your free trial to keep reading this story.")),
        (
            "a login form",
            bare(
                "Sign in",
                "<h1>Sign in</h1><form>Username <input> Password <input>"
                "<button>Sign in</button></form><p>Forgot your password? Register</p>",
            ),
        ),
        (
            "the doctors' own",
            page(
                "Dosing",
                "This content is available to members only. Please sign in"
                " or create an account to view this page.",
            ),
        ),
    )
)

NOT_FOUND: tuple[Labelled, ...] = tuple(
    (name, "not_found", html)
    for name, html in (
        (
            "plain",
            page("Page not found", "Sorry, the page you were looking for could not be found."),
        ),
        ("404", page("404", "Oops! That page can’t be found. Try a search.")),
        (
            "in the title alone",
            bare(
                "404 Not Found | Health A–Z",
                "<h1>Oops</h1><p>Something went"
                " missing. Go to the home page or use the search.</p>",
            ),
        ),
        (
            "with favourites",
            page(
                "Page not found",
                "The page you requested does not exist or was moved.",
                "<ul><li><a href='/a'>Asthma</a></li><li><a href='/b'>Iron deficiency</a></li><li>"
                "<a href='/c'>Statins and you</a></li><li><a href='/d'>Measles</a></li></ul>",
                foot=_COOKIES,
            ),
        ),
        (
            "moved or deleted",
            page(
                "We’re sorry",
                "The page you are looking for might have been removed,"
                " had its name changed, or is temporarily unavailable.",
            ),
        ),
        (
            "no longer there",
            page(
                "Content unavailable",
                "This article is no longer available. It may have been deleted or moved.",
            ),
        ),
        (
            "German, not found",
            page("Seite nicht gefunden", "Die gewünschte Seite existiert leider nicht."),
        ),
        ("French", page("Page introuvable", "La page que vous cherchez n’existe pas ou plus.")),
        ("Spanish", page("Página no encontrada", "Lo sentimos, la página solicitada no existe.")),
        ("error 404", bare("Health", "<div>Error 404</div><div>We couldn’t find that page.</div>")),
        (
            "for sale",
            bare(
                "lungfacts.com",
                "<h1>lungfacts.com is for sale!</h1><p>This domain is for"
                " sale. Buy this domain now or make an offer.</p>",
            ),
        ),
        (
            "parked",
            bare(
                "heartcare.net",
                "<p>This domain is parked free, courtesy of a registrar. Get"
                " this domain. Related searches: heart doctor, insurance, pills.</p>",
            ),
        ),
        (
            "may be for sale",
            bare(
                "ironinfo.org",
                "<p>The domain ironinfo.org may be for sale. Click"
                " here"
                " to inquire about this domain.</p><p>Related links</p>",
            ),
        ),
        (
            "expired",
            bare(
                "Domain expired",
                "<p>This domain has expired. If you are the owner, renew it now.</p>",
            ),
        ),
    )
)

BLOCKED: tuple[Labelled, ...] = tuple(
    (name, "blocked", html)
    for name, html in (
        (
            "just a moment",
            bare(
                "Just a moment...",
                "<h1>health.example</h1><p>Checking if the site"
                " connection is secure</p><p>Enable JavaScript and cookies to continue</p>",
            ),
        ),
        (
            "a captcha",
            bare("Are you a robot?", "<p>Please complete the security check to go on.</p>"),
        ),
        (
            "verify a person",
            bare("health.example", "<p>Verify you are human by completing the action below.</p>"),
        ),
        (
            "denied",
            bare(
                "Access Denied",
                "<h1>Access Denied</h1><p>You don't have permission to access"
                " this page on this server. Reference #18.2d</p>",
            ),
        ),
        (
            "unusual traffic",
            bare(
                "Sorry",
                "<p>Our systems have detected unusual traffic from your computer network.</p>",
            ),
        ),
        (
            "interruption",
            bare(
                "Pardon Our Interruption",
                "<p>As you were browsing something about your"
                " browser made us think you were a bot.</p>",
            ),
        ),
        (
            "blocked",
            bare(
                "Attention Required!",
                "<p>Sorry, you have been blocked. You are unable to access this site.</p>",
            ),
        ),
        ("consent alone", bare("Before you continue", f"<p>{_PARTNERS}</p><p>{_COOKIES}</p>")),
        ("a country", bare("Unavailable", "<p>This content is not available in your region.</p>")),
        (
            "professionals",
            bare("Welcome", "<p>Are you a healthcare professional?</p><p>Yes</p><p>No</p>"),
        ),
    )
)

EMPTY: tuple[Labelled, ...] = tuple(
    (name, "empty", html)
    for name, html in (
        ("loading", bare("Health A–Z", "<div id='app'>Loading…</div>")),
        ("loading, please wait", bare("Portal", "<p>Loading, please wait...</p>")),
        (
            "an app",
            bare(
                "React App",
                "<div id='root'></div><p>You need to enable JavaScript to run this app.</p>",
            ),
        ),
        ("nothing", bare("Asthma", "<div id='root'></div><script>go()</script>")),
        (
            "JavaScript",
            bare(
                "Asthma",
                "<p>JavaScript is disabled in your browser. Please enable"
                " JavaScript to view this website.</p>",
            ),
        ),
        (
            "a spinner",
            bare("Guideline", "<div class='spin'>Please wait while the page is loading</div>"),
        ),
        ("nothing but a menu word", bare("", "<div>&nbsp;</div>")),
    )
)

OUT_OF_ORDER: tuple[Labelled, ...] = tuple(
    (name, "http_error", html)
    for name, html in (
        (
            "maintenance",
            bare(
                "We’ll be back soon",
                "<p>The site is down for maintenance. Please try again later.</p>",
            ),
        ),
        (
            "unavailable",
            bare("Service Unavailable", "<p>The service is temporarily unavailable.</p>"),
        ),
        (
            "a server's error",
            bare("Error", "<h1>500 Internal Server Error</h1><p>Something went wrong.</p>"),
        ),
    )
)

HELD_BACK: tuple[Labelled, ...] = (
    (
        "one sentence, a subscriber in the footer",
        "ok",
        page(
            "Amoxicillin",
            "Adults take 500 mg of amoxicillin three times daily.",
            foot="Already a subscriber? Sign in",
        ),
    ),
    (
        "a booking that takes a moment",
        "ok",
        page("Flu jab", "Booking takes just a moment. The vaccine protects for one season."),
    ),
    (
        "one sentence, results of a portal",
        "ok",
        page(
            "Results",
            "Cholesterol should be below 5 mmol/L in healthy adults.",
            foot="Log in to view your results",
        ),
    ),
    (
        "a link to report",
        "ok",
        page(
            "Contact",
            "Call the ward at 555-1234. Visiting is from two to six o'clock every day.",
            foot="Page not found? Report a broken link.",
        ),
    ),
    (
        "two sentences and cookies",
        "ok",
        bare(
            "Hypertension",
            "<div>High blood pressure has no symptoms. Check it every two years after"
            " forty.</div><div>" + _COOKIES + "</div>",
        ),
    ),
    (
        "one sentence and a login",
        "ok",
        bare(
            "x",
            "<p>Hypertension means a pressure above 140/90 mmHg on two visits.</p><p>Log in |"
            " Register | Subscribe</p>",
        ),
    ),
    (
        "a list and cookies",
        "ok",
        page(
            "BMI table",
            "<ul><li>under 18.5: underweight</li><li>18.5 to 24.9: normal</li><li>25 and more:"
            " overweight</li><li>30 and more: obesity</li></ul>",
            foot=_COOKIES,
        ),
    ),
    (
        "a waiting room",
        "ok",
        page(
            "What is MRI?",
            "The scan takes half an hour. Please wait in the waiting room until you are called."
            " You hear loud knocking while the pictures are made.",
        ),
    ),
    (
        "a site that will be back",
        "ok",
        page(
            "Ward closed",
            "The website of the ward will be back soon. Until then: visiting hours are from two"
            " to six, and two visitors may come at a time. Bring no flowers to the intensive"
            " care unit, since they carry germs.",
        ),
    ),
    (
        "an abstract and logins",
        "ok",
        page(
            "Paper",
            "Objective To study aspirin. Design Cohort study. Results Aspirin lowered the risk"
            " by 12% (95% CI 4 to 19). Conclusion Aspirin has a small effect.",
            foot="Subscribe | Sign in | My account | Institutional login",
        ),
    ),
    (
        "no longer available in pharmacies",
        "ok",
        page(
            "Drug shortage",
            "Vaccine is no longer available in many pharmacies. Doctors give priority to"
            " children under two years and to older people with heart disease, diabetes or"
            " cancer who have not had it before.",
        ),
    ),
    (
        "members pay half",
        "ok",
        page(
            "Sleep",
            "Adults need seven hours of sleep. Members only pay half the fee for the course.",
            foot="Before you continue, see our cookie policy.",
        ),
    ),
    (
        "a code",
        "not_found",
        page("Oops", "We looked everywhere, but that page isn’t here. Error code 404."),
    ),
    (
        "a server of files",
        "not_found",
        page(
            "File or directory not found.",
            "The resource you are looking for might have been removed, had its name changed, or"
            " is temporarily unavailable.",
        ),
    ),
    (
        "another server",
        "not_found",
        bare(
            "Object not found!",
            "<p>The requested URL was not found on this server. If you entered the URL manually"
            " please check your spelling and try again.</p>",
        ),
    ),
    (
        "with advice",
        "not_found",
        page(
            "Sorry, we can't find that page",
            "It may have moved, or the address may be wrong. Use the menu above to find what you"
            " need, or return to the front page of the clinic.",
        ),
    ),
    (
        "parked under its name",
        "not_found",
        bare(
            "example-health.com",
            "<p>example-health.com is parked</p><p>The domain name example-health.com is for"
            " sale. Make an offer</p>",
        ),
    ),
    (
        "a seller of names",
        "not_found",
        bare(
            "HugeDomains.com",
            "<p>HeartTips.com</p><p>This domain is for sale: $2,995</p><p>30-day money back"
            " guarantee</p><p>Take immediate ownership. Safe and secure shopping.</p>",
        ),
    ),
    (
        "a firewall",
        "blocked",
        bare(
            "Access denied | example.org used Cloudflare to restrict access",
            "<h1>Error 1020</h1><p>You do not have access to example.org. The site owner may"
            " have set restrictions that prevent you from accessing the site.</p>",
        ),
    ),
    (
        "press and hold",
        "blocked",
        bare(
            "Human Verification",
            "<p>Press and hold the button to confirm you are a human and not a bot.</p>",
        ),
    ),
    (
        "letters of a picture",
        "blocked",
        bare(
            "Security check",
            "<p>To continue, please type the characters you see in the image (captcha).</p>",
        ),
    ),
    (
        "consent and nothing else",
        "blocked",
        bare("Cookies", "<p>We value your privacy</p><p>" + _PARTNERS + "</p>"),
    ),
    (
        "a magazine",
        "paywalled",
        page(
            "New drug for migraine",
            "A drug that was approved in May prevents migraine, a trial shows. It was given to"
            " 500 adults.",
            "To continue reading this article, subscribe or sign in.",
        ),
    ),
    (
        "a preview",
        "paywalled",
        page(
            "Migraine",
            "A drug approved in May prevents migraine.",
            "This is a preview of subscription content. Log in via an institution.",
        ),
    ),
    (
        "a price a week",
        "paywalled",
        page(
            "Migraine",
            "A drug approved in May prevents migraine.",
            "Unlock this article: join now for £1 a week.",
        ),
    ),
    (
        "free for members",
        "paywalled",
        page("Migraine", "This article is free for members. Sign in to view the full text."),
    ),
    (
        "hospital subscription",
        "paywalled",
        bare(
            "UpToDate-like",
            "<p>To continue reading this article, you must sign in with your personal, hospital,"
            " or group practice subscription.</p>",
        ),
    ),
    (
        "register to unlock",
        "paywalled",
        page(
            "Medscape-like",
            "Log in or register for free to unlock this content.",
            "Create a free account",
        ),
    ),
    ("loading twice", "empty", bare("App", "<div>Loading...</div><div>Please wait</div>")),
    (
        "requires a script",
        "empty",
        bare("My clinic", "<noscript>x</noscript><p>This site requires JavaScript.</p>"),
    ),
    ("loading in its title", "empty", bare("Loading", "<p>Loading</p>")),
    (
        "improving",
        "http_error",
        bare("Site under maintenance", "<p>We are improving the site for you.</p>"),
    ),
    ("a gateway", "http_error", bare("502 Bad Gateway", "<center>nginx</center>")),
)
"""Written when the rules stood; they had 27 of these right, and were then widened."""

SECOND: tuple[Labelled, ...] = (
    (
        "questions of a form",
        "ok",
        page(
            "Frequently asked questions",
            "How long does the scan take? About twenty minutes. Can I eat before it? Not for four hours. Will it hurt? No. May I drive home? Yes, unless a sedative was given.",
            foot="Was this page helpful? Yes No",
        ),
    ),
    (
        "a leaflet with an age gate's words",
        "ok",
        page(
            "Alcohol and the liver",
            "Men who drink more than 14 units a week risk cirrhosis. Are you over 18? Teenagers harm their liver sooner, since enzymes mature late.",
            foot="Drink responsibly",
        ),
    ),
    (
        "an erratum",
        "ok",
        page(
            "Correction",
            "In the article by Miller, the dose in Table 2 was given as 50 mg. It should read 5 mg. The error has been put right online.",
            foot="Subscribe to alerts | Log in",
        ),
    ),
    (
        "a retracted paper",
        "ok",
        page(
            "RETRACTED: Vitamin D and falls",
            "This article has been withdrawn at the request of its editors. Background: falls are common. Results: vitamin D halved falls in 120 women.",
            foot="Institutional access",
        ),
    ),
    (
        "a page that was merged",
        "ok",
        page(
            "Measles (this page was moved here)",
            VACCINE,
            "The previous page is no longer available. Its text stands above.",
        ),
    ),
    (
        "a chat offer over the text",
        "ok",
        bare(
            "Iron",
            "<div>Chat with us! Our team is typing…</div><div>"
            + IRON
            + "</div><div>Loading more articles…</div>",
        ),
    ),
    (
        "a survey offer",
        "ok",
        page(
            "Asthma",
            "<p>Take our two-minute survey. Verify your email to enter the draw.</p>",
            ASTHMA,
        ),
    ),
    (
        "an outdated browser",
        "ok",
        page(
            "Statins",
            "<p>Your browser is out of date. Update it to view this site properly.</p>",
            STATINS,
        ),
    ),
    (
        "a paper with an access date",
        "ok",
        page(
            "Access to insulin in 12 countries",
            "Results. Access was restricted to hospitals in four countries. Prices were too high for 40% of patients. Conclusion. Subscription models were rare.",
            foot="Rights and permissions. Get access to more papers.",
        ),
    ),
    (
        "a guideline summary in a table",
        "ok",
        page(
            "Blood pressure targets",
            "<table><tr><th>Group</th><th>Target</th></tr><tr><td>Under 80</td><td>140/90 mmHg</td></tr><tr><td>80 and over</td><td>150/90 mmHg</td></tr></table>",
            foot="Sign in to save",
        ),
    ),
    (
        "a drug label with a warning",
        "ok",
        page(
            "Isotretinoin",
            "Not available to women who may become pregnant. Access is limited to a programme in which prescribers register. One 20 mg capsule is taken twice daily with food.",
        ),
    ),
    (
        "French text with a banner",
        "ok",
        page(
            "Carence en fer",
            "La carence en fer est la cause la plus fréquente d'anémie. Les comprimés se prennent à jeun, car le thé et le lait freinent l'absorption. Le traitement dure trois mois.",
            foot="Tout accepter. Se connecter.",
        ),
    ),
    (
        "a login wall of a network",
        "paywalled",
        page(
            "Dosing of digoxin",
            "Join the network for doctors to see this post. 1 million members. Log in or sign up with email.",
        ),
    ),
    (
        "tokens to read",
        "paywalled",
        page(
            "Iron in old age",
            "Iron deficiency in old age often has a cause in the gut.",
            "You have 0 free articles left. Get unlimited digital access from 1 euro.",
        ),
    ),
    (
        "an archive for members",
        "paywalled",
        page(
            "Journal club",
            "Summary only.",
            "Full text is available to subscribers. Please log in or purchase access for 35 dollars for 24 hours.",
        ),
    ),
    (
        "a chapter for sale",
        "paywalled",
        page(
            "Chapter 12: Thyroid storm",
            "Thyroid storm is a life-threatening state.",
            "Access this chapter: log in via an institution, or buy this chapter for EUR 29.95.",
        ),
    ),
    (
        "a German wall",
        "paywalled",
        page(
            "Neues Mittel gegen Migräne",
            "Ein neues Mittel beugt der Migräne vor.",
            "Weiterlesen mit einem Abo. Sie haben bereits ein Abo? Jetzt anmelden.",
        ),
    ),
    (
        "gone for good",
        "not_found",
        page(
            "Gone", "This resource has been permanently removed and no forwarding address is known."
        ),
    ),
    (
        "an empty search",
        "not_found",
        page("Search", "No results found for “/conditions/asthmma”. The address may be mistyped."),
    ),
    ("a joke", "not_found", page("Uh-oh", "Houston, we have a problem. This page does not exist.")),
    (
        "Italian",
        "not_found",
        page("Pagina non trovata", "La pagina richiesta non esiste o è stata spostata."),
    ),
    (
        "an ended study page",
        "not_found",
        page("Study not available", "The record you requested could not be found in the registry."),
    ),
    (
        "an account suspended",
        "not_found",
        bare(
            "Account Suspended",
            "<p>This account has been suspended. Contact your hosting provider for more information.</p>",
        ),
    ),
    (
        "a default page",
        "not_found",
        bare(
            "Welcome to nginx!",
            "<p>If you see this page, the nginx web server is successfully installed and working. Further configuration is required.</p>",
        ),
    ),
    (
        "a slider puzzle",
        "blocked",
        bare(
            "Checking",
            "<p>Slide the piece to finish the puzzle. We need to make sure you are not a program.</p>",
        ),
    ),
    (
        "too many requests",
        "blocked",
        bare(
            "Too Many Requests",
            "<p>You have sent too many requests in a given time. Rate limit exceeded.</p>",
        ),
    ),
    (
        "an office wall",
        "blocked",
        bare(
            "Web filter",
            "<p>This website has been blocked by your administrator. Category: drugs.</p>",
        ),
    ),
    (
        "a law of Europe",
        "blocked",
        bare("451", "<p>Our website is currently unavailable in most European countries.</p>"),
    ),
    ("a skeleton", "empty", bare("Guideline viewer", "<div>Fetching content</div><div>•••</div>")),
    ("a database", "http_error", bare("Error", "<p>Error establishing a database connection</p>")),
)
"""Thirty more of other kinds, of which the rules had 20 right before they were widened."""

PAGES: tuple[Labelled, ...] = (
    *READABLE,
    *PAYWALLED,
    *NOT_FOUND,
    *BLOCKED,
    *EMPTY,
    *OUT_OF_ORDER,
    *HELD_BACK,
    *SECOND,
)
