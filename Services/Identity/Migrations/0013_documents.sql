-- What a role brings that is typed in: licence and vehicle, business and bank account, the adult of a young rider.
CREATE TABLE role_details (
    id         uuid        PRIMARY KEY,
    account    uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    market     text        NOT NULL,
    role       text        NOT NULL,
    sealed     bytea       NOT NULL,
    changed_at timestamptz NOT NULL,
    UNIQUE (account, market, role)
);

-- What a provider brings that is uploaded. Of a kind there is at most one that was verified, and one that waits or was
-- rejected.
CREATE TABLE documents (
    id          uuid        PRIMARY KEY,
    account     uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    market      text        NOT NULL,
    kind        text        NOT NULL,
    state       text        NOT NULL CHECK (state IN ('waiting', 'verified', 'rejected')),
    reason      text,
    media_type  text        NOT NULL,
    size        bigint      NOT NULL,
    -- A keyed hash: the same file sent again is the same document.
    digest      bytea       NOT NULL,
    sealed      bytea       NOT NULL,
    uploaded_at timestamptz NOT NULL,
    decided_at  timestamptz,
    -- The admin.
    decided_by  uuid
);

-- Encrypted bytes cannot be compressed.
ALTER TABLE documents ALTER COLUMN sealed SET STORAGE EXTERNAL;
ALTER TABLE avatars ALTER COLUMN sealed SET STORAGE EXTERNAL;

CREATE UNIQUE INDEX documents_verified ON documents (account, market, kind) WHERE state = 'verified';
CREATE UNIQUE INDEX documents_open ON documents (account, market, kind) WHERE state <> 'verified';
