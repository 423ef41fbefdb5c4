"""Q7: every operation was thought about. These need no deployment."""

import operations
from operations import CLASSES

ALL = operations.all_operations()


def test_each_operation_was_reviewed():
    known, there = set(operations.reviewed()), {one.key for one in ALL}
    assert there - known == set(), "new: say in operations.txt who may call it"
    assert known - there == set(), "gone: take it out of operations.txt"
    assert set(operations.reviewed().values()) == CLASSES


def test_what_is_open_is_what_was_reviewed_as_open():
    known = operations.reviewed()
    assert {one.key for one in ALL if one.security == []} == {key for key, kind in known.items() if kind == "open"}
    assert {one.key for one in ALL if one.security == [{"rackKey": []}]} == {key for key, kind in known.items() if kind == "device"}
    for one in ALL:
        assert one.security in ([], [{"accessToken": []}], [{"rackKey": []}]), one.key


def test_each_operation_can_be_asked():
    for one in ALL:
        request = operations.request(one, {}, "carrepsa", b"")
        assert "{" not in request.path and request.path.startswith("/"), one.key
        if one.spec.get("requestBody"):
            assert request.body is not None, one.key


def test_what_waits_for_an_admin_is_in_no_open_class():
    for one in ALL:
        said = f"{one.spec.get('summary', '')} {one.spec.get('description', '')}".lower()
        if "for admins of the market" in said or "by admins of the market" in said or "for master admins" in said:
            assert operations.reviewed()[one.key] in ("desk", "staff", "master", "party"), one.key
