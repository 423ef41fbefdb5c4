-- The uploaded picture of a text, one of `catalogue_images`; NULL for none.
ALTER TABLE content_versions ADD COLUMN image text;
-- Whether a picture is still needed.
CREATE INDEX content_versions_image ON content_versions (image) WHERE image IS NOT NULL;
COMMENT ON TABLE catalogue_images IS
    'Uploaded pictures of catalogues and of content. One that no entry of a catalogue and no version of a text names any more stays for a week, until another comes.';
