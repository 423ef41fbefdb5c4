-- The catalogue of a market becomes data (docs/decisions/0060): what admins changed of services, titles, reasons of reports and words.
-- Everything else is as the market's file has it.
CREATE TABLE catalogue_entries (
    market     text        NOT NULL,
    section    text        NOT NULL,
    id         text        NOT NULL,
    -- The whole entry as it is told to the other services, in JSON.
    entry      text        NOT NULL,
    -- The market's version at the change.
    version    bigint      NOT NULL,
    changed_by uuid        NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (market, section, id)
);
COMMENT ON TABLE catalogue_entries IS
    'Entries of markets'' catalogues that admins changed or added. An entry that nobody changed is in the market''s file.';
COMMENT ON TABLE markets IS
    'The version of each market''s settings and catalogue. Each change of one of them locks the row.';
