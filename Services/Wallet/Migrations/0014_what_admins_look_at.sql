-- A market's payments by time, one order's transfers with both their sides, and a day's transfers, are found without
-- reading all. Ids are in the order of time, so these grow at one end; the days need no more than blocks' ranges.
CREATE INDEX payments_of_market ON payments (market, made_at, id);
CREATE INDEX transfers_of_subject ON transfers (subject);
CREATE INDEX transfers_by_time ON transfers USING brin (at);
