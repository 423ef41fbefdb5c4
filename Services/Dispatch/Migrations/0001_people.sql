-- What identity has told of people; the newest version wins.
CREATE TABLE people (
    account  uuid PRIMARY KEY,
    version  bigint NOT NULL,
    name     text NOT NULL,
    -- The name as it is searched for: lower case, without accents and vowel signs.
    search_name text NOT NULL DEFAULT '',
    gender   text CHECK (gender IN ('female', 'male')),
    language text NOT NULL
);

-- One row for everybody who is a provider anywhere. A person holds one order at a time, in all markets together:
-- accepting sets current_order by an update that is guarded by its being null.
CREATE TABLE providers (
    account       uuid PRIMARY KEY,
    current_order uuid UNIQUE
);

-- A provider in one market.
CREATE TABLE provider_roles (
    market       text NOT NULL,
    account      uuid NOT NULL REFERENCES providers (account) ON DELETE CASCADE,
    title        text,
    verified     boolean NOT NULL DEFAULT false,
    available    boolean NOT NULL DEFAULT false,
    -- Since when available; fairness and the waiting mode look at it.
    available_at timestamptz,
    PRIMARY KEY (market, account)
);

-- What others' stars add up to, for each person in each market and as customer or provider.
CREATE TABLE rating_sums (
    market  text NOT NULL,
    account uuid NOT NULL,
    role    text NOT NULL CHECK (role IN ('customer', 'provider')),
    stars   bigint NOT NULL DEFAULT 0,
    count   bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (market, account, role)
);

-- Which services a provider does, at which price in minor units of the market's currency.
CREATE TABLE offerings (
    market  text NOT NULL,
    account uuid NOT NULL,
    service text NOT NULL,
    price   bigint NOT NULL CHECK (price > 0),
    PRIMARY KEY (market, account, service),
    FOREIGN KEY (market, account) REFERENCES provider_roles (market, account) ON DELETE CASCADE
);
