-- Bans of people who are gone: keyed hashes of what they were reached and known by, and nothing else of them. No reference to
-- accounts, on purpose: the account goes and the ban stays.
CREATE TABLE banned_hashes (
    -- An id of nobody, by which an admin lifts the ban.
    account   uuid        NOT NULL,
    -- '*' is all of them.
    market    text        NOT NULL,
    kind      text        NOT NULL CHECK (kind IN ('email', 'mobile', 'national-id')),
    hash      bytea       NOT NULL,
    -- Whoever comes back reads it.
    reason    text        NOT NULL,
    -- Null is for ever.
    until     timestamptz,
    by_master boolean     NOT NULL,
    banned_at timestamptz NOT NULL,
    banned_by uuid        NOT NULL,
    PRIMARY KEY (account, market, kind)
);

CREATE INDEX banned_hashes_of_market ON banned_hashes (market, banned_at DESC, account DESC);
CREATE INDEX banned_hashes_hash ON banned_hashes (hash);
CREATE INDEX banned_hashes_until ON banned_hashes (until) WHERE until IS NOT NULL;
