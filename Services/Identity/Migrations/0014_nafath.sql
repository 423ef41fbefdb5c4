-- Who signs in with Nafath brings no e-mail address.
ALTER TABLE accounts
    ALTER COLUMN email DROP NOT NULL,
    ALTER COLUMN email_hash DROP NOT NULL,
    ADD CONSTRAINT accounts_email_and_hash CHECK ((email IS NULL) = (email_hash IS NULL));

-- The national id of an account's owner, as Nafath has told it: encrypted, and found by a keyed hash.
CREATE TABLE national_ids (
    account   uuid        PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    sealed    bytea       NOT NULL,
    hash      bytea       NOT NULL CONSTRAINT national_ids_hash UNIQUE,
    linked_at timestamptz NOT NULL
);

-- Sign-ins that were begun. What redeems their codes is with the app that began them.
CREATE TABLE nafath_attempts (
    -- SHA-256 of 32 random bytes each.
    state       bytea       PRIMARY KEY,
    secret      bytea       NOT NULL,
    market      text        NOT NULL,
    -- Of somebody who is logged in and adds Nafath to the account.
    account     uuid        REFERENCES accounts ON DELETE CASCADE,
    expires_at  timestamptz NOT NULL,
    used_at     timestamptz
);

CREATE INDEX nafath_attempts_expires_at ON nafath_attempts (expires_at);
CREATE INDEX nafath_attempts_account ON nafath_attempts (account) WHERE account IS NOT NULL;

-- People whom Nafath has named, whose mobile number an account has that Nafath does not know of: its owner's word is
-- awaited. One for each account, the newest; what is counted over a day stays when another takes its place.
CREATE TABLE nafath_tickets (
    account         uuid        PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    -- SHA-256 of 32 random bytes.
    hash            bytea       NOT NULL UNIQUE,
    market          text        NOT NULL,
    -- What Nafath said, encrypted.
    claims          bytea       NOT NULL,
    expires_at      timestamptz NOT NULL,
    -- Of the SMS, a keyed hash.
    code            bytea,
    code_sent_at    timestamptz,
    code_expires_at timestamptz,
    -- Wrong codes so far.
    failures        int         NOT NULL DEFAULT 0,
    day_began_at    timestamptz NOT NULL,
    day_sent        int         NOT NULL DEFAULT 0,
    day_failures    int         NOT NULL DEFAULT 0
);

CREATE INDEX nafath_tickets_expires_at ON nafath_tickets (expires_at);
