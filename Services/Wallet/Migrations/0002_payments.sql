CREATE TABLE payments (
    id                      uuid PRIMARY KEY,
    order_id                uuid NOT NULL UNIQUE,
    market                  text NOT NULL,
    customer                uuid NOT NULL,
    customer_name           text NOT NULL,
    provider                uuid,
    provider_name           text,
    title                   jsonb NOT NULL,
    currency                text NOT NULL,
    amount                  bigint NOT NULL CHECK (amount >= 0),
    commission_basis_points integer NOT NULL CHECK (commission_basis_points BETWEEN 0 AND 10000),
    -- The newest snapshot heard; older ones are passed over.
    order_version           bigint NOT NULL,
    order_state             text NOT NULL,
    state                   text NOT NULL CHECK (state IN
        ('due', 'authorising', 'held', 'capturing', 'captured', 'releasing', 'released', 'closed')),
    method                  text CHECK (method IN ('card', 'wallet', 'cash')),
    charge                  uuid,
    refusal                 text,
    version                 bigint NOT NULL,
    made_at                 timestamptz NOT NULL DEFAULT now(),
    changed_at              timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 80);
-- What is held: of a customer, and for the check of escrow.
CREATE INDEX payments_in_escrow ON payments (customer) WHERE state IN ('held', 'capturing', 'releasing');

CREATE TABLE top_ups (
    id         uuid PRIMARY KEY,
    account    uuid NOT NULL,
    market     text NOT NULL,
    currency   text NOT NULL,
    amount     bigint NOT NULL CHECK (amount > 0),
    holder     text NOT NULL,
    state      text NOT NULL CHECK (state IN ('waiting', 'completed', 'refused')),
    reason     text,
    made_at    timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now()
);

-- One payment intent at the payment provider each.
CREATE TABLE charges (
    id            uuid PRIMARY KEY,
    purpose       text NOT NULL CHECK (purpose IN ('payment', 'topUp')),
    subject       uuid NOT NULL,
    amount        bigint NOT NULL CHECK (amount > 0),
    currency      text NOT NULL,
    card          text NOT NULL,
    -- What the payment provider gave for the CVV; removed once it is used.
    cvv_reference text,
    state         text NOT NULL CHECK (state IN ('asked', 'authorised', 'captured', 'cancelled', 'declined', 'lapsed')),
    goal          text NOT NULL CHECK (goal IN ('authorise', 'capture', 'cancel')),
    reference     text,
    reason        text,
    tries         integer NOT NULL DEFAULT 0,
    -- When a worker is to look at it; whoever takes it moves it on by the length of a lease. Null: nothing to do.
    due_at        timestamptz,
    made_at       timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX charges_due ON charges (due_at) WHERE due_at IS NOT NULL;

-- Webhooks that had their effect. Those that come again later than the signature's tolerance are refused anyway.
CREATE TABLE webhook_events (
    id          text PRIMARY KEY,
    received_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_events_age ON webhook_events (received_at);
CREATE INDEX charges_by_reference ON charges (reference) WHERE reference IS NOT NULL;
