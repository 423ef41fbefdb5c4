-- Earnings by day of the market's zone, beside the sums of all time; the days before are not known apart. Tips are beside
-- the earnings.
CREATE TABLE earnings_of_days (
    market   text NOT NULL,
    account  uuid NOT NULL,
    day      date NOT NULL,
    kind     text NOT NULL,
    currency text NOT NULL,
    count    bigint NOT NULL DEFAULT 0,
    amount   bigint NOT NULL DEFAULT 0,
    returned bigint NOT NULL DEFAULT 0,
    tips     bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (market, account, day, kind, currency)
);
ALTER TABLE earnings ADD COLUMN tips bigint NOT NULL DEFAULT 0;
-- When the work began, and the customer's tip, as the wallet tells.
ALTER TABLE orders ADD COLUMN started_at timestamptz, ADD COLUMN tip bigint;
-- Of a driver's car what a rider looks for: plate, maker, model and colour, as identity tells.
ALTER TABLE provider_roles ADD COLUMN car jsonb;
