-- Who may not do anything in a market, or in any of them ('*').
CREATE TABLE bans (
    account   uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    market    text        NOT NULL,
    -- The banned person reads it.
    reason    text        NOT NULL,
    -- Null is for ever.
    until     timestamptz,
    banned_at timestamptz NOT NULL,
    -- The admin.
    banned_by uuid        NOT NULL,
    PRIMARY KEY (account, market)
);

-- The list of a market's admins.
CREATE INDEX bans_market ON bans (market, banned_at DESC, account);
-- The list of admins.
CREATE INDEX roles_admins ON roles (market, requested_at, account) WHERE role = 'admin';
