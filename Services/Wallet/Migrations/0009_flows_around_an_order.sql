-- A payment may be frozen by a report, cost less than was held, be divided among several, tipped and given back.
ALTER TABLE payments
    DROP CONSTRAINT payments_state_check,
    ADD CONSTRAINT payments_state_check CHECK (state IN
        ('requested', 'due', 'authorising', 'held', 'frozen', 'capturing', 'captured', 'releasing', 'released',
         'closed')),
    ADD COLUMN merchant_commission_basis_points integer NOT NULL DEFAULT 0
        CHECK (merchant_commission_basis_points BETWEEN 0 AND 10000),
    -- Who is paid, where there are several, and the total that they are of.
    ADD COLUMN payees jsonb NOT NULL DEFAULT '[]',
    ADD COLUMN total bigint,
    -- What the order cost in the end.
    ADD COLUMN settled bigint,
    ADD COLUMN tipped bigint NOT NULL DEFAULT 0,
    ADD COLUMN refunded bigint NOT NULL DEFAULT 0,
    ADD COLUMN refunded_to_card bigint NOT NULL DEFAULT 0;
UPDATE payments SET settled = amount WHERE state IN ('capturing', 'captured');
ALTER TABLE payments
    ADD CONSTRAINT payments_settled_check CHECK (settled BETWEEN 0 AND amount),
    -- Whatever the program does, no more goes back than was taken.
    ADD CONSTRAINT payments_refunded_check CHECK (
        refunded BETWEEN 0 AND coalesce(settled, 0) + tipped AND refunded_to_card BETWEEN 0 AND coalesce(settled, 0));
DROP INDEX payments_in_escrow;
CREATE INDEX payments_in_escrow ON payments (customer) WHERE state IN ('held', 'frozen', 'capturing', 'releasing');

-- What admins have decided about the money of reported orders; the first decision counts, also before the report is heard.
CREATE TABLE report_decisions (
    order_id    uuid PRIMARY KEY,
    report      uuid NOT NULL,
    market      text NOT NULL,
    decision    text NOT NULL,
    currency    text,
    to_customer bigint,
    deposit     text NOT NULL,
    reason      text NOT NULL,
    by          uuid NOT NULL,
    at          timestamptz NOT NULL
);

CREATE TABLE refunds (
    id             uuid PRIMARY KEY,
    order_id       uuid NOT NULL,
    market         text NOT NULL,
    customer       uuid NOT NULL,
    currency       text NOT NULL,
    amount         bigint NOT NULL CHECK (amount > 0),
    destination    text NOT NULL CHECK (destination IN ('wallet', 'card')),
    funder         text NOT NULL CHECK (funder IN ('platform', 'provider', 'merchant', 'hold')),
    funder_account uuid,
    reason         text NOT NULL,
    by             uuid,
    state          text NOT NULL CHECK (state IN ('asked', 'made')),
    at             timestamptz NOT NULL,
    changed_at     timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 80);
CREATE INDEX refunds_of_order ON refunds (order_id, id);
-- What waits for the payment provider, for the check of the ledger.
CREATE INDEX refunds_asked ON refunds (id) WHERE state = 'asked';
ALTER TABLE charges
    DROP CONSTRAINT charges_purpose_check,
    ADD CONSTRAINT charges_purpose_check CHECK (purpose IN ('payment', 'topUp', 'refund'));

CREATE TABLE tips (
    order_id uuid PRIMARY KEY,
    customer uuid NOT NULL,
    provider uuid NOT NULL,
    currency text NOT NULL,
    amount   bigint NOT NULL CHECK (amount > 0),
    at       timestamptz NOT NULL
);

CREATE TABLE deposits (
    id            uuid PRIMARY KEY,
    order_id      uuid NOT NULL,
    market        text NOT NULL,
    provider      uuid NOT NULL,
    provider_name text NOT NULL,
    customer      uuid NOT NULL,
    customer_name text NOT NULL,
    currency      text NOT NULL,
    amount        bigint NOT NULL CHECK (amount > 0),
    order_version bigint NOT NULL,
    state         text NOT NULL CHECK (state IN ('locked', 'refused', 'returned', 'forfeited')),
    made_at       timestamptz NOT NULL DEFAULT now(),
    changed_at    timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX deposits_locked ON deposits (order_id) WHERE state = 'locked';
CREATE INDEX deposits_of_provider ON deposits (provider);
CREATE INDEX deposits_of_customer ON deposits (customer);

CREATE TABLE fines (
    order_id    uuid PRIMARY KEY,
    market      text NOT NULL,
    account     uuid NOT NULL,
    currency    text NOT NULL,
    amount      bigint NOT NULL CHECK (amount > 0),
    provider    uuid,
    to_provider bigint NOT NULL,
    to_platform bigint NOT NULL,
    charged_at  timestamptz NOT NULL,
    due_at      timestamptz NOT NULL,
    reminded_at timestamptz,
    paid_at     timestamptz,
    CHECK (to_provider + to_platform = amount)
) WITH (fillfactor = 80);
CREATE INDEX fines_unpaid ON fines (account, currency, order_id) WHERE paid_at IS NULL;

-- Accounts that pay nothing new in a market until what they owe is paid.
CREATE TABLE blocks (
    account    uuid NOT NULL,
    market     text NOT NULL,
    currency   text NOT NULL,
    is_blocked boolean NOT NULL,
    version    bigint NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account, market)
);

-- Any credit may pay a fine, whoever posts it: a wallet that comes back to zero wakes the deadline that looks. It is a kind
-- of its own, which only those who hold the account's lock write; so nobody waits for it who holds another row.
CREATE FUNCTION wake_fines() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM fines WHERE account = NEW.owner AND currency = NEW.currency AND paid_at IS NULL) THEN
        INSERT INTO deadlines (kind, subject, due_at, payload)
        VALUES ('wallet.fine-paid', NEW.owner::text || ' ' || NEW.currency, now(), '{}')
        ON CONFLICT (kind, subject) DO UPDATE SET due_at = excluded.due_at, attempts = 0;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER accounts_paid_up AFTER UPDATE OF balance ON accounts
    FOR EACH ROW WHEN (OLD.balance < 0 AND NEW.balance >= 0 AND NEW.kind = 'wallet') EXECUTE FUNCTION wake_fines();
