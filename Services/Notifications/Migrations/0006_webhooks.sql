-- Where businesses want to hear of their orders, and what is sent there (X9).
CREATE TABLE webhook_endpoints (
    id              uuid        PRIMARY KEY,
    account         uuid        NOT NULL,
    market          text        NOT NULL,
    url             text        NOT NULL,
    -- Empty is every event.
    events          text[]      NOT NULL,
    -- The signing secret, sealed; the one before it signs as well until a time, so that receivers can change in peace.
    sealed          text        NOT NULL,
    previous_sealed text,
    previous_until  timestamptz,
    created_at      timestamptz NOT NULL,
    -- Since when nothing has been taken; null after a success.
    failing_since   timestamptz,
    -- Off, by the owner or because nothing was taken for days.
    disabled_at     timestamptz,
    disabled_because text
);
CREATE INDEX webhook_endpoints_account ON webhook_endpoints (account, market);

CREATE TABLE webhook_deliveries (
    endpoint    uuid        NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
    -- The event's message: its webhook-id, the same for each try.
    message     uuid        NOT NULL,
    event       text        NOT NULL,
    order_id    uuid,
    body        text        NOT NULL,
    state       text        NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')),
    tries       int         NOT NULL DEFAULT 0,
    -- Not before; while one is being sent, how long others leave it alone.
    next_at     timestamptz NOT NULL DEFAULT now(),
    created_at  timestamptz NOT NULL,
    last_at     timestamptz,
    -- Of the last try: the status and the beginning of the body, or why there is none.
    last_status int,
    last_answer text,
    PRIMARY KEY (endpoint, message)
);
CREATE INDEX webhook_deliveries_next_at ON webhook_deliveries (next_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_created_at ON webhook_deliveries (created_at);
