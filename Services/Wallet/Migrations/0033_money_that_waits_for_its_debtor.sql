-- What an overdraft is to bring somebody waits in an account of its own until the debtor has paid (decision 0044). The program
-- of before credits it at once; what it has credited is the platform's to get back, as it was.
CREATE TABLE debts (
    -- In the order in which one debtor's debts were made: the debtor's wallet is locked meanwhile.
    number   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The owner and the shard of its account.
    transfer uuid NOT NULL,
    place    smallint NOT NULL,
    debtor   uuid NOT NULL,
    receiver uuid NOT NULL,
    currency text NOT NULL,
    amount   bigint NOT NULL CHECK (amount > 0),
    unpaid   bigint NOT NULL CHECK (unpaid BETWEEN 0 AND amount),
    market   text,
    order_id uuid,
    -- The receiver's line in the statement.
    line     text,
    -- Its account's first entry: later credits of the debtor's wallet pay it.
    entry    bigint NOT NULL,
    made_at  timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    UNIQUE (transfer, place)
) WITH (fillfactor = 80);
CREATE INDEX debts_of_debtor ON debts (debtor, currency, number) WHERE unpaid > 0;
CREATE INDEX debts_of_receiver ON debts (receiver) WHERE unpaid > 0;

-- Up to where the credits of a debtor's wallet were counted.
CREATE TABLE debtors (
    account      uuid NOT NULL,
    currency     text NOT NULL,
    counted_to   bigint NOT NULL DEFAULT 0,
    counted_part bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (account, currency)
) WITH (fillfactor = 80);

-- What of the line has not come yet.
ALTER TABLE statement_lines ADD COLUMN waiting bigint NOT NULL DEFAULT 0 CHECK (waiting >= 0);

-- Any credit of a wallet below zero pays those who wait, whoever posts it. The deadline's name is the transaction's own, so
-- whoever posts never waits for one that is being fired.
CREATE FUNCTION wake_debts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM debts WHERE debtor = NEW.owner AND currency = NEW.currency AND unpaid > 0) THEN
        INSERT INTO deadlines (kind, subject, due_at, payload)
        VALUES ('wallet.debt', NEW.owner::text || ' ' || NEW.currency || ' ' || pg_current_xact_id()::text, now(), '{}')
        ON CONFLICT (kind, subject) DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER accounts_raised AFTER UPDATE OF balance ON accounts
    FOR EACH ROW WHEN (OLD.balance < 0 AND NEW.balance > OLD.balance AND NEW.kind = 'wallet')
    EXECUTE FUNCTION wake_debts();
