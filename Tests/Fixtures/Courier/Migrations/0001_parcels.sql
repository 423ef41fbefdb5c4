CREATE TABLE sent (parcel uuid PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp());

-- No key: an effect that happens twice must show.
CREATE TABLE received (parcel uuid NOT NULL);
CREATE TABLE overdue (parcel uuid NOT NULL);
