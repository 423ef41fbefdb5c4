-- Accounts of before are confirmed, and so are those that the version before this one still makes.
ALTER TABLE accounts
    ADD COLUMN confirmed_at timestamptz DEFAULT now(),
    -- What confirms it: 'email', 'sms'; null for accounts that needed nothing.
    ADD COLUMN confirms_by  text CHECK (confirms_by IN ('email', 'sms'));

-- Registrations that lapse.
CREATE INDEX accounts_unconfirmed ON accounts (registered_at) WHERE confirmed_at IS NULL;

-- What somebody was sent to prove that he reads the account's mail or SMS. One for each purpose, the newest.
CREATE TABLE proofs (
    account    uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    purpose    text        NOT NULL CHECK (purpose IN ('confirm', 'password')),
    -- SHA-256 of a link's 32 random bytes, or a keyed hash of a short code.
    hash       bytea       NOT NULL,
    sent_at    timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- Wrong codes so far.
    failures   int         NOT NULL DEFAULT 0,
    PRIMARY KEY (account, purpose)
);

CREATE INDEX proofs_hash ON proofs (hash);
CREATE INDEX proofs_expires_at ON proofs (expires_at);
