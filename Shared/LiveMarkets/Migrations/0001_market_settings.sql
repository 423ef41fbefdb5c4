-- What admins changed of a market's settings; the newest version of each key wins.
CREATE TABLE market_settings (
    market  text NOT NULL,
    key     text NOT NULL,
    value   text NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (market, key)
);
