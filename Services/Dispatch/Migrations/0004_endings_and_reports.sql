-- How orders end, and what their parties report.
ALTER TABLE orders
    ADD COLUMN arrived_at    timestamptz,
    -- The report that an admin is to decide about, or has decided about.
    ADD COLUMN report        uuid,
    ADD COLUMN ended_by      text,
    ADD COLUMN ended_at      timestamptz,
    -- What the customer pays beside the price, in minor units, for how many metres.
    ADD COLUMN fine          bigint CHECK (fine >= 0),
    ADD COLUMN fine_metres   bigint CHECK (fine_metres >= 0),
    ADD COLUMN decision      text CHECK (decision IN ('payProvider', 'returnToCustomer', 'split')),
    -- Minor units of the price that go back by the decision.
    ADD COLUMN to_customer   bigint CHECK (to_customer >= 0),
    ADD COLUMN decision_note text;

-- Nothing changes between the arrival and the first word that the work is done.
UPDATE orders SET arrived_at = changed_at WHERE state = 'arrived' AND confirmed_by = '{}';

-- A party's word to the market's admins about an order: a report that ended the work, or a complaint beside it.
CREATE TABLE reports (
    id          uuid PRIMARY KEY,
    order_id    uuid NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    made_by     text NOT NULL CHECK (made_by IN ('customer', 'provider')),
    -- One of the market's; other is the note alone.
    reason      text NOT NULL,
    note        text,
    cancels     boolean NOT NULL,
    at          timestamptz NOT NULL,
    answer      text,
    answered_at timestamptz
);
CREATE INDEX reports_of_order ON reports (order_id, id);

-- The columns that the view had, in their order, and the new ones behind them: the version that still runs reads it.
CREATE OR REPLACE VIEW order_details AS
SELECT orders.id, orders.market, orders.kind, orders.version, orders.state, orders.customer, orders.customer_name,
       orders.provider, orders.provider_name, orders.services, orders.total, orders.currency, orders.payment_method,
       orders.payment_state, orders.payment_version, orders.confirmed_by, orders.deadline, orders.changed_by,
       orders.reason, orders.companion, orders.is_near, orders.latitude, orders.longitude, orders.description,
       orders.requested_at, orders.changed_at, orders.is_final,
       coalesce(customer_sums.stars, 0) AS customer_stars, coalesce(customer_sums.count, 0) AS customer_count,
       coalesce(provider_sums.stars, 0) AS provider_stars, coalesce(provider_sums.count, 0) AS provider_count,
       by_customer.stars AS by_customer_stars, by_customer.service_stars AS by_customer_service_stars,
       by_customer.comment AS by_customer_comment, by_customer.given_at AS by_customer_at,
       by_provider.stars AS by_provider_stars, by_provider.comment AS by_provider_comment,
       by_provider.given_at AS by_provider_at,
       coalesce(provider_roles.verified, false) AS is_provider_verified,
       orders.arrived_at, orders.report, orders.ended_by, orders.ended_at, orders.fine, orders.fine_metres,
       orders.decision, orders.to_customer, orders.decision_note
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
