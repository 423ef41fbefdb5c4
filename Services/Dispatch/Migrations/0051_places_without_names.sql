-- Places stay clear, so that dispatch can compute with them, and without the person (I14): an order has no name beside its
-- places. Names are read from `people`. The version that still runs writes them as before; the retention pass empties
-- them, and the columns go with a later version.
ALTER TABLE orders
    ALTER COLUMN customer_name DROP NOT NULL,
    -- That a provider and his or her name stand together.
    DROP CONSTRAINT orders_check;

-- The full name of the person who comes along with the provider.
CREATE TABLE order_companions (
    order_id uuid PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    name     text NOT NULL
);

-- The rows that the pass looks for.
CREATE INDEX orders_with_names ON orders (id)
    WHERE customer_name IS NOT NULL OR provider_name IS NOT NULL OR companion IS NOT NULL
        OR particulars #>> '{homeCare,relative,name}' <> '';

-- The columns that the view had, in their order, and the new one behind them: the version that still runs reads it.
CREATE OR REPLACE VIEW order_details AS
SELECT orders.id, orders.market, orders.kind, orders.version, orders.state, orders.customer,
       coalesce(customer_person.name, orders.customer_name, '') AS customer_name,
       orders.provider,
       CASE WHEN orders.provider IS NOT NULL THEN coalesce(provider_person.name, orders.provider_name)
       END AS provider_name,
       orders.services, orders.total, orders.currency, orders.payment_method,
       orders.payment_state, orders.payment_version, orders.confirmed_by, orders.deadline, orders.changed_by,
       orders.reason, coalesce(companion.name, orders.companion) AS companion, orders.is_near, orders.latitude,
       orders.longitude, orders.description, orders.requested_at, orders.changed_at, orders.is_final,
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
       END AS recipient_sees,
       recipient.name AS recipient_name
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
    AND NOT provider_roles.sells
LEFT JOIN people AS provider_person ON provider_person.account = orders.provider
LEFT JOIN people AS customer_person ON customer_person.account = orders.customer
LEFT JOIN people AS recipient
    ON recipient.account = (orders.particulars #>> '{homeCare,relative,account}')::uuid
LEFT JOIN order_companions AS companion ON companion.order_id = orders.id;
