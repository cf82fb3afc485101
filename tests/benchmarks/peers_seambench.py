"""Our side of `make peers`: the turn loop with what a prefix has around it.

A private workspace with git, a sandbox, an event log that is flushed at every event, files hashed
after every turn, and the tracking of rules and sub-goals.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from peers_work import MODEL, TURNS, Job, address, carry_out, request

from harness.agent import Agent
from harness.build import sandbox_here
from harness.model import Model
from harness.model_spec import ModelSpec
from harness.prefix import boundaries
from harness.store import Blobs
from harness.tasks import LoadedTask, load_task
from harness.transcript import Transcript
from harness.user import ScriptedUser
from harness.workspace import Workspace


def run(job: Job, keys: list[str], folder: Path) -> None:
    asyncio.run(batch(job, keys, folder))


async def batch(job: Job, keys: list[str], folder: Path) -> None:
    """So many samples at once as the runner has trials at once."""
    loaded = load_task(Path(job.files).parent)
    model = Model(ModelSpec(name=MODEL, base_url=address(job)))
    gate = asyncio.Semaphore(job.concurrency)

    async def one(key: str) -> None:
        async with gate:
            await sample(job, asking(loaded, key), model, folder / key)

    async with asyncio.TaskGroup() as group:
        for key in keys:
            group.create_task(one(key))
    await model.close()


def asking(loaded: LoadedTask, key: str) -> LoadedTask:
    """The task with the words of the sample and without later remarks."""
    asked = loaded.task.request.model_copy(update={"text": request(key)})
    task = loaded.task.model_copy(update={"request": asked, "remarks": ()})
    return loaded.model_copy(update={"task": task})


async def sample(job: Job, loaded: LoadedTask, model: Model, folder: Path) -> None:
    folder.mkdir()
    workspace = await asyncio.to_thread(Workspace.create, loaded.files, folder / "work")
    with (folder / "events.jsonl").open("w", encoding="utf-8") as file:
        transcript = Transcript(file)
        agent = Agent(
            model=model,
            model_name=MODEL,
            workspace=workspace,
            sandbox=sandbox_here(job.sandbox),
            blobs=Blobs(folder.parent / "blobs"),
            transcript=transcript,
            user=ScriptedUser(loaded.task, transcript.write),
        )
        async for _ in boundaries(agent, loaded, TURNS):
            pass
    await asyncio.to_thread(workspace.remove)


if __name__ == "__main__":
    carry_out(run)
