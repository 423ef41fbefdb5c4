-- What one admin has begun and another one has to approve. A refund and a promo code are only a wish until then.
CREATE TABLE approvals (
    id         uuid PRIMARY KEY,
    market     text NOT NULL,
    kind       text NOT NULL,
    -- The cash-out, the order of the refund, or the promo code.
    subject    uuid NOT NULL,
    currency   text NOT NULL,
    amount     bigint NOT NULL CHECK (amount > 0),
    -- What is done once it is approved; null of a cash-out, which has a row of its own.
    wish       jsonb,
    begun_by   uuid NOT NULL,
    begun_at   timestamptz NOT NULL,
    state      text NOT NULL,
    decided_by uuid,
    decided_at timestamptz,
    reason     text,
    -- Whatever the program does, nobody approves what he began.
    CHECK (state <> 'approved' OR decided_by <> begun_by)
);
CREATE INDEX approvals_of_market ON approvals (market, state, begun_at, id);
CREATE UNIQUE INDEX approvals_of_cash_out ON approvals (subject) WHERE kind = 'cashOut' AND state = 'waiting';
-- What the platform gave back to one customer in a day.
CREATE INDEX refunds_of_customer ON refunds (customer, at) WHERE funder = 'platform';

-- Whether the customer sets the price; no promo code is good for such an order.
ALTER TABLE payments ADD COLUMN customer_priced boolean NOT NULL DEFAULT false;

-- Every promo code has a maximum, a limit and a limit for each account. One without them is over; the pass tells of it.
UPDATE promo_codes SET ended_at = now()
WHERE ended_at IS NULL
    AND (use_limit IS NULL OR limit_per_account IS NULL OR (basis_points IS NOT NULL AND maximum IS NULL));
