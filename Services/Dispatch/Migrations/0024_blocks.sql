-- Who orders nothing in a market until a fine is paid, as wallet tells (O2). The newest word wins: one that is over stays, so
-- that what comes late is known as old.
CREATE TABLE blocks (
    account    uuid NOT NULL,
    market     text NOT NULL,
    is_blocked boolean NOT NULL,
    -- Of the newest event that was heard.
    version    bigint NOT NULL,
    PRIMARY KEY (account, market)
);
