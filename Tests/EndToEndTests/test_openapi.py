"""The description of the API is valid, and the binary keeps to it whatever it is sent."""

import copy

import openapi_spec_validator
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

#: Requests an operation; the document has some sixty.
EXAMPLES = 8


@pytest.fixture(scope="module")
def document(dev) -> dict:
    return dev.client.get("/openapi.json").ok()


def strict(document: dict) -> dict:
    """The document with nothing undescribed in an answer: clients may meet more members one day, these tests may not."""
    document = copy.deepcopy(document)

    def close(schema):
        if isinstance(schema, dict):
            if "properties" in schema and "type" in schema:
                schema.setdefault("additionalProperties", False)
            for value in schema.values():
                close(value)
        elif isinstance(schema, list):
            for value in schema:
                close(value)

    close(document["components"]["schemas"])
    for item in document["paths"].values():
        for operation in item.values():
            close(operation["responses"])
    return document


def test_the_document_is_openapi(document, serve):
    openapi_spec_validator.validate(document)
    openapi_spec_validator.validate(serve.client.get("/openapi.json").ok())


def test_names_are_unique(document):
    ids = [operation["operationId"] for item in document["paths"].values() for operation in item.values()]
    assert len(ids) == len(set(ids)) > 40


@pytest.mark.timeout(180)
def test_the_binary_keeps_to_it(dev, document):
    """Generated requests, right ones and wrong ones, to every operation: no 5xx but a documented 501, and no answer that is not described."""
    schema = schemathesis.openapi.from_dict(strict(document))
    statuses: dict[int, int] = {}
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) > 40
    for operation in operations:
        modes = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
        for mode in modes:
            try:
                answer_all(dev, operation, operation.as_strategy(generation_mode=mode), statuses)
            except Unsatisfiable:
                # Nothing can be wrong with a request that has neither parameters nor a body.
                assert mode == schemathesis.GenerationMode.NEGATIVE
    print("statuses:", dict(sorted(statuses.items())))
    assert statuses.get(200, 0) > 50 and statuses.get(400, 0) > 50


def answer_all(dev, operation, strategy, statuses):
    @seed(1)
    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck))
    @given(case=strategy, privileged=st.booleans())
    def run(case, privileged):
        headers = dict(case.headers or {})
        if privileged:
            headers["Authorization"] = "Bearer owner"
        case.headers = headers
        if not privileged:
            case.query = {**(case.query or {}), "key": "any-key"}
        response = case.call(base_url=dev.postern.url, timeout=10)
        statuses[response.status_code] = statuses.get(response.status_code, 0) + 1
        assert response.status_code < 500 or response.status_code == 501, f"{response.status_code} {response.text[:500]}"
        case.validate_response(
            response, checks=[status_code_conformance, content_type_conformance, response_schema_conformance])

    run()
