-- People. What reaches a person outside (e-mail, mobile) is encrypted with a key that is not here: the id of the key,
-- then nonce, ciphertext and tag. It is found by a keyed hash.
CREATE TABLE accounts (
    id            uuid        PRIMARY KEY,
    -- Grows with each change; goes into every event.
    version       bigint      NOT NULL,
    name          text        NOT NULL,
    gender        text        CHECK (gender IN ('female', 'male')),
    language      text        NOT NULL,
    email         bytea       NOT NULL,
    email_hash    bytea       NOT NULL CONSTRAINT accounts_email_hash UNIQUE,
    mobile        bytea       NOT NULL,
    mobile_hash   bytea       NOT NULL CONSTRAINT accounts_mobile_hash UNIQUE,
    registered_at timestamptz NOT NULL
);

-- How an account proves who it is. Without a row here there is no password to log in with.
CREATE TABLE passwords (
    account    uuid        PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    -- Argon2's encoded form: parameters, salt and hash.
    hash       text        NOT NULL,
    changed_at timestamptz NOT NULL
);

CREATE TABLE roles (
    account      uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- '*' is every market.
    market       text        NOT NULL,
    role         text        NOT NULL CHECK (role IN ('customer', 'provider', 'admin')),
    title        text,
    state        text        NOT NULL CHECK (state IN ('active', 'waiting', 'verified', 'rejected')),
    reason       text,
    requested_at timestamptz NOT NULL,
    decided_at   timestamptz,
    -- The admin.
    decided_by   uuid,
    PRIMARY KEY (account, market, role),
    CHECK ((role = 'provider') = (title IS NOT NULL)),
    CHECK ((role = 'provider') = (state <> 'active'))
);

-- The list that admins work off.
CREATE INDEX roles_providers ON roles (market, state, requested_at, account) WHERE role = 'provider';

-- A login on one device: a family of refresh tokens.
CREATE TABLE sessions (
    id         uuid        PRIMARY KEY,
    account    uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at   timestamptz,
    -- 'logout', 'reuse'
    ended_by   text,
    -- Number of the newest refresh token.
    newest     bigint      NOT NULL
);

CREATE INDEX sessions_account ON sessions (account) WHERE ended_at IS NULL;
CREATE INDEX sessions_expires_at ON sessions (expires_at);

CREATE TABLE refresh_tokens (
    -- SHA-256 of 32 random bytes.
    hash        bytea       PRIMARY KEY,
    session     uuid        NOT NULL REFERENCES sessions ON DELETE CASCADE,
    number      bigint      NOT NULL,
    replaced_at timestamptz,
    -- The next token, encrypted with this one: only whoever shows this one can be given it again.
    successor   bytea,
    UNIQUE (session, number),
    CHECK ((replaced_at IS NULL) = (successor IS NULL))
);

-- Failed logins, by a keyed hash of the account or of the address they came from.
CREATE TABLE login_failures (
    subject       bytea       PRIMARY KEY,
    failures      int         NOT NULL,
    last_at       timestamptz NOT NULL,
    blocked_until timestamptz
);

CREATE INDEX login_failures_last_at ON login_failures (last_at);
