-- What an account was logged in to from, so that its owner is told of what is new.
CREATE TABLE devices (
    account uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- SHA-256 of the account, the device's name and the app's id.
    hash    bytea       NOT NULL,
    last_at timestamptz NOT NULL,
    PRIMARY KEY (account, hash)
);

CREATE INDEX devices_last_at ON devices (last_at);
