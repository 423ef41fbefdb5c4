-- The board: open orders that any provider of the market may take. A row is there as long as its order is on it, and
-- never changes, so that orders themselves need no index on what changes with each state.
CREATE EXTENSION IF NOT EXISTS postgis SCHEMA public;

CREATE TABLE board (
    order_id    uuid PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    market      text NOT NULL,
    customer    uuid NOT NULL,
    origin      geography(Point, 4326) NOT NULL,
    -- What is paid, in minor units.
    price       bigint NOT NULL,
    -- From the origin to the destination.
    metres      bigint NOT NULL,
    grams       bigint NOT NULL,
    is_fragile  boolean NOT NULL
);

CREATE INDEX board_by_origin ON board USING gist (origin);
