-- How often the payment provider has answered a payout's key with a fault of its own, which it keeps as it keeps any answer.
ALTER TABLE cash_outs ADD COLUMN faults integer NOT NULL DEFAULT 0;
