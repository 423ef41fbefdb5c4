-- Pictures of people, one each.
CREATE TABLE avatars (
    account    uuid        PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    -- A keyed hash of the picture: what it is got by, and what cannot be guessed.
    name       text        NOT NULL UNIQUE,
    media_type text        NOT NULL,
    sealed     bytea       NOT NULL,
    set_at     timestamptz NOT NULL
);
