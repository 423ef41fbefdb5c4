-- What each provider has earned, by kind of order: sums that stay when orders are removed.
CREATE TABLE earnings (
    market   text NOT NULL,
    account  uuid NOT NULL,
    kind     text NOT NULL,
    currency text NOT NULL,
    -- Orders that were paid out.
    count    bigint NOT NULL,
    -- Minor units, after the platform's share.
    amount   bigint NOT NULL,
    PRIMARY KEY (market, account, kind, currency)
);
