-- Parcels whose carrier lets the owner follow the way. A row is there as long as the carrier shares it.
CREATE TABLE parcel_sharing (
    order_id uuid        PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    provider uuid        NOT NULL,
    since    timestamptz NOT NULL
);
CREATE INDEX parcel_sharing_of_provider ON parcel_sharing (provider);
