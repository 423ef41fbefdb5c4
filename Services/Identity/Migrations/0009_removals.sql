-- The day of the last log-in or refresh; that of this migration for accounts of before.
ALTER TABLE accounts ADD COLUMN last_active_on date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date;
CREATE INDEX accounts_last_active_on ON accounts (last_active_on);

-- Accounts that an admin is asked to remove.
CREATE TABLE removals (
    account  uuid        PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    cause    text        NOT NULL CHECK (cause IN ('inactive', 'relative')),
    -- The relative, the market of the link, and the reason.
    asked_by uuid,
    market   text,
    reason   text,
    asked_at timestamptz NOT NULL,
    -- Not before: whoever is inactive has been warned, and may come back.
    due_at   timestamptz NOT NULL,
    CHECK ((cause = 'relative') = (market IS NOT NULL))
);
CREATE INDEX removals_due_at ON removals (due_at, account);
