-- The fine for its order's late cancellation, once an admin gives some of it back.
ALTER TABLE payments ADD COLUMN fined bigint NOT NULL DEFAULT 0;

-- Weaker than before, so no row needs to be looked at.
ALTER TABLE payments
    DROP CONSTRAINT payments_refunded_check,
    ADD CONSTRAINT payments_fined_check CHECK (fined >= 0) NOT VALID,
    ADD CONSTRAINT payments_refunded_check CHECK (
        refunded BETWEEN 0 AND greatest(coalesce(settled, 0) - discount, 0) + tipped + fined
        AND refunded_to_card BETWEEN 0 AND greatest(coalesce(settled, 0) - discount, 0)) NOT VALID;
