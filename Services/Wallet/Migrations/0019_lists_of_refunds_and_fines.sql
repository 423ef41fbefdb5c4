-- A market's refunds and fines by time, and an order's deposits whatever became of them, are found without reading all.
CREATE INDEX refunds_of_market ON refunds (market, at, id);
CREATE INDEX fines_of_market ON fines (market, charged_at, order_id);
CREATE INDEX deposits_of_order ON deposits (order_id);
