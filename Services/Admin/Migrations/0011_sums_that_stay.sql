-- What stays of orders when a market's retention time is over (Q9): by day of the market's zone and figure, without people.
-- A label is a state, a party or a currency; a total is seconds, stars or minor units.
CREATE TABLE sums_of_days (
    market text    NOT NULL,
    day    text    NOT NULL,
    figure text    NOT NULL,
    label  text    NOT NULL,
    count  bigint  NOT NULL,
    total  numeric NOT NULL,
    PRIMARY KEY (market, day, figure, label)
);

-- Orders requested before are gone from here: what is heard of one that is not among the rows is too late.
CREATE TABLE forgotten_orders (
    market text        PRIMARY KEY,
    before timestamptz NOT NULL
);
