-- What people say of themselves beside their name. The service's version before this one leaves all of it as it is.
ALTER TABLE accounts
    -- Encrypted as e-mail and mobile are.
    ADD COLUMN birth_date    bytea,
    ADD COLUMN wants_mail    boolean NOT NULL DEFAULT true,
    ADD COLUMN wants_sms     boolean NOT NULL DEFAULT true,
    ADD COLUMN wants_push    boolean NOT NULL DEFAULT true,
    -- What the picture in avatars is got by.
    ADD COLUMN avatar        text,
    -- In which of its roles the owner was last.
    ADD COLUMN active_market text,
    ADD COLUMN active_role   text;

-- An e-mail address or a mobile number that somebody wants to have instead, until he shows that he reads it.
CREATE TABLE contact_changes (
    id           uuid        PRIMARY KEY,
    account      uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    kind         text        NOT NULL CHECK (kind IN ('email', 'mobile')),
    -- Encrypted, and the keyed hash that it is looked up by once it counts.
    value        bytea       NOT NULL,
    value_hash   bytea       NOT NULL,
    -- Of the link, or of the code.
    proof        bytea       NOT NULL,
    sent_at      timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    failures     int         NOT NULL DEFAULT 0,
    -- However often it is sent within a day.
    day_began_at timestamptz NOT NULL,
    day_sent     int         NOT NULL DEFAULT 1,
    day_failures int         NOT NULL DEFAULT 0,
    UNIQUE (account, kind)
);

CREATE INDEX contact_changes_proof ON contact_changes (proof);
CREATE INDEX contact_changes_expires_at ON contact_changes (expires_at);

-- Which terms were accepted, for each market.
CREATE TABLE accepted_terms (
    account     uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    market      text        NOT NULL,
    version     text        NOT NULL,
    accepted_at timestamptz NOT NULL,
    PRIMARY KEY (account, market, version)
);
