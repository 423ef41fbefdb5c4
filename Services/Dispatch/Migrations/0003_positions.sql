-- Where each provider was last. Written in batches, some times a second; the newest wins. Two processes that write the
-- same provider take turns by the row's lock.
CREATE TABLE provider_positions (
    provider  uuid PRIMARY KEY,
    latitude  double precision NOT NULL CHECK (latitude BETWEEN -90 AND 90),
    longitude double precision NOT NULL CHECK (longitude BETWEEN -180 AND 180),
    -- When the phone measured it.
    at        timestamptz NOT NULL
) WITH (fillfactor = 60);

-- How far the provider of an order has gone since accepting it; what a late cancellation costs follows from it.
CREATE TABLE order_odometers (
    order_id  uuid PRIMARY KEY,
    metres    double precision NOT NULL CHECK (metres >= 0),
    -- From where the next step counts.
    latitude  double precision NOT NULL,
    longitude double precision NOT NULL,
    at        timestamptz NOT NULL,
    -- When the customer was told that the provider is near; once.
    nearby_at timestamptz
) WITH (fillfactor = 60);
