-- Pictures of services and their types, as admins uploaded them. They are public, and hold nothing of a person.
CREATE TABLE catalogue_images (
    market     text        NOT NULL,
    -- The SHA-256 of the bytes, in hexadecimal digits: another picture has another address.
    name       text        NOT NULL,
    media_type text        NOT NULL,
    bytes      bytea       NOT NULL,
    stored_at  timestamptz NOT NULL,
    PRIMARY KEY (market, name)
);
COMMENT ON TABLE catalogue_images IS
    'Uploaded pictures of catalogues. One that no entry names any more stays for a week, until another comes.';
