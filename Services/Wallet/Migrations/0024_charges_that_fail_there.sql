-- How often the payment provider has answered a charge's key with a fault of its own, which it keeps as it keeps any answer,
-- and how many keys have been left for it.
ALTER TABLE charges
    ADD COLUMN faults integer NOT NULL DEFAULT 0,
    ADD COLUMN key_number integer NOT NULL DEFAULT 0;
