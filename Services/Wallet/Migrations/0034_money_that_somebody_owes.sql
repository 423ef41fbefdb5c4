-- Of a refund that its funder may owe: what the funder did not have. Counted as the platform's until it is paid.
ALTER TABLE refunds ADD COLUMN overdrawn bigint NOT NULL DEFAULT 0;
CREATE INDEX refunds_that_are_owed ON refunds (customer, at) WHERE overdrawn > 0;

-- The payment provider's name of a bank account's number, by which the same number is known again; null of older rows.
ALTER TABLE bank_accounts ADD COLUMN fingerprint text;
