-- Outside a transaction: the log is large. Each list of entries begins at one of these. Looks are many times more than acts
-- and are seldom asked for, so lists of acts have indexes of their own.
DROP INDEX CONCURRENTLY IF EXISTS audit_acts_of_market;
CREATE INDEX CONCURRENTLY audit_acts_of_market ON audit (market, at DESC, id DESC)
    WHERE action !~ '\.(viewed|exported)$';
DROP INDEX CONCURRENTLY IF EXISTS audit_acts;
CREATE INDEX CONCURRENTLY audit_acts ON audit (at DESC, id DESC) WHERE action !~ '\.(viewed|exported)$';
DROP INDEX CONCURRENTLY IF EXISTS audit_of_action;
CREATE INDEX CONCURRENTLY audit_of_action ON audit (action, at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS audit_by_account;
CREATE INDEX CONCURRENTLY audit_by_account ON audit (account, at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS audit_of_subject;
CREATE INDEX CONCURRENTLY audit_of_subject ON audit (subject, at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS audit_with_id;
CREATE INDEX CONCURRENTLY audit_with_id ON audit USING gin (audit_ids(subject, before, after));
DROP INDEX CONCURRENTLY IF EXISTS audit_with_word;
CREATE INDEX CONCURRENTLY audit_with_word ON audit USING gin (audit_words(action, subject, before, after));
