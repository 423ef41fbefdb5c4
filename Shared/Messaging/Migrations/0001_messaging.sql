-- Messages that a transaction has caused and the broker has not confirmed yet; confirmed ones stay for a while.
CREATE TABLE outbox (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id uuid NOT NULL,
    exchange text NOT NULL,
    name text NOT NULL,
    -- Messages of one aggregate leave in the order of seq.
    aggregate text NOT NULL,
    causation uuid,
    traceparent text,
    -- The HTTP request that began it all.
    request_id text,
    -- Whether it is a fault when no queue takes it.
    mandatory boolean NOT NULL,
    payload text NOT NULL,
    occurred_at timestamptz NOT NULL,
    published_at timestamptz
);

CREATE INDEX outbox_unpublished ON outbox (seq) WHERE published_at IS NULL;

-- Which messages a consumer has handled. A row is written in the transaction of the effect.
CREATE TABLE inbox (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, message_id)
);

-- Rows come in the order of time, so a block range index is enough to find old ones.
CREATE INDEX inbox_received ON inbox USING brin (received_at) WITH (pages_per_range = 16);

-- What has to happen at a time, unless it is cleared before.
CREATE TABLE deadlines (
    kind text NOT NULL,
    subject text NOT NULL,
    due_at timestamptz NOT NULL,
    payload text NOT NULL DEFAULT '{}',
    attempts int NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, subject)
);

CREATE INDEX deadlines_due ON deadlines (due_at);
