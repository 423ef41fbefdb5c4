-- Racks of bikes, and each bike: in a rack, or out on a hire (C6).
CREATE EXTENSION IF NOT EXISTS postgis SCHEMA public;

CREATE TABLE racks (
    id          uuid PRIMARY KEY,
    market      text NOT NULL,
    name        text NOT NULL,
    arabic_name text,
    latitude    double precision NOT NULL,
    longitude   double precision NOT NULL,
    place       geography(Point, 4326) NOT NULL
        GENERATED ALWAYS AS (ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography) STORED,
    -- Whether bikes are given out.
    is_active   boolean NOT NULL,
    -- SHA-256 of what the rack proves itself by.
    key_hash    bytea NOT NULL,
    changed_at  timestamptz NOT NULL
);
CREATE INDEX racks_by_place ON racks USING gist (place) WHERE is_active;
CREATE INDEX racks_of_market ON racks (market, id);

CREATE TABLE bikes (
    id       uuid PRIMARY KEY,
    market   text NOT NULL,
    type     text NOT NULL,
    -- Null while it is out.
    rack     uuid REFERENCES racks (id),
    -- Who has it reserved, or out. One bike of an order, taken by an update that is guarded by its being null.
    order_id uuid UNIQUE
);
CREATE INDEX bikes_free ON bikes (rack, type) WHERE order_id IS NULL;

-- What opens a rack for an order: shown once, kept as a hash.
CREATE TABLE unlock_codes (
    order_id   uuid PRIMARY KEY,
    rack       uuid NOT NULL REFERENCES racks (id),
    hash       bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
CREATE UNIQUE INDEX unlock_codes_of_rack ON unlock_codes (rack, hash) WHERE used_at IS NULL;
