-- The car that a driver had when he or she accepted the order: it stays the trip's, whatever the driver drives later. In a
-- table of its own, since a plate says who somebody is and the order says where.
CREATE TABLE order_cars (
    order_id uuid PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    car      jsonb NOT NULL
);

-- Photos that parcels of series have.
CREATE INDEX series_with_photo ON series ((parcel ->> 'photo')) WHERE parcel ->> 'photo' IS NOT NULL;
