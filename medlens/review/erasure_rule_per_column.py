"""What every column of the store that holds text can hold, and so what erasing does to it.

``WHAT`` decides for each text column of each table; a test compares it with the schema, so nobody
adds a column without a decision. ``MEANING`` says what each decision does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

What = Literal[
    "code", "name", "id", "person", "form", "words", "answers", "text", "digest", "address"
]

MEANING: Mapping[What, str] = {
    "code": "kept: one of the program's own words, such as a kind or a state",
    "name": (
        "kept: the name of a study, dataset, task, item or model, by which figures are grouped and"
        " links lead back"
    ),
    "id": "kept, but for ids that are a person's or were made from theirs: others take their place",
    "person": "a person's name, handle, address or platform's id: replaced by their number",
    "form": "what a person said of themselves: destroyed with them",
    "words": (
        "people's words: a person's name is replaced by their number; what an erased text has in"
        " common with them is destroyed"
    ),
    "answers": (
        "answers, with words among them: labels and numbers stay; names and words of an erased text"
        " go as in words"
    ),
    "text": (
        "the text of an item, a page or a model: destroyed with it; letters of a person's full"
        " name, handle or address become x"
    ),
    "digest": "a digest of a text: made again of what is left of it",
    "address": (
        "the address of a page: kept, since figures count sites; a person's name in it becomes x"
    ),
}

_ROW = "id:id"
_SAYS: Mapping[str, str] = {
    "item": "study:name kind:code dataset:name name:name digest:digest body:text",
    "item_alias": "item:id name:name",
    "rater": "handle:person kind:code name:person email:person origin:code",
    "rater_role": "rater:id role:code made_by:person",
    "task_setting": "task:name dataset:name body:words made_by:person",
    "assignment": "task:name item:id rater:id",
    "assignment_event": "task:name item:id rater:id kind:code reason:words",
    "draft": "task:name item:id rater:id body:answers",
    "judgment": ("task:name item:id rater:id body:answers origin:code run:id prompt:name"),
    "reveal": "task:name item:id rater:id",
    "gold": "task:name item:id body:answers made_by:person",
    "adjudication": "task:name item:id body:answers reason:words made_by:person together:id",
    "reference": "task:name item:id source:name body:answers",
    "survey": "form:code rater:id body:form origin:code",
    "import_log": "kind:code dataset:name file:words digest:digest made_by:person",
    "open_code": "item:id rater:id body:answers",
    "job": "command:code",
    "run": "study:name kind:code config:words digest:digest made_by:person",
    "run_event": "run:id kind:code reason:words body:words",
    "run_item": "run:id job:name outcome:code body:text",
    "completion": (
        "request:digest run:id name:name model:name base_url:name messages:text parameters:name"
        " outcome:code text:text finish_reason:code served_model:name fingerprint:code"
        " response_id:id route:code reasoning:text"
    ),
    "completion_attempt": "request:digest run:id name:name error_class:code detail:text",
    "remote_batch": ("run:id name:name base_url:name digest:digest batch:id state:code body:text"),
    "sc_question": (
        "dataset:name name:name question:text source_group:name answer:text document:text"
        " document_url:address origin:code"
    ),
    "sc_response": (
        "dataset:name name:name question:id model:name outcome:code response:text raw:text"
        " reason:text run:id origin:code"
    ),
    "sc_citation": "dataset:name response:id url:address",
    "sc_parse": "dataset:name response:id model:name run:id origin:code",
    "sc_statement": "dataset:name name:name response:id statement:text",
    "sc_source": (
        "dataset:name url:address outcome:code reason:text final_url:address content_type:code"
        " title:text headers:text redirects:address digest:digest text:text existed:code run:id"
        " origin:code"
    ),
    "sc_cleanup": (
        "dataset:name statement:id url:address action:code text:text reason:text model:name run:id"
        " origin:code"
    ),
    "sc_recheck": "cleanup:id rater:id body:answers run:id",
    "selection": "task:name dataset:name item:id drawn:code made_by:person",
    "ebmqa_question": (
        "dataset:name name:name digest:digest kind:code qa_type:code question:text options:text"
        " source:text target:text background:text source_type:code target_type:code"
        " background_type:code subject_type:code disciplines:name discipline:name prevalence:code"
        " length:code answer:code stratum:name evidence:text"
    ),
    "ebmqa_answer_block": "dataset:name rater:id prompt:name run:id origin:code",
    "ebmqa_answer": "",
    "ebmqa_said": "text:text",
    "visit_event": "run:id kind:code body:text",
    "sc_site": "dataset:name site:address country:code answered:words run:id origin:code",
    "audit_event": "kind:code who:person about:words body:words",
    "verdict": (
        "task:name dataset:name subject:id judge:name prompt:name outcome:code reason:text"
        " body:answers model:name run:id origin:code judgment:id"
    ),
    "sc_outcome": "source:id was:code outcome:code reason:words made_by:person",
    "task_round": "task:name dataset:name state:code raters:id made_by:person",
    "exclusion": "rater:id task:name dataset:name reason:words made_by:person",
    "item_further": "item:id body:text",
    "item_withdrawal": "item:id study:name dataset:name name:name reason:words made_by:person",
    "import_items": "import:id items:id",
    "import_undone": "import:id reason:words made_by:person",
    "renaming": (
        "kind:code study:name dataset:name name:name called:name folded:name made_by:person"
    ),
    "archiving": ("kind:code study:name dataset:name name:name reason:words made_by:person"),
    "item_version": "item:id body:text digest:digest reason:words made_by:person",
    "corrected_row": ("study:name dataset:name subject:id body:text reason:words made_by:person"),
    "sc_source_part": "source:id text:text",
    "remark": "task:name item:id rater:id kind:code body:words made_by:person",
    "sample": "task:name dataset:name body:words made_by:person",
    "guideline": "task:name dataset:name text:words made_by:person",
    "settling": "task:name item:id made_by:person",
    "invitation": "digest:code note:words task:name dataset:name made_by:person link:code",
    "invitation_event": "invitation:id kind:code rater:id made_by:person",
    "crowd_worker": "task:name dataset:name rater:id worker:person said:form",
    "suggestion": "task:name item:id rater:id judgment:id",
    "codebook_change": "study:name dataset:name rater:id kind:code body:words",
    "completion_event": "task:name dataset:name rater:id kind:code reason:words made_by:person",
    "person_number": "person:person",
    "text_measure": "item:id body:code",
    "computation": "kind:code study:name dataset:name task:name subject:words body:words",
}

JSON_COLUMNS = (
    *("body", "config", "raters", "said", "messages", "parameters"),
    *("options", "evidence", "headers", "redirects"),
)
"""The columns that hold JSON, in whatever table."""
WITHOUT_ID = ("ebmqa_answer", "ebmqa_said")
"""The tables whose rows have no id."""


def _decided(table: str, says: str) -> dict[str, What]:
    pairs = f"{'' if table in WITHOUT_ID else _ROW} {says}".split()
    return {column: what for column, _, what in (pair.partition(":") for pair in pairs)}  # type: ignore[misc]


WHAT: Mapping[str, Mapping[str, What]] = {
    table: _decided(table, says) for table, says in _SAYS.items()
}
"""By table and column."""
