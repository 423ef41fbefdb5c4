-- Outside a transaction: the tables may be large, and nobody waits for their indexes.
DROP INDEX CONCURRENTLY IF EXISTS debts_of_market;
CREATE INDEX CONCURRENTLY debts_of_market ON debts (market, currency) WHERE unpaid > 0;
-- A number is stored once for an account.
DROP INDEX CONCURRENTLY IF EXISTS cards_of_number;
CREATE UNIQUE INDEX CONCURRENTLY cards_of_number ON cards (account, fingerprint) WHERE fingerprint IS NOT NULL;
