-- Orders of all markets. The row is what transactions lock before they change an order, and before its provider's.
CREATE TABLE orders (
    id              uuid PRIMARY KEY,
    market          text NOT NULL,
    -- The workflow.
    kind            text NOT NULL,
    version         bigint NOT NULL CHECK (version > 0),
    state           text NOT NULL,
    customer        uuid NOT NULL,
    -- Names and services as they were when it was ordered.
    customer_name   text NOT NULL,
    provider        uuid NOT NULL,
    provider_name   text NOT NULL,
    services        jsonb NOT NULL,
    -- Minor units.
    total           bigint NOT NULL CHECK (total >= 0),
    currency        text NOT NULL,
    payment_method  text,
    payment_state   text NOT NULL,
    -- Of the newest news of the wallet that counted.
    payment_version bigint NOT NULL,
    confirmed_by    text[] NOT NULL,
    -- When the present wait ends by itself. What fires is the row in deadlines.
    deadline        timestamptz,
    changed_by      text NOT NULL,
    reason          text,
    companion       text,
    is_near         boolean NOT NULL,
    latitude        double precision NOT NULL,
    longitude       double precision NOT NULL,
    description     text,
    requested_at    timestamptz NOT NULL,
    changed_at      timestamptz NOT NULL,
    is_final        boolean NOT NULL GENERATED ALWAYS AS
        (state IN ('completed', 'cancelled', 'refused', 'expired')) STORED
) WITH (fillfactor = 70);

-- Ids are ordered by time. The state itself is in no index, so that a transition stays on its page.
CREATE INDEX orders_of_customer ON orders (customer, is_final, id);
CREATE INDEX orders_of_provider ON orders (provider, is_final, id);

-- What the parties of a completed order say of each other.
CREATE TABLE ratings (
    order_id      uuid NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    given_by      text NOT NULL CHECK (given_by IN ('customer', 'provider')),
    stars         smallint NOT NULL CHECK (stars BETWEEN 1 AND 5),
    service_stars smallint CHECK (service_stars BETWEEN 1 AND 5),
    comment       text,
    given_at      timestamptz NOT NULL,
    PRIMARY KEY (order_id, given_by)
);

-- An order with all that its readers are shown.
CREATE VIEW order_details AS
SELECT orders.*,
       coalesce(customer_sums.stars, 0) AS customer_stars, coalesce(customer_sums.count, 0) AS customer_count,
       coalesce(provider_sums.stars, 0) AS provider_stars, coalesce(provider_sums.count, 0) AS provider_count,
       by_customer.stars AS by_customer_stars, by_customer.service_stars AS by_customer_service_stars,
       by_customer.comment AS by_customer_comment, by_customer.given_at AS by_customer_at,
       by_provider.stars AS by_provider_stars, by_provider.comment AS by_provider_comment,
       by_provider.given_at AS by_provider_at,
       coalesce(provider_roles.verified, false) AS is_provider_verified
FROM orders
LEFT JOIN rating_sums AS customer_sums
    ON customer_sums.market = orders.market AND customer_sums.account = orders.customer
    AND customer_sums.role = 'customer'
LEFT JOIN rating_sums AS provider_sums
    ON provider_sums.market = orders.market AND provider_sums.account = orders.provider
    AND provider_sums.role = 'provider'
LEFT JOIN ratings AS by_customer ON by_customer.order_id = orders.id AND by_customer.given_by = 'customer'
LEFT JOIN ratings AS by_provider ON by_provider.order_id = orders.id AND by_provider.given_by = 'provider'
LEFT JOIN provider_roles ON provider_roles.market = orders.market AND provider_roles.account = orders.provider;
