-- Places that people have chosen lately. What and where they are is one encrypted text.
CREATE TABLE recent_places (
    id      uuid        PRIMARY KEY,
    account uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    market  text        NOT NULL,
    sealed  bytea       NOT NULL,
    used_at timestamptz NOT NULL
);

CREATE INDEX recent_places_account ON recent_places (account, market, used_at);
