-- Deletions of accounts. Without a reference: the account goes, its outcome stays for a month.
CREATE TABLE deletions (
    id         uuid        PRIMARY KEY,
    account    uuid        NOT NULL,
    -- Of the account when it was asked.
    version    bigint      NOT NULL,
    -- The admin, and the market that he acted for; null is the owner.
    asked_by   uuid,
    market     text,
    state      text        NOT NULL CHECK (state IN ('asked', 'refused', 'granted')),
    given_up   boolean     NOT NULL DEFAULT false,
    asked_at   timestamptz NOT NULL,
    decided_at timestamptz,
    CHECK ((state = 'asked') = (decided_at IS NULL)),
    CHECK ((asked_by IS NULL) = (market IS NULL))
);

-- One at a time.
CREATE UNIQUE INDEX deletions_asked ON deletions (account) WHERE state = 'asked';
CREATE INDEX deletions_of_account ON deletions (account, asked_at DESC);
CREATE INDEX deletions_decided_at ON deletions (decided_at) WHERE decided_at IS NOT NULL;

-- What the services that were asked have said.
CREATE TABLE deletion_answers (
    deletion  uuid   NOT NULL REFERENCES deletions ON DELETE CASCADE,
    service   text   NOT NULL,
    obstacles text[] NOT NULL,
    orders    uuid[] NOT NULL,
    PRIMARY KEY (deletion, service)
);
