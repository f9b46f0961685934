"""Codebooks: what a coder did to their codes stands, is told, and can be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review import codebooks_coded_passages_and_agreement, open_code_revisions_by_lead
from medlens.review.codebooks_coded_passages_and_agreement import Corpus
from medlens.review.open_code_revisions_by_lead import Change
from medlens.review.raters import Rater
from medlens.review.text_labeler_format import OpenCode
from medlens.store import Store
from tests.store.made_up import person, poems

POEMS = Corpus("made_up", "poems", "poem", "text")


def mark(store: Store, item: str, by: Rater, *codes: tuple[int, int, str]) -> None:
    found = open_code_revisions_by_lead.load_last_saved_codes(store, item=item, rater=by)
    marks = [OpenCode(start, end, "x" * (end - start), label) for start, end, label in codes]
    body = open_code_revisions_by_lead.codes_as_stored_body(
        marks, {label: None for _, _, label in codes}
    )
    open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
        store, Change(item, found.revision if found else 0, body), by=by
    )


def opened(store: Store, by: Rater) -> codebooks_coded_passages_and_agreement.Codebook:
    return codebooks_coded_passages_and_agreement.codebook_of_coder(
        store, POEMS, coder=by.id, viewer=by
    )


def passages(store: Store, by: Rater) -> list[tuple[int, int, str]]:
    book = opened(store, by)
    own = open_code_revisions_by_lead.list_code_revisions_viewer_may_see(
        store, study="made_up", dataset="poems", viewer=by
    )
    found = codebooks_coded_passages_and_agreement.list_coded_passages(
        book, [one for one in own if one.rater == by.id]
    )
    return [(one.code.start, one.code.end, book.names[one.code.label]) for one in found]


def test_a_code_is_renamed_and_described_with_its_history_and_no_mark_is_touched(
    store: Store,
) -> None:
    (poem,) = poems(store, 1)
    ada = person(store, "Ada", lead=True)
    mark(store, poem, ada, (0, 3, "vague"))

    codebooks_coded_passages_and_agreement.rename_code(
        store, POEMS, "vague", " not \n clear\u202e ", was="vague", by=ada
    )
    codebooks_coded_passages_and_agreement.set_code_description(
        store, POEMS, "vague", "Could mean two things.", was="", by=ada
    )

    book = opened(store, ada)
    assert book.codes["vague"] == codebooks_coded_passages_and_agreement.Code(
        "vague", "not clear", "Could mean two things."
    )
    assert passages(store, ada) == [(0, 3, "not clear")]
    assert [book.change_in_words(one) for one in book.history] == [
        "renamed “vague” to “not clear”",
        "described “not clear”: Could mean two things.",
    ]
    assert (
        open_code_revisions_by_lead.load_last_saved_codes(store, item=poem, rater=ada).revision == 1
    )  # type: ignore[union-attr]


def test_a_name_that_another_code_has_is_refused_in_any_capitals(store: Store) -> None:
    ada = person(store, "Ada", lead=True)
    one = codebooks_coded_passages_and_agreement.find_or_make_code(store, POEMS, "Vague", by=ada)
    other = codebooks_coded_passages_and_agreement.find_or_make_code(store, POEMS, "Wrong", by=ada)

    with pytest.raises(InvalidInput, match="There is a code “Vague” already"):
        codebooks_coded_passages_and_agreement.rename_code(
            store, POEMS, other.id, "vAGUE ", was="Wrong", by=ada
        )
    with pytest.raises(InvalidInput, match="needs a name"):
        codebooks_coded_passages_and_agreement.rename_code(
            store, POEMS, other.id, " \u202e\n", was="Wrong", by=ada
        )
    assert (
        codebooks_coded_passages_and_agreement.find_or_make_code(store, POEMS, "vague", by=ada)
        == one
    )
    assert [each.name for each in opened(store, ada).codes.values()] == ["Vague", "Wrong"]


def test_the_second_of_two_tabs_is_told_what_the_first_did(store: Store) -> None:
    ada = person(store, "Ada", lead=True)
    code = codebooks_coded_passages_and_agreement.find_or_make_code(store, POEMS, "vague", by=ada)
    codebooks_coded_passages_and_agreement.rename_code(
        store, POEMS, code.id, "unclear", was="vague", by=ada
    )
    codebooks_coded_passages_and_agreement.set_code_description(
        store, POEMS, code.id, "first", was="", by=ada
    )

    with pytest.raises(Conflict, match="renamed to “unclear” in another tab"):
        codebooks_coded_passages_and_agreement.rename_code(
            store, POEMS, code.id, "odd", was="vague", by=ada
        )
    with pytest.raises(Conflict, match="described in another tab: first"):
        codebooks_coded_passages_and_agreement.set_code_description(
            store, POEMS, code.id, "second", was="", by=ada
        )
    codebooks_coded_passages_and_agreement.remove_codes_and_their_marks(
        store, POEMS, [code.id], by=ada
    )
    with pytest.raises(Conflict, match="merged or removed in another tab"):
        codebooks_coded_passages_and_agreement.set_code_description(
            store, POEMS, code.id, "third", was="first", by=ada
        )


def test_a_code_made_while_another_tab_makes_one_loses_neither(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = person(store, "Ada", lead=True)
    append = store.append_all_and_count_new_by_table

    def slower(batch: Any, **how: Any) -> Any:
        monkeypatch.setattr(store, "append_all_and_count_new_by_table", append)
        codebooks_coded_passages_and_agreement.find_or_make_code(store, POEMS, "theirs", by=ada)
        return append(batch, **how)

    monkeypatch.setattr(store, "append_all_and_count_new_by_table", slower)
    codebooks_coded_passages_and_agreement.find_or_make_code(store, POEMS, "mine", by=ada)
    assert sorted(one.name for one in opened(store, ada).codes.values()) == ["mine", "theirs"]


def test_merged_codes_lend_their_passages_until_it_is_taken_back(store: Store) -> None:
    first, second = poems(store, 2)
    ada = person(store, "Ada", lead=True)
    mark(store, first, ada, (0, 3, "vague"), (2, 5, "unclear"), (2, 5, "wrong"))
    mark(store, second, ada, (1, 2, "odd"))
    codebooks_coded_passages_and_agreement.merge_codes(store, POEMS, ["unclear"], "vague", by=ada)
    codebooks_coded_passages_and_agreement.merge_codes(
        store, POEMS, ["vague", "odd"], "wrong", by=ada
    )

    # “unclear” went by way of “vague”; what overlaps is one passage.
    assert passages(store, ada) == [(0, 5, "wrong"), (1, 2, "wrong")]
    book = opened(store, ada)
    assert book.codes["wrong"].merged == ("vague", "unclear", "odd")
    last = book.change_that_can_be_undone()
    assert last is not None
    assert book.change_in_words(last) == "merged “vague”, “odd” into “wrong”"

    codebooks_coded_passages_and_agreement.undo_last_change(store, POEMS, last.revision, by=ada)
    assert passages(store, ada) == [(0, 5, "vague"), (2, 5, "wrong"), (1, 2, "odd")]
    with pytest.raises(Conflict, match="changed since then"):
        codebooks_coded_passages_and_agreement.undo_last_change(store, POEMS, last.revision, by=ada)
    assert (
        opened(store, ada)
        .change_in_words(opened(store, ada).history[-1])
        .startswith("took back: merged")
    )


def test_chosen_passages_are_moved_to_a_new_code_and_the_others_stay(store: Store) -> None:
    first, second = poems(store, 2)
    ada = person(store, "Ada", lead=True)
    mark(store, first, ada, (0, 3, "vague"), (4, 6, "vague"))
    mark(store, second, ada, (0, 3, "vague"))

    chosen = [(first, 4, 6), (second, 0, 3)]
    made = codebooks_coded_passages_and_agreement.move_passages_and_return_target_code(
        store, POEMS, "vague", chosen, "hedged", by=ada
    )

    assert sorted(passages(store, ada)) == [(0, 3, "hedged"), (0, 3, "vague"), (4, 6, "hedged")]
    book = opened(store, ada)
    assert book.change_in_words(book.history[-1]) == "moved 2 passages of “vague” to “hedged”"
    with pytest.raises(Conflict, match="nothing was moved"):
        codebooks_coded_passages_and_agreement.move_passages_and_return_target_code(
            store, POEMS, "vague", [(first, 0, 3), (first, 4, 6)], "other", by=ada
        )
    assert (0, 3, "vague") in passages(store, ada)
    # To a code that is there, called by its name.
    codebooks_coded_passages_and_agreement.move_passages_and_return_target_code(
        store, POEMS, "vague", [(first, 0, 3)], "Hedged", by=ada
    )
    assert {label for _, _, label in passages(store, ada)} == {"hedged"}
    assert made.id in opened(store, ada).codes


def test_coders_are_blind_to_each_other_until_both_choose_to_compare(store: Store) -> None:
    (poem,) = poems(store, 1)
    ada, ben = person(store, "Ada", lead=True), person(store, "Ben", lead=True)
    mark(store, poem, ada, (0, 3, "vague"))
    mark(store, poem, ben, (0, 3, "unclear"))

    def seen(by: Rater) -> list[str]:
        found = open_code_revisions_by_lead.list_code_revisions_viewer_may_see(
            store, study="made_up", dataset="poems", viewer=by
        )
        return [one.rater_name for one in found]

    codebooks_coded_passages_and_agreement.agree_to_compare_codes(store, POEMS, by=ada)
    assert (seen(ada), seen(ben)) == (["Ada"], ["Ben"])
    for coder, viewer in ((ada, ben), (ben, ada)):
        with pytest.raises(NotAllowed, match="Both of you"):
            codebooks_coded_passages_and_agreement.codebook_of_coder(
                store, POEMS, coder=coder.id, viewer=viewer
            )

    codebooks_coded_passages_and_agreement.agree_to_compare_codes(store, POEMS, by=ben)
    assert seen(ada) == seen(ben) == ["Ada", "Ben"]
    assert list(
        codebooks_coded_passages_and_agreement.codebook_of_coder(
            store, POEMS, coder=ada.id, viewer=ben
        ).codes
    ) == ["vague"]
    assert [
        (one.name, one.items, one.compared)
        for one in codebooks_coded_passages_and_agreement.list_coders(store, POEMS)
    ] == [
        ("Ada", 1, True),
        ("Ben", 1, True),
    ]


def test_a_reviewer_has_no_codebook(store: Store) -> None:
    rea, ada = person(store, "Rea"), person(store, "Ada", lead=True)
    with pytest.raises(NotAllowed):
        codebooks_coded_passages_and_agreement.find_or_make_code(store, POEMS, "vague", by=rea)
    with pytest.raises(NotAllowed):
        codebooks_coded_passages_and_agreement.codebook_of_coder(
            store, POEMS, coder=ada.id, viewer=rea
        )


def test_codes_with_hostile_names_are_kept_as_they_are_in_their_order(
    store: Store,
) -> None:
    ada = person(store, "Ada", lead=True)
    names = [f"=cmd|' /C calc'!A{n} <b>*x*</b> :material/home: ]({n})" for n in range(12)]
    made = [
        codebooks_coded_passages_and_agreement.find_or_make_code(store, POEMS, name, by=ada)
        for name in names
    ]
    assert [one.name for one in opened(store, ada).codes.values()] == names
    assert len({one.id for one in made}) == 12
    with pytest.raises(InvalidInput, match="121 characters"):
        codebooks_coded_passages_and_agreement.find_or_make_code(store, POEMS, "x" * 121, by=ada)


def test_a_repeated_save_of_the_same_message_is_one_revision(store: Store) -> None:
    (poem,) = poems(store, 1)
    ada = person(store, "Ada", lead=True)
    token = "018f3f5e-0000-7000-8000-000000000001"
    change = Change(poem, 0, {"labels": [], "codes": []}, token)
    assert open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
        store, change, by=ada
    ) == [1]
    assert open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
        store, change, by=ada
    ) == [1]
    assert codebooks_coded_passages_and_agreement.ids_of_items_coded_by(store, POEMS, ada.id) == {
        poem
    }
