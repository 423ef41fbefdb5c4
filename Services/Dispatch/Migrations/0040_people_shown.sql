-- The name of a person's picture at identity (I6).
ALTER TABLE people ADD COLUMN avatar text;

-- Whether one may see the other's orders in a market, by a link (I9).
CREATE FUNCTION sees_orders(reader uuid, other uuid, in_market text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM links
        WHERE links.market = in_market AND NOT is_removed AND 'see' = ANY (scopes)
            AND (from_account = reader AND to_account = other OR from_account = other AND to_account = reader))
$$;

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
       orders.shares, orders.particulars, orders.search_end,
       orders.merchant, by_merchant.stars AS by_merchant_stars, by_merchant.comment AS by_merchant_comment,
       by_merchant.given_at AS by_merchant_at, provider_roles.vehicle AS provider_vehicle,
       provider_roles.title AS provider_title, provider_person.gender AS provider_gender,
       provider_person.avatar AS provider_avatar,
       -- Asked for visits of a relative alone.
       CASE WHEN orders.particulars #>> '{homeCare,relative,account}' IS NOT NULL THEN sees_orders(
           (orders.particulars #>> '{homeCare,relative,account}')::uuid, orders.customer, orders.market)
       END AS recipient_sees
FROM orders
LEFT JOIN rating_sums AS customer_sums
    ON customer_sums.market = orders.market AND customer_sums.account = orders.customer
    AND customer_sums.role = 'customer'
LEFT JOIN rating_sums AS provider_sums
    ON provider_sums.market = orders.market AND provider_sums.account = orders.provider
    AND provider_sums.role = 'provider'
LEFT JOIN ratings AS by_customer ON by_customer.order_id = orders.id AND by_customer.given_by = 'customer'
LEFT JOIN ratings AS by_provider ON by_provider.order_id = orders.id AND by_provider.given_by = 'provider'
LEFT JOIN ratings AS by_merchant ON by_merchant.order_id = orders.id AND by_merchant.given_by = 'merchant'
LEFT JOIN provider_roles ON provider_roles.market = orders.market AND provider_roles.account = orders.provider
LEFT JOIN people AS provider_person ON provider_person.account = orders.provider;

-- The few reported orders, which lists put among the ended ones.
CREATE INDEX orders_reported_of_customer ON orders (customer, id) WHERE state = 'disputed';
CREATE INDEX orders_reported_of_provider ON orders (provider, id) WHERE state = 'disputed';
CREATE INDEX orders_reported_of_merchant ON orders (merchant, id) WHERE state = 'disputed';
