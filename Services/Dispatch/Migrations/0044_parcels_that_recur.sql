-- What is carried each time, of a series of parcels; null of a series of visits.
ALTER TABLE series ADD COLUMN parcel jsonb;
