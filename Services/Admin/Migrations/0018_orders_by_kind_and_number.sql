-- Outside a transaction: the table may be large. Admins list the orders of a kind, and find one by the end of its number,
-- which is what they see of it.
DROP INDEX CONCURRENTLY IF EXISTS orders_of_kind;
CREATE INDEX CONCURRENTLY orders_of_kind ON orders (market, (snapshot ->> 'kind'), requested_at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS orders_by_number;
CREATE INDEX CONCURRENTLY orders_by_number ON orders ((right(id::text, 8)));
