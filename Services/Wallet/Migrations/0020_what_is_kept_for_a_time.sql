-- Names and titles of old payments, and old lines of statements, are found without reading all. The ledger stays.
ALTER TABLE payments ADD COLUMN is_forgotten boolean NOT NULL DEFAULT false;
CREATE INDEX payments_to_forget ON payments (market, made_at) WHERE NOT is_forgotten;
CREATE INDEX statement_lines_of_market ON statement_lines (market, at);
