"""Citations as models write them, each with the addresses that are meant.

Written by someone who had not read the parser (``medlens.web.cited_addresses``).
"""

from __future__ import annotations

_DOI = "https://doi.org/"
_PUBMED = "https://pubmed.ncbi.nlm.nih.gov/"
_PMC = "https://pmc.ncbi.nlm.nih.gov/articles/"

CITATIONS: list[tuple[str, tuple[str, ...]]] = [
    ("1. Smith J. Gout. BMJ 2019;364:l123. doi:10.1136/bmj.l123", (_DOI + "10.1136/bmj.l123",)),
    ("Smith J, BMJ 2019. DOI 10.1136/bmj.l123.", (_DOI + "10.1136/bmj.l123",)),
    ("(10.1001/jama.2020.1585)", (_DOI + "10.1001/jama.2020.1585",)),
    ("[10.1001/jama.2020.1585]", (_DOI + "10.1001/jama.2020.1585",)),
    (
        "doi: 10.1002/14651858.CD000146.pub5, accessed May 2021",
        (_DOI + "10.1002/14651858.CD000146.pub5",),
    ),
    ("https://dx.doi.org/10.1136/bmj.l123", ("https://dx.doi.org/10.1136/bmj.l123",)),
    ("doi.org/10.1136/bmj.l123", (_DOI + "10.1136/bmj.l123",)),
    ("DOI:https://doi.org/10.1136/bmj.l123", (_DOI + "10.1136/bmj.l123",)),
    ("*doi:10.1136/bmj.l123*", (_DOI + "10.1136/bmj.l123",)),
    ("**DOI:** 10.1136/bmj.l123", (_DOI + "10.1136/bmj.l123",)),
    ("`10.1136/bmj.l123`", (_DOI + "10.1136/bmj.l123",)),
    ("doi:10.1016/S0140-6736(05)67394-1).", (_DOI + "10.1016/S0140-6736(05)67394-1",)),
    (
        "10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2",
        (_DOI + "10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2",),
    ),
    ("doi：10.1136/bmj.l123。", (_DOI + "10.1136/bmj.l123",)),
    (
        "Smith 2019 (doi 10.1136/bmj.l123; PMID 30626571)",
        (_DOI + "10.1136/bmj.l123", _PUBMED + "30626571/"),
    ),
    ("PMID: 30626571.", (_PUBMED + "30626571/",)),
    ("PMID:30626571", (_PUBMED + "30626571/",)),
    ("PMID30626571", (_PUBMED + "30626571/",)),
    ("PubMed ID: 30626571", (_PUBMED + "30626571/",)),
    (
        "PubMed PMID: 30626571; PubMed Central PMCID: PMC6324321.",
        (_PUBMED + "30626571/", _PMC + "PMC6324321/"),
    ),
    ("[PubMed: 30626571]", (_PUBMED + "30626571/",)),
    ("pmid 30626571", (_PUBMED + "30626571/",)),
    ("**PMID**: 30626571", (_PUBMED + "30626571/",)),
    ("PMIDs: 30626571, 31234567", (_PUBMED + "30626571/", _PUBMED + "31234567/")),
    ("PMC6324321", (_PMC + "PMC6324321/",)),
    ("PMCID: 6324321", (_PMC + "PMC6324321/",)),
    ("arXiv:2303.13375v2 [cs.CL]", ("https://arxiv.org/abs/2303.13375v2",)),
    ("arXiv preprint arXiv:2303.13375 (2023)", ("https://arxiv.org/abs/2303.13375",)),
    ("arXiv 2303.13375", ("https://arxiv.org/abs/2303.13375",)),
    ("arXiv:hep-th/9901001", ("https://arxiv.org/abs/hep-th/9901001",)),
    ("[WHO](https://www.who.int/news/item/1)", ("https://www.who.int/news/item/1",)),
    ("[WHO](<https://www.who.int/a b>)", ("https://www.who.int/a%20b",)),
    (
        "[Gout](https://en.wikipedia.org/wiki/Gout_(disease))",
        ("https://en.wikipedia.org/wiki/Gout_(disease)",),
    ),
    ('[NHS](https://www.nhs.uk/conditions/gout/ "Gout")', ("https://www.nhs.uk/conditions/gout/",)),
    ("[1]: https://www.nhs.uk/conditions/gout/", ("https://www.nhs.uk/conditions/gout/",)),
    ("<https://www.nhs.uk/conditions/gout/>", ("https://www.nhs.uk/conditions/gout/",)),
    ("**https://www.nhs.uk/conditions/gout/**", ("https://www.nhs.uk/conditions/gout/",)),
    ("_https://www.nhs.uk/conditions/gout/_", ("https://www.nhs.uk/conditions/gout/",)),
    ("See https://www.nhs.uk/conditions/gout/.", ("https://www.nhs.uk/conditions/gout/",)),
    ("See https://www.nhs.uk/conditions/gout/!?", ("https://www.nhs.uk/conditions/gout/",)),
    (
        "(see https://en.wikipedia.org/wiki/Gout_(disease))",
        ("https://en.wikipedia.org/wiki/Gout_(disease)",),
    ),
    ("https://a.org/x), https://b.org/y).", ("https://a.org/x", "https://b.org/y")),
    ("1. https://a.org/x 2. https://b.org/y", ("https://a.org/x", "https://b.org/y")),
    ("https://a.org/x\nhttps://b.org/y", ("https://a.org/x", "https://b.org/y")),
    ("参考：https://a.org/x（2020年）", ("https://a.org/x",)),
    ("出典「https://a.org/x」を参照。", ("https://a.org/x",)),
    ("https://a.org/x、https://b.org/y。", ("https://a.org/x", "https://b.org/y")),
    ("https://a.org/x?utm_source=chatgpt.com", ("https://a.org/x",)),
    ("https://a.org/x?id=3&utm_source=openai&lang=en#top", ("https://a.org/x?id=3&lang=en#top",)),
    ("https://a.org/x?a=1&amp;utm_medium=ai&amp;b=2", ("https://a.org/x?a=1&b=2",)),
    ("https://münchen-klinik.de/gicht", ("https://münchen-klinik.de/gicht",)),
    ("https://de.wikipedia.org/wiki/Säugling", ("https://de.wikipedia.org/wiki/Säugling",)),
    ("https://www.nhs\u00ad.uk/con\u00additions/gout/", ("https://www.nhs.uk/conditions/gout/",)),
    ("https://www.nhs.uk/\u200bconditions/\u200bgout/", ("https://www.nhs.uk/conditions/gout/",)),
    (
        "https://www.ncbi.nlm.nih.gov/books/\n   NBK430685/",
        ("https://www.ncbi.nlm.nih.gov/books/NBK430685/",),
    ),
    (
        "Available from: https://www.cdc.gov/flu/\nabout/index.html",
        ("https://www.cdc.gov/flu/about/index.html",),
    ),
    ("https://www.cdc.gov/flu/-\nabout.html", ("https://www.cdc.gov/flu/-about.html",)),
    ("URL: www.cdc.gov/flu", ("https://www.cdc.gov/flu",)),
    ("cdc.gov/flu/about/index.html", ("https://cdc.gov/flu/about/index.html",)),
    ("HTTP://WWW.CDC.GOV/flu", ("http://www.cdc.gov/flu",)),
    ("hxxps://a.org/x and https://a.org/x\\_y", ("https://a.org/x_y",)),
    ("https://a.org/x[1]", ("https://a.org/x",)),
    ("https://a.org/x[^2]", ("https://a.org/x",)),
    ("https://a.org/x【4†source】", ("https://a.org/x",)),
    ("“https://a.org/x”", ("https://a.org/x",)),
    ("https://a.org/x’s page", ("https://a.org/x",)),
    ("https://a.org/x—a review", ("https://a.org/x",)),
    ("https://a.org:8443/x?q=a,b;c", ("https://a.org:8443/x?q=a,b;c",)),
    (
        "NCT01234567 (https://clinicaltrials.gov/study/NCT01234567)",
        ("https://clinicaltrials.gov/study/NCT01234567",),
    ),
    ("BP 120/80, ratio 10.5/2, version 10.1234 of 12/2020", ()),
    ("ISBN 978-3-16-148410-0; ISSN 1234-5678", ()),
]

# Written after the parser was mended by those above.
CITATIONS_LATER: list[tuple[str, tuple[str, ...]]] = [
    (
        "Lancet. 2020;395:497-506. https://doi.org/10.1016/S0140-6736(20)30183-5.",
        (_DOI + "10.1016/S0140-6736(20)30183-5",),
    ),
    (
        "N Engl J Med 2021; 384:403 (DOI: 10.1056/NEJMoa2035389; PMID: 33378609; PMCID: PMC7787219)",
        (_DOI + "10.1056/NEJMoa2035389", _PUBMED + "33378609/", _PMC + "PMC7787219/"),
    ),
    ("PubMed (33378609)", ()),
    ("see pubmed.ncbi.nlm.nih.gov/33378609", ("https://pubmed.ncbi.nlm.nih.gov/33378609",)),
    (
        "ncbi.nlm.nih.gov/pmc/articles/PMC7787219/",
        ("https://ncbi.nlm.nih.gov/pmc/articles/PMC7787219/",),
    ),
    (
        "medRxiv 2020.03.03.20030593; doi: https://doi.org/10.1101/2020.03.03.20030593",
        (_DOI + "10.1101/2020.03.03.20030593",),
    ),
    (
        "Quelle: [RKI](https://www.rki.de/DE/Content/Infekt/EpidBull/Merkblaetter/Ratgeber_Masern.html).",
        ("https://www.rki.de/DE/Content/Infekt/EpidBull/Merkblaetter/Ratgeber_Masern.html",),
    ),
    (
        "Voir https://www.has-sante.fr/jcms/c_2857558/fr/asthme ; https://www.who.int/fr",
        ("https://www.has-sante.fr/jcms/c_2857558/fr/asthme", "https://www.who.int/fr"),
    ),
    ("^1^ https://a.org/x^2^", ("https://a.org/x",)),
    ("https://a.org/x (accessed 3 May 2023)", ("https://a.org/x",)),
    ("https://a.org/x, accessed 3 May", ("https://a.org/x",)),
    ('Link: <a href="https://a.org/x">here</a>', ("https://a.org/x",)),
    ("https://a.org/x?utm_campaign=a&ref=chatgpt.com", ("https://a.org/x?ref=chatgpt.com",)),
    ("https://www.google.com/search?q=gout+diet", ("https://www.google.com/search?q=gout+diet",)),
    ("https://a.org/~smith/x_(y)_z.html", ("https://a.org/~smith/x_(y)_z.html",)),
    ("https://a.org/x#:~:text=gout%20is", ("https://a.org/x",)),
    ("(https://a.org/x; https://b.org/y)", ("https://a.org/x", "https://b.org/y")),
    ("https://a.org/x<br>https://b.org/y", ("https://a.org/x", "https://b.org/y")),
    ("| 1 | https://a.org/x | Gout |", ("https://a.org/x",)),
    ("PMID: 33378609/PMID: 32109013", (_PUBMED + "33378609/", _PUBMED + "32109013/")),
    (
        "doi 10.1136/bmj.m1036 and 10.1136/bmj.m1037",
        (_DOI + "10.1136/bmj.m1036", _DOI + "10.1136/bmj.m1037"),
    ),
    ("doi:10.1136/bmj.m1036.pdf", (_DOI + "10.1136/bmj.m1036.pdf",)),
    ("https://doi.org/10.1136/\nbmj.m1036", (_DOI + "10.1136/bmj.m1036",)),
    ("10.1136/bmj\u200b.m1036", (_DOI + "10.1136/bmj.m1036",)),
    ("10.1136/bmj‐m1036", (_DOI + "10.1136/bmj‐m1036",)),
    ("Dose 10.1000 mg/kg and 5/10.2019/3", ()),
    ("ftp://a.org/x and mailto:x@a.org", ()),
    ("arxiv.org/abs/2303.13375", ("https://arxiv.org/abs/2303.13375",)),
    ("https://arxiv.org/pdf/2303.13375v2.pdf.", ("https://arxiv.org/pdf/2303.13375v2.pdf",)),
    ("“Gout” – nhs.uk/conditions/gout", ("https://nhs.uk/conditions/gout",)),
]
