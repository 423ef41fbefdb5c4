"""P11: the documents by the official schemas, and what a generator of clients makes of them."""

import copy
import gzip
import json
from pathlib import Path

import pytest
from jsonschema import Draft7Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

import documents

# Of github.com/asyncapi/spec-json-schemas 6.11.1, schemas/3.0.0-without-$id.json (Apache License 2.0), packed by `gzip -9n`.
ASYNCAPI_SCHEMA = Path(__file__).with_name("asyncapi-3.0.0.json.gz")


@pytest.fixture(scope="module")
def asyncapi() -> dict:
    return documents.yaml_as_json((documents.ROOT / "docs/asyncapi.yaml").read_text())


@pytest.fixture(scope="module")
def schema() -> Draft7Validator:
    return Draft7Validator(json.loads(gzip.decompress(ASYNCAPI_SCHEMA.read_bytes())))


def test_asyncapi_is_valid_by_the_official_schema(asyncapi, schema):
    assert asyncapi["asyncapi"] == "3.0.0"
    assert [f"{list(fault.absolute_path)}: {fault.message[:300]}" for fault in schema.iter_errors(asyncapi)] == []


def test_the_official_schema_sees_bindings_inside_of_bindings(asyncapi, schema):
    wrong = copy.deepcopy(asyncapi)
    next(iter(wrong["channels"].values()))["bindings"] = {"bindings": {"amqp": {"is": "routingKey"}}}
    assert not schema.is_valid(wrong)


def test_asyncapi_has_servers_and_each_message_an_example(asyncapi):
    assert asyncapi["servers"]
    assert len(asyncapi["channels"]) > 80
    for name, channel in asyncapi["channels"].items():
        assert channel["bindings"], name
        for message in channel["messages"].values():
            assert message["examples"], name


@pytest.mark.parametrize("service", documents.SERVICES)
def test_openapi_is_valid_by_the_official_schema(service):
    faults = [f"{list(fault.absolute_path)}: {fault.message[:300]}" for fault in OpenAPIV31SpecValidator(documents.document(service)).iter_errors()]
    assert faults == []


@pytest.mark.parametrize("service", documents.SERVICES)
def test_a_client_is_generated_without_a_warning(service, generated):
    said = generated[service]
    assert "WARNING" not in said and "rror" not in said, said
    assert said.endswith("ended with 0"), said


@pytest.mark.parametrize("service", documents.SERVICES)
def test_the_client_has_every_operation(service, generated):
    made = {file.stem.replace("_", "") for file in (documents.CLIENTS / service / "api").glob("*/*.py")}
    wanted = {operation["operationId"].lower() for _, _, operation in documents.operations(documents.document(service))}
    assert wanted - made == set()
