-- Charges whose money was taken back at the payment provider: by the card's owner at the bank, or in its dashboard.
CREATE TABLE disputes (
    id              uuid PRIMARY KEY,
    -- The payment provider's id of a dispute; of a refund, the charge's there and what was given back of it by then.
    reference       text NOT NULL UNIQUE,
    kind            text NOT NULL CHECK (kind IN ('dispute', 'refund')),
    state           text NOT NULL,
    charge          uuid NOT NULL,
    account         uuid NOT NULL,
    market          text NOT NULL,
    order_id        uuid,
    currency        text NOT NULL,
    amount          bigint NOT NULL CHECK (amount > 0),
    payer           text NOT NULL CHECK (payer IN ('wallet', 'platform')),
    is_debited      boolean NOT NULL,
    is_freezing     boolean NOT NULL,
    reason          text,
    made_at         timestamptz NOT NULL,
    changed_at      timestamptz NOT NULL,
    unfrozen_by     uuid,
    unfrozen_at     timestamptz,
    unfreeze_reason text
) WITH (fillfactor = 80);
CREATE INDEX disputes_of_market ON disputes (market, made_at, id);
CREATE INDEX disputes_of_charge ON disputes (charge);
CREATE INDEX disputes_of_account ON disputes (account);
-- Looked for with everything that is paid from a wallet.
CREATE INDEX disputes_that_freeze ON disputes (account) WHERE is_freezing;
-- What an account has topped up today.
CREATE INDEX top_ups_of_account_by_time ON top_ups (account, made_at);
