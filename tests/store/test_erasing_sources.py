"""What is no item in SourceCheckup is erased too, one by one: a statement, an answer that could not
be used, a page, whether anybody is shown it or not.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from medlens.app import erasure, store_check, work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.review import remarks_between_raters_and_leads
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.studies.sourcecheckup import records, records_to_store_rows
from medlens.studies.sourcecheckup.make_statement_source_pairs import (
    make_missing_pair_items_and_count,
)
from tests.store.bytes_on_disk import places_of, store_plainly
from tests.store.made_up import person
from tests.store.test_erasing_texts import add_call, figures, texts_left
from tests.store.test_sourcecheckup_corrections import correct, judge
from tests.store.test_sourcecheckup_files import take_text

pytestmark = pytest.mark.usefixtures("read_near")

SHOWN, UNSHOWN = "https://a.example/1", "https://a.example/9"
STATEMENT = "Mrs Zeppelinska from Quixotia was stung by bees"
FAILED = "Here is what Mr Quagglebottom of Xylander told me"
UNSEEN = "Ms Jabberwockska is treated for gout on ward nine"
PAGE = "Dr Kraxelhuber saw that bees fly far from home"
LONG = (PAGE + ". It was a warm day. ") * 120
"""Of more characters than one row holds."""
WRITTEN = {
    "statement s1": STATEMENT,
    "response r3": FAILED,
    f"page {UNSHOWN}": UNSEEN,
    f"page {SHOWN}": PAGE,
}


def lay(store: Store) -> dict[str, str]:
    """Texts of all four kinds, which judgments, calls of models, remarks and corrections repeat;
    the items by name.
    """
    take_text(store, "questions", "question_id,question,group\nq1,Why?,search\n")
    cited = f"response_id,question_id,model,response,urls\nr1,q1,gpt-x,Because.,{SHOWN}\n"
    take_text(store, "responses", cited)
    stated = f"statement_id,response_id,statement\ns1,r1,{STATEMENT}\ns2,r1,Wasps sting too\n"
    take_text(store, "statements", stated)
    sources = f"url,status,text\n{SHOWN},200,{LONG}\n{UNSHOWN},200,{UNSEEN}.\n"
    take_text(store, "sources", sources)
    failed = records.Response(
        name="r3", question="q1", model="m", outcome="invalid", raw=FAILED, reason=FAILED
    )
    store.append_all_and_count_new_by_table(
        records_to_store_rows.response_citation_and_item_rows_by_table(failed, dataset="d")
    )
    make_missing_pair_items_and_count(store, "d")
    rows = store.rows("select name, id from item_in_play")
    there = {name.removesuffix(f" {SHOWN}"): item for name, item in rows}
    rosa, lead = person(store, "Rosa"), person(store, "Lena", lead=True)
    support = STUDIES["sourcecheckup"].open(store, Settings(), "d").support
    passage = records.Passage(start=0, end=len(PAGE), quote=PAGE)
    said = records.SourceJudgment(
        verdict="supported", passages=(passage,), reason="Why is Zeppelinska named?"
    )
    judge(store, support, there["pair s1"], rosa, said)
    remarks_between_raters_and_leads.store_remark_on_work(
        *(store, support),
        item=there["pair s1"],
        rater=rosa.id,
        kind="answer",
        text="Zeppelinska should go.",
        by=lead,
    )
    for number, text in enumerate(WRITTEN.values()):
        add_call(store, f"{number:016}", f"Read: {text}", f"It says: {text}")
    # What a lead corrected, of the statement and of the page.
    other = {"statement": f"{STATEMENT} in May"}
    correct(store, f"pair s1 {SHOWN}", other, "typing", lead)
    return there


@pytest.mark.deep
def test_what_is_no_item_is_found_by_its_words_and_erased_to_the_last_byte(
    store: Store, folders: list[Path], write_everything_out: Callable[[Store], list[Path]]
) -> None:
    store_plainly(store)
    lay(store)
    before = figures(store, "sourcecheckup", "d")
    for name, text in WRITTEN.items():
        word = text.split()[1 if text != FAILED else 4].lower()
        roots = [*folders, *write_everything_out(store)]
        assert places_of(text, *roots), name
        found = erasure.find_erasable_items_with_words(
            store, "sourcecheckup", word.upper(), viewer=None
        )
        assert name in [one.name for one in found]
        item = erasure.require_item_with_texts_to_erase(store, "sourcecheckup", name)
        told = erasure.erase_item_texts_and_list_what_was_done(
            store, Settings(), item, confirmed=name, viewer=None
        )
        assert told[0].startswith(f"Erased: the texts of {name} in ")
        roots = [*folders, *write_everything_out(store)]
        assert not places_of(text, *roots), name
        assert not places_of(word, *roots), texts_left(store, word)
        left = erasure.find_erasable_items_with_words(store, "sourcecheckup", word, viewer=None)
        assert not left
        assert figures(store, "sourcecheckup", "d") == before
        assert store_check.list_store_faults_in_words(store, Settings()) == []
    # What was not erased is there, and so are the ids by which items name their texts.
    assert store.value("select statement from sc_statement where name = 's2'") == "Wasps sting too"
    [pair, *_] = store.rows("select * from sc_pair where name like 'pair s1%'")
    assert store.rows("select 1 from sc_statement where id = $id", id=pair[4])


@pytest.mark.deep
def test_a_page_is_found_by_its_address_and_a_wrong_name_is_refused(store: Store) -> None:
    lay(store)
    by_address = erasure.require_item_with_texts_to_erase(
        store, "sourcecheckup", f"{SHOWN}#top", dataset="d"
    )
    assert (
        by_address.id
        == erasure.require_item_with_texts_to_erase(store, "sourcecheckup", f"page {SHOWN}").id
    )
    for name in ("statement s9", "response r9", "page https://b.example/", "s1"):
        with pytest.raises(InvalidInput, match="nothing else with texts"):
            erasure.require_item_with_texts_to_erase(store, "sourcecheckup", name)


@pytest.mark.deep
def test_the_command_line_lists_what_has_words_in_it_by_name(store: Store) -> None:
    lay(store)
    asked = {"what": "find", "study": "sourcecheckup", "dataset": ""}
    told = work_behind_commands.run_erase_command_and_return_report_dict(
        store, Settings(), asked | {"words": "quagglebottom"}
    )
    assert told["line"] == "d: response r3"
    told = work_behind_commands.run_erase_command_and_return_report_dict(
        store, Settings(), asked | {"words": "Zeppelinska"}
    )
    assert told["line"] == "d: statement s1"
    told = work_behind_commands.run_erase_command_and_return_report_dict(
        store, Settings(), asked | {"words": "Rumpelstilz"}
    )
    assert told["line"] == "Nothing of this study has these words in its texts."
