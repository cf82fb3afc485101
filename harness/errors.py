"""One error type per boundary. What the agent or a strategy does is an outcome, never an error."""

from __future__ import annotations


class SeambenchError(Exception):
    """Base of all errors raised on purpose; its text is one line fit for a terminal."""


class UserError(SeambenchError):
    """A mistake in what the user gave (config, override, file, folder). Exit code 2."""


class TaskError(UserError):
    """A fixture is wrong. The text names the file, the key and what was expected."""


class BoundaryError(SeambenchError):
    """A failing part of the outside world: the trial gets status `error` and is owed again.

    kind: short stable word for tables and `retry --status error:<boundary>`.
    retry: whether trying the same thing again may help.
    """

    boundary = "harness"

    def __init__(self, text: str, *, kind: str = "failed", retry: bool = False) -> None:
        super().__init__(text)
        self.kind = kind
        self.retry = retry


class ModelError(BoundaryError):
    """The endpoint failed: unreachable, refused the key, rate limited, or sent nonsense.

    retry_after: seconds that the server asked us to wait, None if it did not say.
    """

    boundary = "model"

    def __init__(
        self, text: str, *, kind: str, retry: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(text, kind=kind, retry=retry)
        self.retry_after = retry_after


class ContextOverflow(SeambenchError):
    """The view no longer fits the model: an outcome of the strategy, never retried."""


class WorkspaceOverflow(SeambenchError):
    """The agent's files outgrow what can be kept: an outcome of the agent, never retried."""


class WorkspaceError(BoundaryError):
    """The workspace or its snapshot could not be made, read or restored."""

    boundary = "workspace"


class SandboxError(BoundaryError):
    """The sandbox itself failed (not the command in it)."""

    boundary = "sandbox"


class AgentError(BoundaryError):
    """A program that is the agent under test failed to start, to go on, or to end."""

    boundary = "agent"


class StrategyError(BoundaryError):
    """What a strategy keeps its state in failed: a store that is locked, damaged or missing."""

    boundary = "strategy"


class InvalidTrial(SeambenchError):
    """A fault of the harness that makes a trial unusable; the text is the record's reason."""


def first_of(error: BaseException) -> BaseException:
    """The first cause within a group of parallel failures."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
