"""mini-swe-agent's side of `make peers`: its agent with its own `mini.yaml`, its local environment.

Samples run in threads and their trajectories are saved, as in its batch runner.
"""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from minisweagent.agents.default import DefaultAgent
from minisweagent.config import get_config_from_spec
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.litellm_model import LitellmModel
from peers_work import MODEL, Job, address, carry_out, request


def run(job: Job, keys: list[str], folder: Path) -> None:
    config = get_config_from_spec("mini.yaml")
    settings = {
        k: v for k, v in config["agent"].items() if k in ("system_template", "instance_template")
    }

    def one(key: str) -> None:
        work = folder / key / "work"
        shutil.copytree(job.files, work)
        model = LitellmModel(
            **config["model"]
            | {
                "model_name": f"openai/{MODEL}",
                "model_kwargs": {"api_base": address(job), "api_key": "none"},
            }
        )
        environment = LocalEnvironment(**config.get("environment", {}) | {"cwd": str(work)})
        agent = DefaultAgent(model, environment, **settings)
        agent.run(request(key))
        agent.save(folder / key / "trajectory.json")
        shutil.rmtree(work)

    with ThreadPoolExecutor(job.concurrency) as pool:
        list(pool.map(one, keys))


if __name__ == "__main__":
    carry_out(run)
