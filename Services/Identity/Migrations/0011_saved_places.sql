-- Places that people order to. What and where they are is one encrypted text.
CREATE TABLE saved_places (
    id         uuid        PRIMARY KEY,
    account    uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    market     text        NOT NULL,
    -- Grows with each change.
    version    bigint      NOT NULL,
    sealed     bytea       NOT NULL,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL
);

CREATE INDEX saved_places_account ON saved_places (account, market, id);
