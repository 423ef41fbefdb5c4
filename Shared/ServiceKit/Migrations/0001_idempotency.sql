-- Requests that carried an Idempotency-Key, and what they were answered. Rows live for a day.
CREATE TABLE idempotency_keys (
    -- Who may see the answer: the caller and the route.
    scope       text        NOT NULL,
    -- HMAC of the client's key. The key itself opens the answer, so it is not kept.
    key_hash    bytea       NOT NULL,
    -- HMAC of the input less its secrets.
    fingerprint bytea       NOT NULL,
    -- Which attempt holds the row while it runs; and until when it is believed to be alive.
    lease       uuid,
    lease_until timestamptz,
    -- The answer, once there is one: HTTP status, and headers and body encrypted with the client's key.
    status      smallint,
    answer      bytea,
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    PRIMARY KEY (scope, key_hash),
    CHECK ((status IS NULL) = (answer IS NULL)),
    CHECK (status IS NOT NULL OR lease_until IS NOT NULL)
);

CREATE INDEX idempotency_keys_expires_at ON idempotency_keys (expires_at);
