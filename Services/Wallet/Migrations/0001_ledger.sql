-- The ledger: double entry, in minor units. See README.md for the chart of accounts.
CREATE TABLE accounts (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind      text NOT NULL CHECK (kind IN ('wallet', 'escrow', 'platform', 'external')),
    owner     uuid NOT NULL,
    currency  text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    shard     smallint NOT NULL CHECK (shard >= 0),
    balance   bigint NOT NULL DEFAULT 0,
    -- No debit takes the balance below it, unless the move says that it overdraws.
    floor     bigint,
    opened_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (owner, kind, currency, shard)
) WITH (fillfactor = 60);

CREATE TABLE transfers (
    id       uuid PRIMARY KEY,
    -- Posts once, whatever is repeated: capture:<order>
    key      text NOT NULL UNIQUE,
    kind     text NOT NULL CHECK (kind IN ('hold', 'capture', 'commission', 'release', 'topUp')),
    currency text NOT NULL,
    -- The order or the top-up.
    subject  uuid NOT NULL,
    at       timestamptz NOT NULL DEFAULT now()
);

-- In the order of their ids, those of one account tell its whole history.
CREATE TABLE entries (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account  bigint NOT NULL REFERENCES accounts,
    transfer uuid NOT NULL REFERENCES transfers,
    amount   bigint NOT NULL CHECK (amount <> 0),
    -- Of the account, after this entry.
    balance  bigint NOT NULL,
    -- The floor that held for this entry; null where it may overdraw.
    floor    bigint,
    CONSTRAINT entries_above_floor CHECK (amount > 0 OR floor IS NULL OR balance >= floor)
);
CREATE INDEX entries_of_account ON entries (account, id);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- The trigger stops everybody; this stops the service's own role before it gets there. (Not so for transfers: to check
-- a foreign key PostgreSQL locks the row as its owner, which takes the right to update.)
REVOKE UPDATE, DELETE, TRUNCATE ON entries FROM PUBLIC, CURRENT_USER;
