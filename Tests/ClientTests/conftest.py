"""Clients are generated once for all tests."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import documents


@pytest.fixture(scope="session")
def generated() -> dict[str, str]:
    """What the generator says of each service's document. The clients can be imported."""
    with ThreadPoolExecutor() as pool:
        said = dict(zip(documents.SERVICES, pool.map(documents.generate, documents.SERVICES)))
    if str(documents.CLIENTS) not in sys.path:
        sys.path.insert(0, str(documents.CLIENTS))
    return said
