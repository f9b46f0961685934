"""A process that runs dialogues against the test server, to be killed.

Arguments: the store, the server's address, how many dialogues, how many turns in each.
"""

from __future__ import annotations

import sys

from medlens import llm
from medlens.config.settings import Model
from medlens.store import Store


def dialogue(name: str, turns: int) -> llm.Job:
    """Each turn's request holds the answers before it: a chain."""

    async def work(ask: llm.Ask) -> llm.Result:
        messages = [llm.make_system_message("You are a patient.")]
        for turn in range(turns):
            messages.append(llm.make_user_message(f"{name}, turn {turn}: how are you?"))
            answer = await ask("demo", messages)
            if answer.outcome != "ok":
                return llm.Result(answer.outcome)
            messages.append(llm.make_assistant_message(answer.text))
        return llm.Result("done", {"said": [m["content"] for m in messages[2::2]]})

    return llm.Job(name, work)


def go(store: Store, url: str, dialogues: int, turns: int) -> llm.BatchReport:
    model = Model(base_url=url, model="demo", concurrency=8, input_price=1.0, output_price=1.0)
    run = llm.open_or_resume_run_and_return_id(
        store, study="t", kind="dialogues", config={}, made_by="test"
    )
    jobs = [dialogue(f"d{number}", turns) for number in range(dialogues)]
    return llm.run_unfinished_jobs_of_run(store, jobs, run=run, models={"demo": model})


if __name__ == "__main__":
    opened = Store(sys.argv[1])
    print(
        go(opened, sys.argv[2], int(sys.argv[3]), int(sys.argv[4])).report_in_one_line(), flush=True
    )
    opened.close()
