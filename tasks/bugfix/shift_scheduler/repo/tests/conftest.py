import os

import pytest


def pytest_collection_modifyitems(items):
    """Cases that look at the wall clock of the site mean nothing on plain UTC."""
    if os.environ.get("ROTA_TZ"):
        return
    for item in items:
        if "site" in item.name:
            item.add_marker(pytest.mark.skip(reason="the site has no offset here"))
