-- The address that somebody's bills go to, in a market that asks for it (B4). It is one encrypted text.
CREATE TABLE billing_addresses (
    id         uuid        PRIMARY KEY,
    account    uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    market     text        NOT NULL,
    sealed     bytea       NOT NULL,
    changed_at timestamptz NOT NULL,
    UNIQUE (account, market)
);
