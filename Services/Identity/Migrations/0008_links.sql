-- Two people who know each other. A link that was refused or removed is no row.
CREATE TABLE links (
    id           uuid        PRIMARY KEY,
    kind         text        NOT NULL CHECK (kind IN ('friend', 'family')),
    -- Of a family.
    market       text,
    from_account uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    to_account   uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    scopes       text[]      NOT NULL,
    state        text        NOT NULL CHECK (state IN ('asked', 'agreed', 'confirmed')),
    asked_at     timestamptz NOT NULL,
    confirmed_at timestamptz,
    CHECK ((kind = 'family') = (market IS NOT NULL)),
    CHECK (from_account <> to_account),
    CHECK ((state = 'confirmed') = (confirmed_at IS NOT NULL))
);

-- Whoever of the two has asked.
CREATE UNIQUE INDEX links_pair ON links
    (least(from_account, to_account), greatest(from_account, to_account), kind, coalesce(market, ''));
CREATE INDEX links_from ON links (from_account);
CREATE INDEX links_to ON links (to_account);
-- What an admin looks at.
CREATE INDEX links_of_market ON links (market, state, asked_at, id) WHERE market IS NOT NULL;

-- How often an account has asked for a number today.
CREATE TABLE link_asks (
    account uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    day     date NOT NULL,
    count   int  NOT NULL,
    PRIMARY KEY (account, day)
);
CREATE INDEX link_asks_day ON link_asks (day);

-- Where somebody is, for friends, encrypted; gone when it ends.
CREATE TABLE shared_places (
    account    uuid        PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    place      bytea       NOT NULL,
    shared_at  timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX shared_places_expires_at ON shared_places (expires_at);
