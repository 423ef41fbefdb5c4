-- Outside a transaction: both tables may be large.
ALTER TABLE inbox_items VALIDATE CONSTRAINT inbox_items_notice_fkey;
-- Nobody gets a notice twice.
DROP INDEX CONCURRENTLY IF EXISTS inbox_items_notice;
CREATE UNIQUE INDEX CONCURRENTLY inbox_items_notice ON inbox_items (notice, account) WHERE notice IS NOT NULL;
-- The push messages of general notices, which may be a million, are taken after all others.
DROP INDEX CONCURRENTLY IF EXISTS deliveries_by_turn;
CREATE INDEX CONCURRENTLY deliveries_by_turn ON deliveries ((kind = 'general'), next_at, place)
    WHERE channel = 'push' AND state = 'waiting';
