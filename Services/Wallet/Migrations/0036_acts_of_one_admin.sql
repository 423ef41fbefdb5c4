-- Outside a transaction: the tables may be large, and nobody waits for their indexes.
-- What one admin has accepted and refunded within a day.
DROP INDEX CONCURRENTLY IF EXISTS cash_outs_of_admin;
CREATE INDEX CONCURRENTLY cash_outs_of_admin ON cash_outs (decided_by, decided_at) WHERE decided_by IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS refunds_of_admin;
CREATE INDEX CONCURRENTLY refunds_of_admin ON refunds (by, at) WHERE by IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS approvals_of_subject;
CREATE INDEX CONCURRENTLY approvals_of_subject ON approvals (subject) WHERE state = 'approved';
