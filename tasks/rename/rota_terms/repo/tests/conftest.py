import pytest


@pytest.fixture(autouse=True)
def site(monkeypatch):
    """All tests live on one site."""
    monkeypatch.setenv("ROTA_TZ", "+08:00")
