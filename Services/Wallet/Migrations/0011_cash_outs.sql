-- Bank accounts as the payment provider knows them. No number: the last four characters are what its owner recognizes.
CREATE TABLE bank_accounts (
    id        uuid PRIMARY KEY,
    account   uuid NOT NULL,
    reference text NOT NULL,
    holder    text NOT NULL,
    bank_name text NOT NULL,
    country   text NOT NULL,
    last_four text NOT NULL CHECK (length(last_four) = 4),
    added_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX bank_accounts_of_account ON bank_accounts (account, id);

CREATE TABLE cash_outs (
    id               uuid PRIMARY KEY,
    account          uuid NOT NULL,
    market           text NOT NULL,
    currency         text NOT NULL,
    amount           bigint NOT NULL CHECK (amount > 0),
    destination_kind text NOT NULL CHECK (destination_kind IN ('bankAccount', 'card')),
    destination      text NOT NULL,
    holder           text NOT NULL,
    bank_name        text,
    country          text,
    last_four        text NOT NULL,
    state            text NOT NULL CHECK (state IN ('waiting', 'paying', 'paid', 'failed', 'rejected')),
    reason           text,
    decided_by       uuid,
    decided_at       timestamptz,
    -- The payment provider's id of the payout.
    reference        text,
    tries            integer NOT NULL DEFAULT 0,
    -- When a worker is to look at it; whoever takes it moves it on by the length of a lease. Null: nothing to do.
    due_at           timestamptz,
    made_at          timestamptz NOT NULL,
    changed_at       timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 80);
CREATE INDEX cash_outs_due ON cash_outs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX cash_outs_of_account ON cash_outs (account, made_at, id);
CREATE INDEX cash_outs_of_market ON cash_outs (market, made_at, id);
CREATE INDEX cash_outs_open ON cash_outs (market, state, made_at, id) WHERE state IN ('waiting', 'paying');
-- A card is not taken from the payment provider while money is to go to it.
CREATE INDEX cash_outs_open_to_destination ON cash_outs (destination) WHERE state IN ('waiting', 'paying');
