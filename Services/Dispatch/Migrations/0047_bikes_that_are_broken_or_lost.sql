-- A bike is good, or an admin or its rider has said what is wrong with it. Only good ones are given out.
ALTER TABLE bikes
    ADD COLUMN condition    text NOT NULL DEFAULT 'good' CHECK (condition IN ('good', 'broken', 'lost')),
    ADD COLUMN note         text,
    ADD COLUMN condition_at timestamptz;
-- The rack that a hire ended at, which the rider rates, too.
ALTER TABLE orders ADD COLUMN returned_to uuid;
-- Stars of hires, for the bike and for the racks; the ratings themselves go with their orders.
CREATE TABLE bike_rating_sums (
    bike  uuid PRIMARY KEY REFERENCES bikes (id) ON DELETE CASCADE,
    stars bigint NOT NULL,
    count bigint NOT NULL
);
CREATE TABLE rack_rating_sums (
    rack  uuid PRIMARY KEY REFERENCES racks (id) ON DELETE CASCADE,
    stars bigint NOT NULL,
    count bigint NOT NULL
);
