-- What others were told of a promo code (C7): nothing as long as its version is 0. A code that the program of before has made
-- or ended is told by a pass.
ALTER TABLE promo_codes
    ADD COLUMN version      bigint NOT NULL DEFAULT 0,
    ADD COLUMN told_ended   boolean NOT NULL DEFAULT false,
    ADD COLUMN told_used_up boolean NOT NULL DEFAULT false;

ALTER TABLE payments
    -- The code of its promo_use.
    ADD COLUMN promo_code uuid,
    -- The code with which the order was quoted, and what its customer was told to pay less, in minor units.
    ADD COLUMN promised_code text,
    ADD COLUMN promised_discount bigint CHECK (promised_discount > 0);
