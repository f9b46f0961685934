"""What somebody has submitted of a task under way is found and opened again on Home."""

from __future__ import annotations

from urllib.parse import parse_qsl

from medlens.config.settings import Settings
from medlens.review import assignment, items, judging
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans
from medlens.studies.tagging.study_in_dataset import open_study
from medlens.studies.tagging.tasks import NAME as TAGGED
from tests.handles import name_called
from tests.pages.conftest import OpenPage, component


def test_what_was_submitted_of_a_task_under_way_is_listed_on_home_and_opened_again(
    open_page: OpenPage, app_store: Store, reviewer: Rater
) -> None:
    def folds() -> list[str]:
        home = open_page(who=reviewer)
        return [one.label for one in home.expander if one.label.startswith("Look over")]

    assert folds() == []
    task = open_study(app_store, Settings(), "demo").task
    given = []
    for action in ("submit", "submit", "flag"):
        item = assignment.give_next_item_and_return_id(
            app_store, task, HandOut(), dataset="demo", rater=reviewer.id
        )
        assert item
        given.append(item)
        if action == "flag":
            of = {"item": item, "rater": reviewer.id, "kind": "flag", "reason": "It is cut off."}
            assignment.record_opened_skipped_or_flagged(app_store, task, HandOut(), **of)
            continue
        quote = items.item_body(app_store, item)["response"][:3]
        mark = ErrorSpan(start=0, end=3, quote=quote, labels=("reasonable_response",))
        body = ErrorSpans(spans=(mark,)).model_dump(mode="json")
        judging.submit_judgment(
            app_store, task, item=item, rater=reviewer.id, token=new_id(), body=body
        )
    assert folds() == ["Look over 3 items that you have finished"]
    home = open_page(who=reviewer)
    home.session_state[f"home.mine.{TAGGED}.demo"] = True
    home.run()
    [fold] = [one for one in home.expander if one.label.startswith("Look over")]
    links = [one.proto for one in fold.get("page_link")]
    assert [one.label.split(" · ")[0].split(":")[0] for one in links] == [
        *("Item 3", "Item 2", "Item 1")
    ]
    assert "It is cut off" in links[0].label
    assert "Reasonable response" in links[2].label
    # The address of each leads to its desk with that item on it, as it was submitted.
    address = dict(parse_qsl(links[2].query_string))
    desk = open_page("1_Tag_errors.py", who=reviewer, **address)
    assert name_called(app_store, desk.query_params["item"]) == app_store.value(
        "select name from item_now where id = $item", item=given[0]
    )
    assert '"submitted"' in component(desk, "span_tagger").proto.json
