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


def _site(title: str, *lines: str) -> str:
    """A page that says these lines and no more."""
    return bare(title, "".join(f"<p>{line}</p>" for line in lines))


THIRD: tuple[Labelled, ...] = (
    ("cookies disabled", "blocked", _site("Cookies disabled", "Cookies disabled")),
    (
        "cookies needed",
        "blocked",
        _site("Site", "Your browser is set to refuse cookies. Turn them on and try again."),
    ),
    ("a download", "empty", _site("Preparing to download", "Preparing to download")),
    (
        "a download of a file",
        "empty",
        _site("Download", "Your download will begin in 5 seconds.", "If it does not, click here."),
    ),
    ("continue", "empty", _site("Continue", "<a href='/x'>Continue</a>")),
    ("404 / Oops", "not_found", _site("404", "Oops")),
    ("oops with a number", "not_found", _site("Oops!", "404")),
    (
        "redirected",
        "empty",
        _site(
            "Redirecting",
            "You are being redirected. Click here if your browser does not redirect you.",
        ),
    ),
    (
        "leaving",
        "empty",
        _site(
            "Leaving our website",
            "You are now leaving our website and going to a site that is not operated by us.",
            "Continue",
            "Go back",
        ),
    ),
    ("moved by hand", "empty", _site("Object moved", "Object moved to <a href='/b'>here</a>.")),
    (
        "the document has moved",
        "not_found",
        _site(
            "301 Moved Permanently",
            "The document has moved <a href='/b'>here</a>.",
            "Apache Server at example.org Port 80",
        ),
    ),
    (
        "a choice of country",
        "empty",
        _site(
            "Choose your country",
            "Select your country or region",
            "Austria",
            "Canada",
            "France",
            "Germany",
            "Japan",
        ),
    ),
    (
        "a choice of language",
        "empty",
        _site("Welcome", "Choose your language", "English", "Deutsch", "Français"),
    ),
    (
        "an old browser",
        "blocked",
        _site(
            "Unsupported browser",
            "Your browser is not supported. Please upgrade to the latest version of Chrome, Firefox or Safari.",
        ),
    ),
    (
        "an ad blocker",
        "blocked",
        _site("Ad blocker detected", "Please disable your ad blocker to view this site."),
    ),
    (
        "a session",
        "http_error",
        _site(
            "Session expired",
            "Your session has expired. Please return to the start page and try again.",
        ),
    ),
    (
        "an error with a number",
        "http_error",
        _site("Error", "An unexpected error has occurred.", "Error ID: 7f3a-22"),
    ),
    (
        "something went wrong",
        "http_error",
        _site("Oops", "Something went wrong. Please try again later."),
    ),
    (
        "a fatal error",
        "http_error",
        _site(
            "",
            "Fatal error: Uncaught PDOException: SQLSTATE[HY000] [2002] Connection refused in /var/www/db.php:12 Stack trace: #0 {main} thrown in /var/www/db.php on line 12",
        ),
    ),
    (
        "a critical error",
        "http_error",
        _site(
            "WordPress › Error",
            "There has been a critical error on this website.",
            "Learn more about troubleshooting WordPress.",
        ),
    ),
    (
        "an application's error",
        "http_error",
        _site(
            "Portal",
            "Application error: a client-side exception has occurred (see the browser console for more information).",
        ),
    ),
    (
        "an error page without a face",
        "http_error",
        _site(
            "",
            "Whitelabel Error Page",
            "This application has no explicit mapping for /error, so you are seeing this as a fallback.",
        ),
    ),
    (
        "a busy server",
        "http_error",
        _site("Busy", "The server is currently overloaded. Please try again in a few minutes."),
    ),
    (
        "bandwidth",
        "http_error",
        _site(
            "509 Bandwidth Limit Exceeded",
            "The server is temporarily unable to service your request due to the site owner reaching his bandwidth limit.",
        ),
    ),
    (
        "guru meditation",
        "http_error",
        _site(
            "503 Backend fetch failed",
            "Error 503 Backend fetch failed",
            "Guru Meditation:",
            "XID: 98437",
            "Varnish cache server",
        ),
    ),
    (
        "a list of files",
        "not_found",
        bare(
            "Index of /pub",
            "<h1>Index of /pub</h1><pre>Name Last modified Size Description<hr><a href='/'>Parent Directory</a> - <a href='a.zip'>a.zip</a> 2019-01-01 12:00 1.2M</pre>",
        ),
    ),
    (
        "coming soon",
        "not_found",
        _site("Coming soon", "Our new website is coming soon. Stay tuned!"),
    ),
    (
        "under construction",
        "not_found",
        _site("Under construction", "This site is under construction."),
    ),
    ("it works", "not_found", _site("Apache", "It works!")),
    (
        "a panel's default page",
        "not_found",
        _site(
            "Web hosting",
            "If you are seeing this message, the website for example.org is not available at this time. If you are the owner of this website, contact your hosting provider.",
        ),
    ),
    (
        "access by number",
        "blocked",
        _site("", "Request unsuccessful. Incapsula incident ID: 877000180071-2345"),
    ),
    (
        "a support number",
        "blocked",
        _site(
            "Request Rejected",
            "The requested URL was rejected. Please consult with your administrator.",
            "Your support ID is: 1893475",
        ),
    ),
    (
        "checking",
        "blocked",
        _site(
            "One more step",
            "Please stand by while we are checking your browser before you access the site.",
            "DDoS-Guard",
        ),
    ),
    (
        "verification",
        "blocked",
        _site(
            "Verification",
            "We need to make sure that you are not an automated visitor. Tick the box to go on.",
        ),
    ),
    (
        "your address",
        "blocked",
        _site(
            "Forbidden",
            "Your IP address 203.0.113.9 has been temporarily banned due to suspicious activity.",
        ),
    ),
    (
        "a licence by address",
        "paywalled",
        _site(
            "Library",
            "Your institution does not have access to this title. Sign in with another account or request access.",
        ),
    ),
    (
        "an age",
        "blocked",
        _site(
            "Age check",
            "You must be 18 years or older to enter. Please enter your date of birth.",
            "Enter",
            "Leave",
        ),
    ),
    (
        "terms first",
        "blocked",
        _site(
            "Terms of use",
            "You must accept the terms of use before you can view this page.",
            "I accept",
            "I decline",
        ),
    ),
    (
        "a doctor's number",
        "paywalled",
        _site(
            "For professionals",
            "This area is reserved for health professionals. Enter your licence number to log in.",
        ),
    ),
    (
        "two fields",
        "paywalled",
        bare(
            "Portal",
            "<form><label>E-mail</label><input name=e><label>Code</label><input type=password></form>",
        ),
    ),
    (
        "Spanish robots",
        "blocked",
        _site("Un momento", "Verifique que es un ser humano. Complete la siguiente acción."),
    ),
    (
        "German robots",
        "blocked",
        _site("Sicherheitsprüfung", "Bitte bestätigen Sie, dass Sie kein Roboter sind."),
    ),
    (
        "French cookies",
        "blocked",
        _site(
            "Cookies",
            "Les cookies sont désactivés dans votre navigateur. Veuillez les activer pour continuer.",
        ),
    ),
    (
        "German script",
        "empty",
        _site("App", "Bitte aktivieren Sie JavaScript, um diese Seite anzuzeigen."),
    ),
    (
        "French script",
        "empty",
        _site("App", "Vous devez activer JavaScript pour utiliser cette application."),
    ),
    (
        "Portuguese, not found",
        "not_found",
        _site("Ops", "A página que você procura não foi encontrada."),
    ),
    (
        "Polish, not found",
        "not_found",
        _site("Błąd", "Strona, której szukasz, nie istnieje lub została przeniesiona."),
    ),
    ("Czech, not found", "not_found", _site("Chyba", "Stránka nebyla nalezena.")),
    ("Finnish, not found", "not_found", _site("Hups", "Sivua ei löytynyt.")),
    ("Turkish, not found", "not_found", _site("Hata", "Aradığınız sayfa bulunamadı.")),
    ("Chinese, not found", "not_found", _site("提示", "抱歉，您访问的页面不存在或已被删除。")),
    ("Korean, not found", "not_found", _site("오류", "요청하신 페이지를 찾을 수 없습니다.")),
    ("Dutch, not found", "not_found", _site("Oeps", "De pagina die u zoekt bestaat niet meer.")),
    (
        "Norwegian, not found",
        "not_found",
        _site("Beklager", "Vi finner ikke siden du leter etter."),
    ),
    ("Hungarian, not found", "not_found", _site("Hiba", "A keresett oldal nem található.")),
    ("Arabic, not found", "not_found", _site("عذرا", "الصفحة التي تبحث عنها غير موجودة.")),
    ("Russian login", "paywalled", _site("Вход", "Войдите, чтобы продолжить чтение статьи.")),
    (
        "French wall",
        "paywalled",
        page(
            "Migraine",
            "Un nouveau médicament prévient la migraine.",
            "Il vous reste 85 % de l’article à lire. La suite est réservée aux abonnés.",
        ),
    ),
    (
        "Japanese wall",
        "paywalled",
        page(
            "片頭痛",
            "新しい薬が片頭痛を予防する。",
            "この記事は会員限定です。続きを読むにはログインしてください。",
        ),
    ),
    (
        "German maintenance",
        "http_error",
        _site(
            "Wartung", "Wegen Wartungsarbeiten ist unsere Website vorübergehend nicht erreichbar."
        ),
    ),
    # Readable, though they say such things.
    (
        "how to turn on cookies for a portal",
        "ok",
        page(
            "Seeing your results",
            "Blood results are shown two days after the test. Potassium above 5.5 mmol/L is called high. Ring the ward if you feel weak.",
            foot="Turn on cookies to log in.",
        ),
    ),
    (
        "an apology in a leaflet",
        "ok",
        page(
            "When something went wrong",
            "If something went wrong with your care, you have a right to be told. The surgeon explains what happened within ten days. An inquiry follows where a patient was harmed, and its report is sent to the family.",
        ),
    ),
    (
        "a page about age limits",
        "ok",
        page(
            "Who may give blood",
            "You must be 18 years or older to give blood. Haemoglobin must be above 125 g/L in women and 135 g/L in men. Wait eight weeks after each donation.",
        ),
    ),
    (
        "a list of downloads with doses",
        "ok",
        page(
            "Leaflets",
            "Methotrexate is taken once a week, never daily. Folic acid is taken on another day.",
            "Your download begins when you click a title.",
        ),
    ),
    (
        "a page about maintenance therapy",
        "ok",
        page(
            "Maintenance",
            "Lithium is used for maintenance. Levels are kept between 0.6 and 0.8 mmol/L.",
        ),
    ),
    (
        "a tiny table",
        "ok",
        bare(
            "Sodium",
            "<table><tr><td>Normal sodium</td><td>135 to 145 mmol/L</td></tr><tr><td>Severe hyponatraemia</td><td>below 125 mmol/L</td></tr></table>",
        ),
    ),
    ("a definition", "ok", _site("Dyspnoea", "Dyspnoea is the feeling of not getting enough air.")),
    (
        "an entry of a dictionary",
        "ok",
        _site(
            "tachycardia",
            "tachycardia (noun): a heart rate of more than 100 beats a minute at rest",
        ),
    ),
    (
        "a page about a heart block",
        "ok",
        page(
            "Heart block",
            "A blocked signal slows the heart. You may be given a pacemaker if the block is complete.",
        ),
    ),
    (
        "sessions of therapy",
        "ok",
        page(
            "Cognitive therapy",
            "A session lasts fifty minutes. Your session ends with a task for the week.",
        ),
    ),
    (
        "choices of treatment",
        "ok",
        page(
            "Choose your treatment",
            "Surgery cures nine of ten hernias. Waiting is safe if there is no pain.",
        ),
    ),
    (
        "Spanish text",
        "ok",
        page(
            "Asma",
            "El asma estrecha las vías respiratorias. Los corticoides inhalados se usan cada día.",
            foot="Aceptar todo. Iniciar sesión.",
        ),
    ),
    (
        "Russian text",
        "ok",
        page(
            "Астма",
            "Астма сужает дыхательные пути. Ингаляционные стероиды принимают каждый день.",
            foot="Войти",
        ),
    ),
    (
        "Polish text",
        "ok",
        page(
            "Astma",
            "Astma zwęża drogi oddechowe. Wziewne sterydy stosuje się codziennie przez wiele miesięcy.",
            foot="Zaloguj się",
        ),
    ),
    (
        "Korean text",
        "ok",
        page(
            "천식",
            "천식은 기도가 좁아지는 만성 질환입니다. 흡입 스테로이드는 매일 사용해야 합니다. 증상이 있을 때 기관지 확장제를 씁니다.",
            foot="로그인",
        ),
    ),
    (
        "an error rate",
        "ok",
        page(
            "Errors of dosing",
            "Errors occurred in 5 % of prescriptions. Most were wrong doses of insulin.",
        ),
    ),
    (
        "a page with a password box",
        "ok",
        bare("Asthma", "<form>Log in <input type=password></form><p>" + ASTHMA + "</p>"),
    ),
    (
        "a note on a page not found",
        "ok",
        page(
            "Vitamin D",
            "Vitamin D is made in the skin. Adults need 600 units a day.",
            foot="Error on this page? Tell us.",
        ),
    ),
)
"""Three in four are walls of kinds that were not thought of before."""

FOURTH: tuple[Labelled, ...] = (
    (
        "accept cookies to go on",
        "blocked",
        _site(
            "Cookie check",
            "This website requires cookies. Please enable them in your browser settings.",
        ),
    ),
    ("a file that is made", "empty", _site("Please wait", "Generating your PDF document…")),
    ("proceed", "empty", _site("", "<a href='/p'>Proceed to site</a>")),
    ("enter", "empty", _site("Welcome", "<a href='/en'>Enter</a>")),
    (
        "skip this ad",
        "empty",
        _site("Advertisement", "You will be taken to your page in 10 seconds.", "Skip this ad"),
    ),
    (
        "sorry",
        "not_found",
        _site("Sorry", "We can’t seem to locate what you were after. Error 404."),
    ),
    (
        "gone with a search",
        "not_found",
        _site(
            "Nothing here", "It looks like nothing was found at this location. Maybe try a search?"
        ),
    ),
    (
        "broken link",
        "not_found",
        _site(
            "Broken link",
            "The link you followed may be broken, or the page may have been taken down.",
        ),
    ),
    (
        "an item withdrawn",
        "not_found",
        _site(
            "Item unavailable",
            "The item you requested is not in the repository or has been withdrawn.",
        ),
    ),
    (
        "DOI",
        "not_found",
        _site("DOI Not Found", "This DOI cannot be found in the DOI System.", "10.1000/xyz"),
    ),
    (
        "an unknown article number",
        "not_found",
        _site("PubMed", "The following PMID is not available: 99999999"),
    ),
    (
        "video gone",
        "not_found",
        _site("Video unavailable", "This video has been removed by the uploader."),
    ),
    (
        "a user gone",
        "not_found",
        _site("Profile", "Sorry, this page isn't available. The user may have closed the account."),
    ),
    (
        "domain free",
        "not_found",
        _site("Domain", "The domain medfacts.info has expired and is pending renewal or deletion."),
    ),
    (
        "site closed",
        "not_found",
        _site("Closed", "This website has been closed. Thank you for visiting us over the years."),
    ),
    (
        "a new server",
        "not_found",
        _site(
            "Default page",
            "This is the default web page for this server. The web server software is running but no content has been added, yet.",
        ),
    ),
    (
        "press a button",
        "blocked",
        _site(
            "Are you still there?", "Press the button below so that we know you are a real person."
        ),
    ),
    (
        "a puzzle",
        "blocked",
        _site("Challenge", "Select all pictures with a bicycle, then click Verify."),
    ),
    (
        "automated",
        "blocked",
        _site(
            "Error",
            "Automated access to our site is not permitted. Contact us for a licence to our data.",
        ),
    ),
    (
        "a firewall by name",
        "blocked",
        _site(
            "Site firewall",
            "Your request was flagged by our web application firewall. Block ID: GEO-02",
        ),
    ),
    (
        "geoblock",
        "blocked",
        _site(
            "Not available",
            "Due to licensing restrictions this page cannot be shown in your country.",
        ),
    ),
    (
        "rate",
        "blocked",
        _site(
            "Slow down",
            "You have made too many requests recently. Wait a minute and reload the page.",
        ),
    ),
    (
        "vpn",
        "blocked",
        _site(
            "Proxy detected",
            "It looks like you are using a VPN or proxy. Turn it off to use this site.",
        ),
    ),
    (
        "consent in Italian",
        "blocked",
        _site(
            "La tua privacy",
            "Noi e i nostri partner utilizziamo cookie. Accetta tutto. Rifiuta tutto. Gestisci le preferenze sui cookie.",
        ),
    ),
    (
        "consent in German",
        "blocked",
        _site(
            "Datenschutz",
            "Wir und unsere Partner verwenden Cookies. Alle akzeptieren. Alle ablehnen. Datenschutz-Einstellungen verwalten.",
        ),
    ),
    (
        "consent in French",
        "blocked",
        _site(
            "Vie privée",
            "Nous et nos partenaires utilisons des cookies. Tout accepter. Tout refuser. Gérer mes choix.",
        ),
    ),
    (
        "a script in Spanish",
        "empty",
        _site("App", "Necesita habilitar JavaScript para ejecutar esta aplicación."),
    ),
    (
        "a script in Italian",
        "empty",
        _site("App", "Per visualizzare questa pagina è necessario abilitare JavaScript."),
    ),
    (
        "spinner in Japanese",
        "empty",
        _site("読み込み中", "読み込み中です。しばらくお待ちください。"),
    ),
    ("Swedish, not found", "not_found", _site("Hoppsan", "Sidan du söker finns inte längre.")),
    ("Danish, not found", "not_found", _site("Ups", "Siden findes ikke.")),
    ("Romanian, not found", "not_found", _site("Eroare", "Pagina căutată nu a fost găsită.")),
    ("Greek, not found", "not_found", _site("Σφάλμα", "Η σελίδα που ζητήσατε δεν βρέθηκε.")),
    ("Ukrainian, not found", "not_found", _site("Помилка", "Сторінку не знайдено.")),
    ("Vietnamese, not found", "not_found", _site("Lỗi", "Không tìm thấy trang bạn yêu cầu.")),
    (
        "Indonesian, not found",
        "not_found",
        _site("Maaf", "Halaman yang Anda cari tidak ditemukan."),
    ),
    ("Hebrew, not found", "not_found", _site("שגיאה", "הדף שביקשת לא נמצא.")),
    ("Thai, not found", "not_found", _site("ผิดพลาด", "ไม่พบหน้าที่คุณต้องการ")),
    ("Catalan, not found", "not_found", _site("Error", "No s'ha trobat la pàgina sol·licitada.")),
    (
        "a wall of a paper",
        "paywalled",
        page(
            "New vaccine",
            "A new vaccine against malaria works.",
            "You’ve read your last free article. Create an account or subscribe for full access.",
        ),
    ),
    (
        "a store",
        "paywalled",
        page(
            "Guideline 12",
            "This guideline is sold as a PDF.",
            "Add to cart",
            "Price: $45.00 for non-members",
        ),
    ),
    (
        "single sign-on",
        "paywalled",
        _site(
            "Sign in to your account",
            "Email, phone, or Skype",
            "No account? Create one!",
            "Can’t access your account?",
        ),
    ),
    (
        "a Spanish login",
        "paywalled",
        _site("Iniciar sesión", "Usuario", "Contraseña", "¿Olvidó su contraseña?"),
    ),
    (
        "a German login",
        "paywalled",
        _site("Anmelden", "Benutzername", "Passwort", "Passwort vergessen?"),
    ),
    (
        "a Spanish paywall",
        "paywalled",
        page(
            "Migraña",
            "Un fármaco nuevo previene la migraña.",
            "Contenido exclusivo para suscriptores. Suscríbete para seguir leyendo.",
        ),
    ),
    (
        "an Italian paywall",
        "paywalled",
        page(
            "Emicrania",
            "Un nuovo farmaco previene l'emicrania.",
            "Questo articolo è riservato agli abbonati. Abbonati per continuare a leggere.",
        ),
    ),
    (
        "maintenance in French",
        "http_error",
        _site(
            "Maintenance", "Le site est actuellement en maintenance. Veuillez réessayer plus tard."
        ),
    ),
    (
        "a timeout",
        "http_error",
        _site("Error 522", "Connection timed out. The host did not respond in time."),
    ),
    (
        "an upstream error",
        "http_error",
        _site(
            "",
            "upstream connect error or disconnect/reset before headers. reset reason: connection failure",
        ),
    ),
    (
        "a Java trace",
        "http_error",
        _site(
            "Error report",
            "java.lang.NullPointerException at org.example.Servlet.doGet(Servlet.java:42) at javax.servlet.http.HttpServlet.service(HttpServlet.java:620)",
        ),
    ),
    (
        "a Python trace",
        "http_error",
        _site(
            "Error",
            "Traceback (most recent call last): File \"/srv/app/views.py\", line 12, in show KeyError: 'id'",
        ),
    ),
    (
        "quota",
        "http_error",
        _site(
            "Over quota",
            "This application is temporarily over its serving quota. Please try again later.",
        ),
    ),
    # Readable.
    (
        "a wait in a leaflet",
        "ok",
        page(
            "After the jab",
            "Please wait fifteen minutes after the injection. Fainting is the commonest harm.",
        ),
    ),
    (
        "a proxy in a trial",
        "ok",
        page(
            "Proxy consent",
            "A relative may consent for an adult without capacity. Proxy consent was used in 40 of 120 patients.",
        ),
    ),
    (
        "robots in wards",
        "ok",
        page("Robots in wards", "Robots bring drugs to wards. Errors of delivery fell by half."),
    ),
    (
        "a closed clinic",
        "ok",
        page(
            "Opening hours",
            "The clinic is closed on Sundays. Ring 112 for chest pain that lasts more than five minutes.",
        ),
    ),
    (
        "withdrawal of a drug",
        "ok",
        page(
            "Rofecoxib",
            "Rofecoxib has been withdrawn because it caused heart attacks. It is no longer available.",
        ),
    ),
    (
        "a price of a drug",
        "ok",
        page(
            "Cost of insulin",
            "A vial costs $35.00 for members of the plan. Ten vials last three months.",
        ),
    ),
    (
        "a short answer",
        "ok",
        page(
            "Can I drink alcohol with metronidazole?",
            "No. Alcohol must not be drunk for two days after the last tablet.",
        ),
    ),
    (
        "a short abstract",
        "ok",
        page(
            "Zinc for colds",
            "Zinc shortened colds by one day in adults (95 % CI 0.5 to 1.5).",
            foot="Full text. Sign in.",
        ),
    ),
    (
        "a signpost",
        "ok",
        page(
            "Chickenpox",
            "Keep children at home until all spots have crusted over, about five days.",
            foot="Page last reviewed: 2024. Cookies.",
        ),
    ),
    (
        "French leaflet",
        "ok",
        page(
            "Paracétamol",
            "Ne dépassez pas 4 g par jour. Attendez six heures entre deux prises.",
            foot="Accepter. Se connecter.",
        ),
    ),
    (
        "German leaflet",
        "ok",
        page(
            "Ibuprofen",
            "Nehmen Sie höchstens 1200 mg am Tag ein. Trinken Sie genug Wasser dazu.",
            foot="Cookies. Anmelden.",
        ),
    ),
    (
        "Chinese leaflet",
        "ok",
        page("阿莫西林", "成人每次服用500毫克，每日三次。对青霉素过敏者禁用。", foot="登录 注册"),
    ),
    (
        "a graph's legend",
        "ok",
        page(
            "HbA1c by year",
            "<table><tr><th>Year</th><th>HbA1c (%)</th></tr><tr><td>2019</td><td>7.9</td></tr><tr><td>2020</td><td>7.4</td></tr><tr><td>2021</td><td>7.1</td></tr></table>",
        ),
    ),
    (
        "a session in a course",
        "ok",
        page(
            "Rehabilitation",
            "Twelve sessions of exercise are offered. Walking distance grew by 48 metres.",
        ),
    ),
)
"""Written before the rules of the third set, and not looked at while those were made."""

FIFTH: tuple[Labelled, ...] = (
    (
        "a shield that explains itself",
        "blocked",
        _site(
            "Attention | Shield",
            "Your visit has been blocked.",
            "Why am I seeing this?",
            "The owner of this website guards it against online attacks. What you just did looked like one to the firewall. A word in a form, a strange query or a broken request can be enough.",
            "What can I do?",
            "Write to the webmaster by e-mail, say what you were doing and add the ray number from the foot of this page.",
            "Ray ID: 55fa · IP: 198.51.100.4",
        ),
    ),
    (
        "a plug-in that limits access",
        "blocked",
        _site(
            "Access limited",
            "Your access to this site has been limited by its owner.",
            "If you think that this is an error, contact the owner of the website.",
            "Reason: a URL that is banned was requested.",
            "About the plug-in",
            "This WordPress plug-in guards four million websites. You can read its documentation to learn about blocking.",
        ),
    ),
    (
        "a list of technical data",
        "blocked",
        _site(
            "403 Request blocked",
            "Your request was blocked because of suspicious activity.",
            "Server: waf-2",
            "Local time: December 1, 12:42 am",
            "Remote address: 198.51.100.4",
            "Method: GET",
            "Protocol: HTTP/1.1",
            "User agent: MedLens/1.0",
            "Please send this to the webmaster if you think that it is a mistake.",
        ),
    ),
    (
        "a company in front of a site",
        "blocked",
        _site(
            "Guard",
            "Guard is security software that keeps unwanted traffic from websites.",
            "Your request was blocked because it seems to come from a hosting network or a proxy server.",
            "If you see this message in error, click here to tell us.",
        ),
    ),
    (
        "a reputation",
        "blocked",
        _site(
            "Security incident",
            "Your request was blocked.",
            "If you own the website: its firewall took this request for an attack; your server's log says why.",
            "If you are a visitor: the address that your internet provider gave you may have a bad reputation.",
        ),
    ),
    (
        "a polite thief catcher",
        "blocked",
        _site(
            "Attention!",
            "Sorry, this is not allowed.",
            "Our website's protection has found a problem with your IP address and will not let you go any further. If you feel that this is wrong, send a request to our support team.",
        ),
    ),
    (
        "two languages",
        "blocked",
        _site(
            "406 Blocked",
            "Die Anfrage wurde von der Firewall des Webservers abgelehnt. Bitte wenden Sie sich an den Support.",
            "The request was refused by the firewall of the web server. Please contact the support team.",
        ),
    ),
    (
        "misuse",
        "blocked",
        _site(
            "library.example",
            "Access denied",
            "Access to our website from your network was temporarily blocked because of possible misuse. It need not be an attack: a script that runs away is enough. Have your administrator contact us, so that other readers can use the site.",
        ),
    ),
    (
        "a moment",
        "empty",
        _site("Preparing the file", "Preparing the file …", "This takes only a moment."),
    ),
    (
        "cookies explained",
        "blocked",
        _site(
            "Online library",
            "Cookies disabled",
            "This browser refuses cookies. The library needs cookies for signing in and for other functions of the site; they must be allowed to read on. Our privacy policy tells what we store.",
        ),
    ),
    (
        "an owner is addressed",
        "not_found",
        _site(
            "Default website page",
            "If you are the owner of this website, contact your hosting provider.",
            "You may see this page because the IP address has changed, or the server was set up wrongly.",
            "Check the DNS settings of the domain. It may take a day until they are known everywhere.",
        ),
    ),
    (
        "a redesign",
        "not_found",
        _site(
            "Page not found | Health agency",
            "The page you were looking for has moved.",
            "We have redesigned our website, and many links have changed. Try the search, or start at our home page. If you typed the address, check its spelling.",
        ),
    ),
    (
        "a content problem",
        "http_error",
        _site(
            "Journals",
            "There was a problem providing the content that you requested",
            "Please contact our support team with these details.",
            "Reference number: 7d8e",
            "IP address: 198.51.100.4",
        ),
    ),
    (
        "Slovak, not found",
        "not_found",
        _site("Chyba", "Ľutujeme, hľadaná stránka nebola nájdená, stránka neexistuje."),
    ),
    ("Slovenian, not found", "not_found", _site("Napaka", "Iskane strani ni mogoče najti.")),
    ("Lithuanian, not found", "not_found", _site("Klaida", "Toks puslapis neegzistuoja.")),
    ("Latvian, not found", "not_found", _site("Kļūda", "Diemžēl šī lapa netika atrasta.")),
    ("Estonian, not found", "not_found", _site("Viga", "Otsitud lehte ei leitud.")),
    ("Hindi, not found", "not_found", _site("त्रुटि", "आपका पृष्ठ नहीं मिला।")),
    ("Serbian, not found", "not_found", _site("Грешка", "Тражена страница није пронађена.")),
    ("Persian, not found", "not_found", _site("خطا", "صفحه مورد نظر یافت نشد.")),
    (
        "a blocked artery",
        "ok",
        page(
            "Blocked arteries",
            "Access to the artery is gained through the wrist. If the artery is blocked, a stent keeps it open.",
        ),
    ),
    (
        "attacks of gout",
        "ok",
        page(
            "Attacks of gout",
            "An attack of gout is blocked by colchicine. Request a test of uric acid two weeks after it.",
        ),
    ),
    (
        "sites of injection",
        "ok",
        page(
            "Where to inject",
            "The site of the injection should be changed daily. Sites on the belly absorb insulin faster.",
        ),
    ),
    (
        "networks of care",
        "ok",
        page(
            "Networks of care",
            "Patients in a network were seen within two weeks. Access was refused to one in ten of them.",
        ),
    ),
    (
        "rejected grafts",
        "ok",
        page(
            "Rejection",
            "One kidney in ten is rejected in the first year. Fever and pain over the graft are signs.",
        ),
    ),
    (
        "nothing found in half",
        "ok",
        page(
            "Chronic cough",
            "No cause is found in one adult in ten. A trial of inhaled steroids is then offered.",
        ),
    ),
    ("a line", "ok", _site("Aspirin", "Aspirin thins the blood.")),
    (
        "a question and an answer",
        "ok",
        _site(
            "Is the flu jab safe in pregnancy?",
            "Yes, in every trimester.",
            "It protects the child too.",
        ),
    ),
)
"""Walls that explain themselves, and pages that use their words for something else."""

SIXTH: tuple[Labelled, ...] = tuple(
    (f"a site says: {line[:40]}", outcome, _site("Site", line))
    for outcome, line in (
        ("empty", "Scripts are off in your browser. Switch JavaScript on, then reload."),
        ("empty", "The app needs JavaScript to run properly. Please turn it on."),
        ("empty", "Your document is being made. It will open by itself."),
        ("empty", "Your file is ready. Click Save to keep it on your computer."),
        ("empty", "Choose how you want to open this article."),
        ("empty", "Tap to read this page in our app. Get it in the app store."),
        ("paywalled", "You have been logged out."),
        ("blocked", "You do not have permission to see this document."),
        ("empty", "You are offline."),
        ("not_found", "The document is not available. It may be embargoed."),
        ("paywalled", "You have reached the maximum number of article views."),
        ("paywalled", "Purchase this chapter for access on one day. $29.95"),
        (
            "empty",
            "There is no full text for this abstract that could be found. Request a copy.",
        ),
        ("not_found", "The number of the record is invalid. No such item."),
        ("http_error", "We ran into some trouble. Our team is working to fix it."),
        ("http_error", "Het systeem meldt een fout op deze website."),
        ("http_error", "Es ist ein Fehler aufgetreten."),
        ("http_error", "Warning: undefined variable $id in /srv/www/show.php on line 44"),
        ("http_error", "We are rebuilding our website at the moment."),
        ("blocked", "The link that you followed was flagged as spam."),
        ("blocked", "Доступ к сайту ограничен."),
        ("not_found", "Premium domain: make an offer."),
        ("not_found", "Der Artikel wurde vom Anbieter entfernt."),
        ("paywalled", "You have one free article left. Sign up to read it."),
        ("ok", "Espere seis horas entre dos dosis."),
        ("ok", "Bitte warten Sie 15 Minuten nach der Impfung."),
        ("ok", "El virus puede entrar por la piel."),
        ("ok", "Ein Fehler bei der Dosierung kann tödlich sein."),
        ("ok", "El fármaco se une al sitio activo y lo bloquea."),
        ("ok", "Доступ к инсулину ограничен во многих странах."),
        ("ok", "La dosis se comprobó en el ser humano."),
        ("ok", "Auf der rechten Seite wird der Schmerz nicht gefunden."),
        ("ok", "この病気の原因はまだ見つかりません。"),
        ("ok", "目前不存在根治这种疾病的方法。"),
        ("ok", "Le traitement est réservé aux femmes enceintes."),
        ("blocked", "Please confirm that you are over 16 to go on."),
        ("empty", "Building your report. Do not close this window."),
        ("empty", "Please hold while we transfer you to the publisher."),
        ("http_error", "Internal problem, code E-1042."),
        ("paywalled", "Vous devez être connecté pour consulter cette page."),
        ("blocked", "您没有权限访问此页面。"),
        ("ok", "A link between smoking and stroke was found in 1950."),
        ("ok", "Click sounds in the knee are harmless."),
        ("ok", "Subscribers to the register gave blood twice."),
        ("ok", "Half of the network of vessels is blocked in such patients."),
        ("ok", "Please ask the nurse before you take the tablets."),
        ("ok", "Data show no harm in pregnancy."),
        ("ok", "Tablets are available in two strengths."),
        ("ok", "It may begin with a sore throat and fever."),
        ("ok", "Open wounds are covered with a clean cloth."),
        ("ok", "Read the leaflet before you take the first tablet of methotrexate."),
        ("ok", "The cause is not found in half of all patients."),
        ("ok", "Access to clean water prevents cholera."),
        ("ok", "An error of refraction blurs what you see."),
    )
)
"""Single lines, of sites and of medicine."""

PAGES: tuple[Labelled, ...] = (
    *READABLE,
    *PAYWALLED,
    *NOT_FOUND,
    *BLOCKED,
    *EMPTY,
    *OUT_OF_ORDER,
    *HELD_BACK,
    *SECOND,
    *THIRD,
    *FOURTH,
    *FIFTH,
    *SIXTH,
)
