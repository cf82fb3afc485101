"""inspect-ai's side of `make peers`: its react agent, its bash tool, its local sandbox, its log."""

from __future__ import annotations

import os
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.agent import react
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.tool import Tool, bash, tool
from inspect_ai.util import sandbox
from peers_work import MODEL, Job, address, carry_out, request


@tool
def read_file() -> Tool:
    async def execute(path: str) -> str:
        """Show the text of a file.

        Args:
          path: The file.
        """
        return await sandbox().read_file(path)

    return execute


def run(job: Job, keys: list[str], folder: Path) -> None:
    root = Path(job.files)
    files = {
        str(path.relative_to(root)): path.read_text(encoding="utf-8")
        for path in root.rglob("*")
        if path.is_file()
    }
    samples = [Sample(input=request(key), id=key, files=files) for key in keys]
    os.environ["SCRIPTED_API_KEY"] = "none"
    logs = eval(
        Task(
            dataset=MemoryDataset(samples),
            solver=react(tools=[read_file() if job.work == "read" else bash()]),
            sandbox="local",
        ),
        model=f"openai-api/scripted/{MODEL}",
        model_base_url=address(job),
        max_samples=job.concurrency,
        max_connections=job.concurrency,
        display="none",
        log_dir=str(folder),
    )
    if logs[0].status != "success":
        raise SystemExit(f"inspect-ai: {logs[0].error}")


if __name__ == "__main__":
    carry_out(run)
