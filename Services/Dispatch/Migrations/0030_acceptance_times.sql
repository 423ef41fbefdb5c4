-- When the provider said yes: what phones measured before and tell later is no part of the way to this order. Nil for those that
-- were accepted before this column.
ALTER TABLE orders ADD COLUMN accepted_at timestamptz;
