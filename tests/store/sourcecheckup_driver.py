"""A process that runs SourceCheckup's whole pipeline against local servers, to be killed.

Arguments: the store, the model server's address, the web server's host.
"""

from __future__ import annotations

import sys

from medlens.config.settings import Model, Settings, Web
from medlens.llm.pipeline_declaration_forecast_and_run import Done, How
from medlens.store import Store
from medlens.studies.sourcecheckup.run_whole_pipeline import Roles, run_whole_pipeline

DATASET = "d"


def settings(url: str, host: str, **web: object) -> Settings:
    given = {
        "base_url": url,
        "model": "m",
        "input_price": 1.0,
        "output_price": 1.0,
        "concurrency": 8,
    }
    return Settings(
        models={name: Model.model_validate(given) for name in ("a", "b")},
        web=Web.model_validate(
            {
                "allow_hosts": (host,),
                "pause": 0,
                "robots": False,
                "per_host": 8,
                "concurrency": 8,
                **web,
            }
        ),
    )


def go(store: Store, url: str, host: str, *, how: How | None = None) -> Done:
    roles = Roles(answerers=("a",), parser="a", verifiers=("a", "b"), cleaner="a")
    return run_whole_pipeline(store, settings(url, host), roles=roles, dataset=DATASET, how=how)


if __name__ == "__main__":
    opened = Store(sys.argv[1])
    for line in go(opened, sys.argv[2], sys.argv[3]).lines:
        print(line, flush=True)
    opened.close()
