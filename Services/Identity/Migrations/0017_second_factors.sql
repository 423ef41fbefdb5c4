-- The secret of an authenticator app, encrypted. It counts once its owner has entered a code of it.
CREATE TABLE second_factors (
    account      uuid        PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    sealed       bytea       NOT NULL,
    enrolled_at  timestamptz NOT NULL,
    confirmed_at timestamptz,
    -- Of the last code that was taken: no code is taken twice.
    last_step    bigint
);

-- Used once: a row that is used is deleted.
CREATE TABLE recovery_codes (
    account uuid  NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- SHA-256 of 80 random bits.
    hash    bytea NOT NULL,
    PRIMARY KEY (account, hash)
);

-- Logins whose password was right, and whose second factor is awaited.
CREATE TABLE login_challenges (
    -- SHA-256 of 32 random bytes.
    hash       bytea       PRIMARY KEY,
    account    uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    made_at    timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    tries      int         NOT NULL DEFAULT 0
);

CREATE INDEX login_challenges_account ON login_challenges (account, made_at);
CREATE INDEX login_challenges_expires_at ON login_challenges (expires_at);

-- Whether more than a password began it.
ALTER TABLE sessions ADD COLUMN strong boolean NOT NULL DEFAULT false;
