-- Friends belong to no market, so a token that lost its roles in one does not stop them from writing: who is banned among the
-- pilgrims, or in all markets, is kept here.
CREATE TABLE talk_bans (
    account   uuid    NOT NULL,
    -- '*' is all.
    market    text    NOT NULL,
    is_lifted boolean NOT NULL,
    -- Null is for ever.
    until     timestamptz,
    -- The account's version: of several events the greatest counts.
    version   bigint  NOT NULL,
    PRIMARY KEY (account, market)
);
COMMENT ON TABLE talk_bans IS
    'Accounts that may not write to friends, as identity tells of bans in the pilgrims'' market and in all; with those that ended.';
