-- Photos of parcels (O11) and pictures of dishes (C5), as they were cut down when they were uploaded.
CREATE TABLE photos (
    id         uuid        PRIMARY KEY,
    owner      uuid        NOT NULL,
    media_type text        NOT NULL,
    bytes      bytea       NOT NULL,
    made_at    timestamptz NOT NULL,
    -- When it was uploaded, or last put on something: what is on nothing goes a day after it.
    used_at    timestamptz NOT NULL
);
CREATE INDEX photos_of_owner ON photos (owner);
CREATE INDEX photos_by_use ON photos (used_at);

-- What a photo is on.
CREATE INDEX orders_with_photo ON orders ((particulars #>> '{parcel,photo}'))
    WHERE particulars #>> '{parcel,photo}' IS NOT NULL;
CREATE INDEX menu_items_with_picture ON menu_items (picture) WHERE picture IS NOT NULL;
