-- When a row was first written: what is missing among those that its owner tells again goes, unless it is newer than that.
ALTER TABLE people ADD COLUMN heard_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE orders ADD COLUMN heard_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE ratings ADD COLUMN heard_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE payments ADD COLUMN heard_at timestamptz NOT NULL DEFAULT now();
