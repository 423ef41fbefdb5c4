"""One town for all tests, and one ear at the broker, which is there before anybody speaks."""

import pytest

import queues
from town import Town


@pytest.fixture(scope="session")
def tap():
    tap = queues.Tap()
    yield tap
    tap.close()


@pytest.fixture(scope="session")
def town(tap):
    town = Town()
    yield town
    town.desk.shared.unlink(missing_ok=True)


def pytest_collection_modifyitems(items):
    """What has been written anywhere is read when all else was asked."""
    items.sort(key=lambda item: item.path.stem == "test_traces")
