-- How an odometer goes on: where it began, the places that it has counted, and what is left of its one error allowance.
-- Rows of the version before have none of it, and go on from their place.
ALTER TABLE order_odometers ADD COLUMN walk jsonb;

-- Since when a provider's phone has told about the same place: one place alone moves no money.
ALTER TABLE provider_positions
    ADD COLUMN stay_latitude  double precision,
    ADD COLUMN stay_longitude double precision,
    ADD COLUMN stay_at        timestamptz;

-- Whom the customer has said to be with, and when.
ALTER TABLE orders ADD COLUMN met_provider uuid, ADD COLUMN met_at timestamptz;
