-- When the last search for somebody would have ended by itself: what has come to nothing does not make it longer.
ALTER TABLE orders ADD COLUMN search_end timestamptz;

-- Orders for a relative, of whom nothing is kept once he or she is gone.
CREATE INDEX orders_for_relative ON orders ((particulars #>> '{homeCare,relative,account}'))
    WHERE particulars #>> '{homeCare,relative,account}' IS NOT NULL;

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
       orders.decision, orders.to_customer, orders.decision_note,
       orders.destination_latitude, orders.destination_longitude, orders.destination_description,
       orders.scheduled_at, orders.proposed_at, orders.deposit, orders.deposit_state, orders.deposit_version,
       orders.shares, orders.particulars, orders.search_end
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
