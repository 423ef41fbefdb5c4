-- Whom an admin has removed from a market: as a provider there an admin looks at him again.
CREATE TABLE left_markets (
    account    uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    market     text        NOT NULL,
    removed_at timestamptz NOT NULL,
    -- The admin.
    removed_by uuid        NOT NULL,
    PRIMARY KEY (account, market)
);
