-- What is open of an account, and what names it, are found without reading all.
CREATE INDEX payments_of_customer ON payments (customer);
CREATE INDEX payments_of_provider ON payments (provider) WHERE provider IS NOT NULL;
CREATE INDEX top_ups_of_account ON top_ups (account);
CREATE INDEX statement_lines_of_order ON statement_lines (order_id) WHERE order_id IS NOT NULL;
