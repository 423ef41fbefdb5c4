-- What couriers hold (O9): meals of one restaurant, several at a time, as long as none of them has left it. Written under
-- the lock of the provider's row alone. Who has any holds one of them as providers.current_order, so whoever looks there
-- for who is free finds that he is not.
CREATE TABLE courier_trips (
    order_id    uuid PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    provider    uuid NOT NULL REFERENCES providers (account) ON DELETE CASCADE,
    restaurant  uuid NOT NULL,
    -- In the courier's hands.
    handed_over boolean NOT NULL DEFAULT false,
    joined_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX courier_trips_of_provider ON courier_trips (provider);

INSERT INTO courier_trips (order_id, provider, restaurant, handed_over)
SELECT orders.id, providers.account, (orders.particulars #>> '{food,restaurant}')::uuid, orders.state = 'inProgress'
FROM providers JOIN orders ON orders.id = providers.current_order
WHERE orders.kind = 'food';

-- A courier may think about several orders of one restaurant at once; about anything else one at a time.
ALTER TABLE offers ADD COLUMN restaurant uuid;
UPDATE offers SET restaurant = trip.restaurant FROM courier_trips AS trip
WHERE trip.order_id = offers.order_id AND offers.outcome IS NULL;
DROP INDEX offers_open_of_provider;
CREATE UNIQUE INDEX offers_open_of_provider ON offers (provider) WHERE outcome IS NULL AND restaurant IS NULL;
