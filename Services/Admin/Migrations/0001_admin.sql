-- What admins chose, what they did, and what the other services' events tell of people, orders and money.

-- Each change of a setting locks its market's row, so that the version grows in the order of the commits.
CREATE TABLE markets (
    market  text PRIMARY KEY,
    version bigint NOT NULL
);

CREATE TABLE settings (
    market     text NOT NULL,
    key        text NOT NULL,
    value      text NOT NULL,
    -- The market's version when it was changed.
    version    bigint NOT NULL,
    changed_by uuid NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (market, key)
);

-- Of other services' acts the id is the message's, so that one that comes again is the same row.
CREATE TABLE audit (
    id          uuid PRIMARY KEY,
    at          timestamptz NOT NULL,
    market      text NOT NULL,
    service     text NOT NULL,
    action      text NOT NULL,
    account     uuid NOT NULL,
    subject     text NOT NULL,
    before      jsonb,
    after       jsonb,
    recorded_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX audit_of_market ON audit (market, at DESC, id DESC);
CREATE INDEX audit_in_order ON audit (at DESC, id DESC);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log cannot be changed' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
-- Also in sessions that replicate.
ALTER TABLE audit ENABLE ALWAYS TRIGGER append_only;

CREATE TABLE people (
    account       uuid PRIMARY KEY,
    version       bigint NOT NULL,
    name          text NOT NULL,
    gender        text,
    language      text NOT NULL,
    registered_at timestamptz
);
CREATE INDEX people_registered ON people (registered_at);

-- A person once for each market that he or she has roles in. A market `*` is all of them.
CREATE TABLE people_of_markets (
    market  text NOT NULL,
    account uuid NOT NULL,
    name    text NOT NULL,
    -- The roles' names, for filters, and the roles themselves.
    names   text[] NOT NULL,
    roles   jsonb NOT NULL,
    PRIMARY KEY (market, account)
);
CREATE INDEX people_by_name ON people_of_markets (market, lower(name), account);
CREATE INDEX markets_of_people ON people_of_markets (account);

-- Events come in any order: payments, ratings and entries of the timeline may be here before their order.
CREATE TABLE orders (
    id           uuid PRIMARY KEY,
    market       text NOT NULL,
    version      bigint NOT NULL,
    state        text NOT NULL,
    customer     uuid NOT NULL,
    provider     uuid,
    requested_at timestamptz NOT NULL,
    accepted_at  timestamptz,
    ended_at     timestamptz,
    companion    text,
    snapshot     jsonb NOT NULL
);
CREATE INDEX orders_of_market ON orders (market, requested_at DESC, id DESC);
CREATE INDEX orders_in_state ON orders (market, state, requested_at DESC, id DESC);
CREATE INDEX orders_of_customer ON orders (customer, requested_at DESC, id DESC);
CREATE INDEX orders_of_provider ON orders (provider, requested_at DESC, id DESC);
CREATE INDEX orders_ended ON orders (market, ended_at);

CREATE TABLE order_events (
    order_id uuid NOT NULL,
    message  uuid NOT NULL,
    at       timestamptz NOT NULL,
    name     text NOT NULL,
    state    text,
    version  bigint,
    actor    text,
    reason   text,
    PRIMARY KEY (order_id, message)
);

CREATE TABLE ratings (
    order_id      uuid NOT NULL,
    actor         text NOT NULL,
    market        text NOT NULL,
    from_account  uuid NOT NULL,
    to_account    uuid NOT NULL,
    stars         integer NOT NULL,
    service_stars integer,
    comment       text,
    at            timestamptz NOT NULL,
    PRIMARY KEY (order_id, actor)
);
CREATE INDEX ratings_of_market ON ratings (market, at);

-- Amounts in minor units. Sums are computed from these rows, so that no repeat can count twice.
CREATE TABLE payments (
    order_id       uuid PRIMARY KEY,
    payment        uuid NOT NULL,
    market         text NOT NULL,
    version        bigint NOT NULL,
    state          text NOT NULL,
    method         text,
    amount         bigint NOT NULL,
    currency       text NOT NULL,
    provider_share bigint,
    platform_share bigint,
    held_at        timestamptz,
    captured_at    timestamptz,
    released_at    timestamptz
);
CREATE INDEX payments_captured ON payments (market, captured_at) WHERE captured_at IS NOT NULL;
CREATE INDEX payments_released ON payments (market, released_at) WHERE released_at IS NOT NULL;
CREATE INDEX payments_held ON payments (market) WHERE state = 'held';
