"""P11: one call of each tag of each document by the generated client, against the running services."""

import importlib
import struct
import uuid
import zlib
from io import BytesIO

import pytest

import documents
import people

PERTH = {"latitude": -31.9523, "longitude": 115.8613}
TO = {"latitude": -31.9505, "longitude": 115.8605}
ADMIN, BTNC, CARREPSA, NOBODY = "admin", "btnc", "carrepsa", None

# By service and tag: who calls which operation with what, and the status of the answer.
CALLS = {
    ("identity", "accounts"): (BTNC, "read_profile", (), {}, 200),
    ("identity", "places"): (BTNC, "list_places", (), {"market": "btnc"}, 200),
    ("identity", "sessions"): (BTNC, "list_sessions", (), {}, 200),
    ("identity", "passwords"): (NOBODY, "ask_for_password", (), {"body": ("LoginName", {"login": "nobody@example.com"})}, 202),
    ("identity", "providers"): (ADMIN, "list_providers", ("btnc",), {}, 200),
    ("identity", "links"): (CARREPSA, "list_links", (), {}, 200),
    ("identity", "admins"): (ADMIN, "list_people", ("btnc",), {"limit": 5}, 200),
    ("identity", "keys"): (NOBODY, "read_key_set", (), {}, 200),
    ("identity", "operating"): (ADMIN, "identity_system", (), {}, 200),
    ("identity", "document"): (NOBODY, "identity_document", (), {}, 200),
    ("dispatch", "orders"): (BTNC, "list_orders", (), {}, 200),
    ("dispatch", "rides"): (BTNC, "list_ride_requests", ("btnc",), {}, 403),
    ("dispatch", "meals"): (BTNC, "list_restaurants", ("btnc",), PERTH, 200),
    ("dispatch", "parcels"): (CARREPSA, "count_sent_parcels", ("carrepsa",), {}, 200),
    ("dispatch", "bikes"): (BTNC, "list_nearest_racks", ("btnc",), PERTH, 200),
    ("dispatch", "care"): (ADMIN, "list_desk", ("edencare",), {}, 200),
    ("dispatch", "series"): (BTNC, "list_series", (), {}, 200),
    ("dispatch", "quotes"): (BTNC, "make_quote", (), {"body": ("MakeQuoteBody", {"market": "btnc", "kind": "ride", "from": PERTH, "to": TO})}, 201),
    ("dispatch", "providers"): (BTNC, "list_nearby_places", ("btnc",), PERTH, 200),
    ("dispatch", "markets"): (NOBODY, "get_market", ("assef",), {}, 200),
    ("dispatch", "places"): (BTNC, "name_place", ("btnc",), PERTH, 200),
    ("dispatch", "photos"): (CARREPSA, "read_photo", (uuid.UUID(int=1),), {}, 404),
    ("dispatch", "operating"): (ADMIN, "dispatch_system", (), {}, 200),
    ("dispatch", "document"): (NOBODY, "dispatch_document", (), {}, 200),
    ("wallet", "wallets"): (BTNC, "list_wallets", (), {}, 200),
    ("wallet", "cards"): (BTNC, "list_cards", (), {}, 200),
    ("wallet", "topups"): (BTNC, "get_top_up", (uuid.UUID(int=1),), {}, 404),
    ("wallet", "payments"): (ADMIN, "list_payments", ("btnc",), {}, 200),
    ("wallet", "cash-outs"): (BTNC, "list_cash_outs", (), {}, 200),
    ("wallet", "subscriptions"): (ADMIN, "list_plans", ("btnc",), {}, 200),
    ("wallet", "promo-codes"): (ADMIN, "list_promo_codes", ("btnc",), {}, 200),
    ("wallet", "fines"): (BTNC, "list_own_fines", (), {}, 200),
    ("wallet", "disputes"): (ADMIN, "list_disputes", ("btnc",), {}, 200),
    ("wallet", "debts"): (ADMIN, "list_debtors", ("btnc",), {}, 200),
    ("wallet", "approvals"): (ADMIN, "list_approvals", ("btnc",), {}, 200),
    ("wallet", "bookkeeping"): (ADMIN, "get_commissions", ("btnc",), {}, 200),
    ("wallet", "ledger"): (ADMIN, "get_trial_balance", (), {}, 200),
    ("wallet", "webhooks"): (NOBODY, "take_webhook", (), {"body": ("TakeWebhookBody", {}), "stripe_signature": "none"}, 400),
    ("wallet", "operating"): (ADMIN, "wallet_system", (), {}, 200),
    ("wallet", "document"): (NOBODY, "wallet_document", (), {}, 200),
    # The stream itself does not end; one that cannot begin is answered at once.
    ("notifications", "stream"): (BTNC, "open_stream", (), {"last_event_id": -1}, 400),
    ("notifications", "inbox"): (BTNC, "list_inbox", (), {}, 200),
    ("notifications", "devices"): (BTNC, "read_push_key", (), {}, 200),
    ("notifications", "choices"): (BTNC, "read_choices", (), {}, 200),
    ("notifications", "webhooks"): (BTNC, "list_webhooks", (), {}, 200),
    ("notifications", "operating"): (ADMIN, "notifications_system", (), {}, 200),
    ("notifications", "conversations"): (BTNC, "list_conversations", (), {}, 200),
    ("notifications", "calls"): (BTNC, "list_calls", (), {}, 200),
    ("notifications", "inquiries"): (BTNC, "list_inquiries", (), {}, 200),
    ("notifications", "desk"): (ADMIN, "list_desk_inquiries", ("btnc",), {}, 200),
    ("notifications", "document"): (NOBODY, "notifications_document", (), {}, 200),
    ("admin", "settings"): (ADMIN, "list_settings", ("btnc",), {}, 200),
    ("admin", "content"): (ADMIN, "list_content", ("btnc", "faq"), {}, 200),
    ("admin", "website"): (NOBODY, "read_site_start", ("btnc", "en"), {}, 200),
    ("admin", "catalogue"): (ADMIN, "list_catalogue", ("btnc", "titles"), {}, 200),
    ("admin", "orders"): (ADMIN, "list_market_orders", ("btnc",), {}, 200),
    ("admin", "reports"): (ADMIN, "list_market_reports", ("btnc",), {}, 200),
    ("admin", "figures"): (ADMIN, "show_statistics", ("btnc",), {}, 200),
    ("admin", "people"): (ADMIN, "list_market_people", ("btnc",), {}, 200),
    ("admin", "audit"): (ADMIN, "list_audit", (), {"market": "btnc"}, 200),
    ("admin", "guide"): (NOBODY, "read_prayer_times", (), {"city": "makkah"}, 200),
    ("admin", "operating"): (ADMIN, "admin_system", (), {}, 200),
    ("admin", "document"): (NOBODY, "admin_document", (), {}, 200),
}
# Of these every one that an answer has is described. Those that each connection has are no part of the contract.
TOLD = {"content-disposition", "content-language", "etag", "idempotency-replayed", "location", "retry-after", "set-cookie", "www-authenticate", "x-request-id"}


@pytest.fixture(scope="session")
def tokens(generated) -> dict:
    return {ADMIN: people.admin_token(), BTNC: people.customer_token(BTNC), CARREPSA: people.customer_token(CARREPSA), NOBODY: None}


def described(service: str, operation: str, status: int) -> set[str]:
    """The headers that the document gives the answer."""
    root = documents.document(service)
    found = next(o for _, _, o in documents.operations(root) if o["operationId"].lower() == operation.replace("_", ""))
    answer = found["responses"].get(str(status)) or found["responses"]["default"]
    return {name.lower() for name in documents.follow(root, answer).get("headers", {})}


def test_each_tag_is_called():
    tags = {(service, tag["name"]) for service in documents.SERVICES for tag in documents.document(service)["tags"]}
    assert tags == set(CALLS)


@pytest.mark.parametrize("service, tag", CALLS)
def test_a_call(service, tag, tokens):
    who, operation, arguments, values, status = CALLS[service, tag]
    if isinstance(values.get("body"), tuple):
        values = {**values, "body": people.model(service, *values["body"])}
    answer = people.call(people.client(service, tokens[who]), service, tag, operation, *arguments, **values)
    assert answer.status_code == status, answer.content
    if status not in (202, 204):
        assert answer.parsed is not None
    if status >= 400:
        assert answer.parsed.status == status and answer.parsed.title
    told = {name.lower() for name in answer.headers} & TOLD
    assert told - described(service, operation, status) == set()


def picture() -> bytes:
    """A grey PNG."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\x80" * 8) * 8)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_a_picture_is_uploaded_and_read(tokens):
    file = importlib.import_module("identity.types").File(payload=BytesIO(picture()))
    set_ = people.call(people.client("identity", tokens[BTNC]), "identity", "accounts", "set_avatar", body=file)
    assert set_.status_code == 200, set_.content
    shown = people.call(people.client("identity"), "identity", "accounts", "read_avatar", set_.parsed.avatar.rsplit("/", 1)[-1])
    assert shown.status_code == 200
    assert shown.parsed.payload.read().startswith(b"\x89PNG")


def test_a_word_that_a_client_does_not_know_is_a_text(generated):
    entry = people.model("admin", "AuditEntry", {
        "id": str(uuid.uuid4()), "at": "2026-01-01T00:00:00Z", "market": "btnc", "service": "admin", "action": "something.new", "subject": "x"})
    assert entry.action == "something.new"
