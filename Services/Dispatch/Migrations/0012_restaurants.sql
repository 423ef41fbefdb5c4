-- Restaurants (C5): one of an owner in a market, who has that title there.
CREATE EXTENSION IF NOT EXISTS postgis SCHEMA public;

CREATE TABLE restaurants (
    id                  uuid PRIMARY KEY,
    market              text NOT NULL,
    owner               uuid NOT NULL,
    name                text NOT NULL,
    arabic_name         text,
    -- Both names as they are searched for.
    search_name         text NOT NULL,
    description         text,
    latitude            double precision NOT NULL,
    longitude           double precision NOT NULL,
    place               geography(Point, 4326) NOT NULL
        GENERATED ALWAYS AS (ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography) STORED,
    -- From the acceptance until it is ready.
    preparation_minutes smallint NOT NULL CHECK (preparation_minutes BETWEEN 1 AND 240),
    is_open             boolean NOT NULL DEFAULT false,
    changed_at          timestamptz NOT NULL,
    UNIQUE (market, owner)
);
CREATE INDEX restaurants_open_by_place ON restaurants USING gist (place) WHERE is_open;

CREATE TABLE menu_items (
    id          uuid PRIMARY KEY,
    restaurant  uuid NOT NULL REFERENCES restaurants (id) ON DELETE CASCADE,
    name        text NOT NULL,
    arabic_name text,
    -- Minor units of the market's currency.
    price       bigint NOT NULL CHECK (price > 0),
    ingredients text,
    picture     uuid
);
CREATE INDEX menu_items_of_restaurant ON menu_items (restaurant, id);

-- What was sold, by day of the market and item. It outlives the orders and the items.
CREATE TABLE restaurant_sales (
    restaurant uuid NOT NULL REFERENCES restaurants (id) ON DELETE CASCADE,
    day        date NOT NULL,
    item       uuid NOT NULL,
    name       text NOT NULL,
    count      bigint NOT NULL,
    -- Minor units, before the platform's share.
    amount     bigint NOT NULL,
    PRIMARY KEY (restaurant, day, item)
);
