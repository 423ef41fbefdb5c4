-- Mails and SMS that are to be sent. What they say and to whom is sealed, and gone once they are sent.
CREATE TABLE deliveries (
    id           uuid        PRIMARY KEY,
    account      uuid        NOT NULL,
    channel      text        NOT NULL,
    text         text        NOT NULL,
    language     text        NOT NULL,
    sealed       text,
    state        text        NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')),
    tries        int         NOT NULL DEFAULT 0,
    -- Not before; while one is being sent, how long others leave it alone.
    next_at      timestamptz NOT NULL DEFAULT now(),
    requested_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    CHECK ((state = 'waiting') = (sealed IS NOT NULL))
);

CREATE INDEX deliveries_next_at ON deliveries (next_at) WHERE state = 'waiting';
CREATE INDEX deliveries_expires_at ON deliveries (expires_at) WHERE state <> 'waiting';
