-- Outside a transaction: the tables may be large, and nobody waits for their indexes or while their rows are compared.
ALTER TABLE subscription_plans VALIDATE CONSTRAINT subscription_plans_period_form;
ALTER TABLE subscription_periods VALIDATE CONSTRAINT subscription_periods_length_form;
-- What waits is counted each half minute by every console that is open.
DROP INDEX CONCURRENTLY IF EXISTS disputes_to_follow;
CREATE INDEX CONCURRENTLY disputes_to_follow ON disputes (market) WHERE is_freezing OR state IN ('inquiry', 'open');
-- A day's payouts of all markets are few among its transfers.
DROP INDEX CONCURRENTLY IF EXISTS transfers_of_payouts;
CREATE INDEX CONCURRENTLY transfers_of_payouts ON transfers (at, subject) WHERE kind = 'payout';
-- A market's write-offs by time.
DROP INDEX CONCURRENTLY IF EXISTS write_offs_of_market;
CREATE INDEX CONCURRENTLY write_offs_of_market ON write_offs (market, at, id);
