-- Keys by which a business's own programs act for its account, as a customer of one market.
CREATE TABLE api_keys (
    id           uuid        PRIMARY KEY,
    account      uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    market       text        NOT NULL,
    -- The owner's word for it, such as the program that has it.
    name         text        NOT NULL,
    scopes       text[]      NOT NULL,
    -- SHA-256 of 32 random bytes; the key itself is shown once and not kept.
    hash         bytea       NOT NULL UNIQUE,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at   timestamptz
);

CREATE INDEX api_keys_account ON api_keys (account, id);
