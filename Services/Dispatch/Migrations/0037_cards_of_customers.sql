-- The customer's stored cards, as the wallet tells of them; null where an older wallet has only told whether there is one.
ALTER TABLE payment_methods ADD COLUMN cards jsonb;
