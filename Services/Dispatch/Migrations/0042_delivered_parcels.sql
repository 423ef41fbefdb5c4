-- Outside a transaction: delivered parcels, for estimates of what a parcel costs and for what an owner has sent.
DROP INDEX CONCURRENTLY IF EXISTS orders_delivered_parcels;
CREATE INDEX CONCURRENTLY orders_delivered_parcels ON orders (market, changed_at)
WHERE kind = 'parcel' AND state = 'completed';
