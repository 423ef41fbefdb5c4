-- What is removed when it is old. Neither column of an order changes but by its end, so that a transition stays on its page.
CREATE INDEX orders_ended ON orders (market, requested_at) WHERE is_final;
CREATE INDEX series_occurrences_by_time ON series_occurrences (starts_at);
