CREATE TABLE subscription_plans (
    id       uuid PRIMARY KEY,
    market   text NOT NULL,
    currency text NOT NULL,
    period   text NOT NULL CHECK (period IN ('monthly', 'yearly')),
    name     jsonb NOT NULL,
    brief    jsonb NOT NULL,
    price    bigint NOT NULL CHECK (price > 0),
    ended_at timestamptz,
    made_at  timestamptz NOT NULL
);
CREATE INDEX subscription_plans_of_market ON subscription_plans (market, id);

-- One for each provider of a market.
CREATE TABLE subscriptions (
    id         uuid PRIMARY KEY,
    account    uuid NOT NULL,
    market     text NOT NULL,
    currency   text NOT NULL,
    state      text NOT NULL CHECK (state IN ('none', 'active', 'expired')),
    ends_at    timestamptz,
    -- The last paid period, and the one that the payment provider is asked about.
    period     uuid,
    pending    uuid,
    renews     boolean NOT NULL,
    method     text NOT NULL CHECK (method IN ('wallet', 'card')),
    card       uuid,
    version    bigint NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (account, market)
) WITH (fillfactor = 80);
CREATE INDEX subscriptions_of_market ON subscriptions (market, ends_at, id) WHERE ends_at IS NOT NULL;

-- What was paid, or was to be.
CREATE TABLE subscription_periods (
    id           uuid PRIMARY KEY,
    subscription uuid NOT NULL,
    account      uuid NOT NULL,
    market       text NOT NULL,
    plan         uuid NOT NULL REFERENCES subscription_plans,
    plan_name    jsonb NOT NULL,
    length       text NOT NULL CHECK (length IN ('monthly', 'yearly')),
    currency     text NOT NULL,
    price        bigint NOT NULL CHECK (price > 0),
    method       text NOT NULL CHECK (method IN ('wallet', 'card')),
    is_renewal   boolean NOT NULL,
    state        text NOT NULL CHECK (state IN ('waiting', 'paid', 'refused')),
    reason       text,
    starts_at    timestamptz,
    ends_at      timestamptz,
    made_at      timestamptz NOT NULL,
    paid_at      timestamptz
);
CREATE INDEX subscription_periods_of_market ON subscription_periods (market, paid_at) WHERE state = 'paid';
CREATE INDEX subscription_periods_of_subscription ON subscription_periods (subscription, id);

-- What a charge can be for is the program's to say.
ALTER TABLE charges DROP CONSTRAINT IF EXISTS charges_purpose_check;
