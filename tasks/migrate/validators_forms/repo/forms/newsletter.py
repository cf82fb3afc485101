"""Subscriptions to the newsletter."""

from dataclasses import dataclass

from validators import email, slug


@dataclass(frozen=True)
class Subscription:
    email: str
    topic: str


def read_newsletter(data: dict[str, str]) -> Subscription:
    """A subscription. Raises KeyError or ValidationError at the first box that is wrong."""
    email(data["email"], r_ve=True)
    slug(data["topic"], r_ve=True)
    return Subscription(data["email"].lower(), data["topic"])


def heading(subscription: Subscription) -> str:
    """First line of a letter."""
    return f"News about {subscription.topic.replace('-', ' ')}"
