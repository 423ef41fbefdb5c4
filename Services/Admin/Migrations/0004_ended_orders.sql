-- An order has no place among those that ended before it has. Each of its changes then writes one entry less.
DROP INDEX orders_ended;
CREATE INDEX orders_ended ON orders (market, ended_at) WHERE ended_at IS NOT NULL;
