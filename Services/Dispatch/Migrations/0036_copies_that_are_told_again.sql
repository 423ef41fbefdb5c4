-- When a copy of another service's row was first written, or of a link last: what is missing among those that its owner tells
-- again goes, unless it is newer than that.
ALTER TABLE people ADD COLUMN heard_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE links ADD COLUMN heard_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE blocks ADD COLUMN heard_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE payment_methods ADD COLUMN heard_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE provider_subscriptions ADD COLUMN heard_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE promo_codes ADD COLUMN heard_at timestamptz NOT NULL DEFAULT now();
