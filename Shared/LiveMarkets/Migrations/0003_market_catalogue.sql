-- What admins changed of a market's catalogue (services, titles, reasons, words); the newest version of each entry wins.
CREATE TABLE market_catalogue (
    market  text NOT NULL,
    section text NOT NULL,
    id      text NOT NULL,
    entry   text NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (market, section, id)
);
COMMENT ON TABLE market_catalogue IS
    'Entries of markets'' catalogues that admins changed, as admin tells; the newest version of each wins. The entry is JSON.';
