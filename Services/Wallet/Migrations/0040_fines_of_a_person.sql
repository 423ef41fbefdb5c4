-- Outside a transaction: the table may be large, and nobody waits for its index.
DROP INDEX CONCURRENTLY IF EXISTS fines_of_account;
CREATE INDEX CONCURRENTLY fines_of_account ON fines (account, charged_at, order_id);
