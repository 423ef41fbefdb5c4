-- The key under which a payout is asked for lives for a day from its first use; one under which nothing happened is
-- followed by another.
ALTER TABLE cash_outs
    ADD COLUMN key_number integer NOT NULL DEFAULT 0,
    ADD COLUMN asked_at timestamptz,
    -- How often it was looked for in vain, and when last.
    ADD COLUMN misses integer NOT NULL DEFAULT 0,
    ADD COLUMN missed_at timestamptz;
UPDATE cash_outs SET asked_at = coalesce(decided_at, made_at) WHERE state = 'paying' AND tries > 0;
-- Those that were given up are looked for.
UPDATE cash_outs SET due_at = now() WHERE state = 'paying' AND due_at IS NULL;
