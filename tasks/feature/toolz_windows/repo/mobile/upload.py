"""Reports of users, sent in parcels."""


def parcels(reports: list[str]) -> list[str]:
    """All reports in one parcel."""
    return ["/".join(reports)]
