-- Roles that admins offer to people whom other markets know: they are theirs by the link of a mail. One of each kind in each
-- market, the newest.
CREATE TABLE role_offers (
    account    uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    market     text        NOT NULL,
    role       text        NOT NULL CHECK (role IN ('customer', 'provider')),
    -- A provider's.
    title      text,
    -- SHA-256 of the link's 32 random bytes.
    hash       bytea       NOT NULL,
    -- The admin.
    offered_by uuid        NOT NULL,
    offered_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (account, market, role)
);

CREATE UNIQUE INDEX role_offers_hash ON role_offers (hash);
CREATE INDEX role_offers_expires_at ON role_offers (expires_at);
