-- Admins see in the list of people who is banned (I11).
CREATE TABLE bans (
    account   uuid        NOT NULL,
    -- '*' is every market.
    market    text        NOT NULL,
    -- Null is for ever.
    until     timestamptz,
    -- When identity said so.
    at        timestamptz NOT NULL,
    -- The account's: of two events about a ban the greater one counts.
    version   bigint,
    is_lifted boolean     NOT NULL,
    PRIMARY KEY (account, market)
);
COMMENT ON TABLE bans IS
    'Who may do nothing in a market, as identity tells. A lifted ban stays, so that what comes late is known as old.';
