-- What a market's admins write for everybody: about, privacy, terms, questions, news, fatawa, rituals,
-- contacts.
CREATE TABLE content_entries (
    id        uuid        PRIMARY KEY,
    market    text        NOT NULL,
    section   text        NOT NULL,
    -- In the order of display.
    position  integer     NOT NULL,
    -- The newest version.
    version   integer     NOT NULL,
    -- A version that was published up to then is not shown: the entry was withdrawn.
    hidden_at timestamptz
);
CREATE INDEX content_entries_of_section ON content_entries (market, section, position, id);
COMMENT ON TABLE content_entries IS 'Texts that a market''s admins write for everybody, by section.';

CREATE TABLE content_versions (
    entry        uuid        NOT NULL REFERENCES content_entries (id),
    version      integer     NOT NULL,
    -- Title and body in each language, in JSON.
    content      text        NOT NULL,
    -- Shown from then on, until a version that was published later; NULL for a draft.
    published_at timestamptz,
    -- NULL for a text that came with the program.
    changed_by   uuid,
    changed_at   timestamptz NOT NULL,
    PRIMARY KEY (entry, version)
);
CREATE INDEX content_versions_published ON content_versions (entry, published_at DESC, version DESC)
    WHERE published_at IS NOT NULL;
COMMENT ON TABLE content_versions IS 'Each text that an entry of a market''s content ever had, with its author.';
