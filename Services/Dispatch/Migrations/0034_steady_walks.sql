-- How an odometer goes on: where it began, the places that it has counted, and what is left of its one error allowance.
-- Rows of the version before have none of it, and go on from their place.
ALTER TABLE order_odometers ADD COLUMN walk jsonb;

-- Since when, by our clock, a provider's phone has told about the same place: one place alone moves no money. And where it is when
-- the trembling of its measurements is taken out.
ALTER TABLE provider_positions
    ADD COLUMN stay_latitude    double precision,
    ADD COLUMN stay_longitude   double precision,
    ADD COLUMN stay_at          timestamptz,
    ADD COLUMN told_at          timestamptz,
    ADD COLUMN steady_latitude  double precision,
    ADD COLUMN steady_longitude double precision;

-- Whom the customer has said to be with, and when.
ALTER TABLE orders ADD COLUMN met_provider uuid, ADD COLUMN met_at timestamptz;
