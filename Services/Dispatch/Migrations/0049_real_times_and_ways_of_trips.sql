-- When the provider was there. `arrived_at` cannot say it: hires, early ends and late parcels count from it, so it moves
-- when the work begins.
ALTER TABLE orders
    ADD COLUMN reached_at timestamptz,
    -- The metres of the odometer when a meal or a bike was handed over: the way until then is no part of the trip. The
    -- odometer of a ride begins anew at its start.
    ADD COLUMN approach_metres double precision;
