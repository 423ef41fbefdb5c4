-- When others were first told that a payment is held, captured or released. Null of what was told before this was kept.
ALTER TABLE payments
    ADD COLUMN held_at     timestamptz,
    ADD COLUMN captured_at timestamptz,
    ADD COLUMN released_at timestamptz;
