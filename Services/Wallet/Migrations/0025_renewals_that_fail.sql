-- Whether the owner of a paid period was told that it could not be renewed, which is told once.
ALTER TABLE subscription_periods ADD COLUMN is_failure_told boolean NOT NULL DEFAULT false;
