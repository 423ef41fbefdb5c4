-- Where the provider of an order was from the acceptance to his or her "done": some of the places that were reported, for who
-- decides about a fine or a dispute (O2, O3). They go with their order, which is found by an index of its age, by this key. No
-- foreign key: a batch of positions waits for nobody who has an order in hand.
CREATE TABLE order_trails (
    order_id  uuid NOT NULL,
    -- When the phone measured it.
    at        timestamptz NOT NULL,
    -- Of an order that is searched for again there is more than one.
    provider  uuid NOT NULL,
    latitude  double precision NOT NULL CHECK (latitude BETWEEN -90 AND 90),
    longitude double precision NOT NULL CHECK (longitude BETWEEN -180 AND 180),
    PRIMARY KEY (order_id, at)
);
