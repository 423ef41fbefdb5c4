-- The relatives whom somebody named when registering, until the account is confirmed and they are asked (I9). Contacts are
-- known by their keyed hashes alone.
CREATE TABLE family_wishes (
    account      uuid     NOT NULL REFERENCES accounts ON DELETE CASCADE,
    position     smallint NOT NULL,
    market       text     NOT NULL,
    contact_kind text     NOT NULL CHECK (contact_kind IN ('email', 'mobile')),
    contact_hash bytea    NOT NULL,
    scopes       text[]   NOT NULL,
    PRIMARY KEY (account, position)
);
