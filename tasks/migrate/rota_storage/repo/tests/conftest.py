import pytest


@pytest.fixture(autouse=True)
def site(monkeypatch):
    """All tests live on one site."""
    monkeypatch.setenv("ROTA_TZ", "+08:00")


@pytest.fixture
def plan(tmp_path):
    """Where a plan can be kept, as a file or as a folder."""
    return tmp_path / "plan"
