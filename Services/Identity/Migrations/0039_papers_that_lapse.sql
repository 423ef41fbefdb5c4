-- The last day on which a paper holds, as the admin read it who verified it; and when it has lapsed. A lapsed one is kept as
-- one that was rejected, until another is uploaded.
ALTER TABLE documents
    ADD COLUMN expires_on date,
    ADD COLUMN lapsed_at  timestamptz;
CREATE INDEX documents_expiring ON documents (market, expires_on, id) WHERE state = 'verified' AND expires_on IS NOT NULL;
