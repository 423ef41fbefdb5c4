-- A late cancellation puts the price into the wallet, also of what was paid by card. Which states there are is the
-- program's to say.
ALTER TABLE payments DROP CONSTRAINT payments_state_check;
DROP INDEX payments_in_escrow;
CREATE INDEX payments_in_escrow ON payments (customer)
    WHERE state IN ('held', 'frozen', 'capturing', 'releasing', 'crediting');
