-- Places of the guide (gates, hospitals, police, camps …) as admins have changed or added them. A place that nobody changed is in the
-- program's list.
CREATE TABLE named_places (
    market     text             NOT NULL,
    id         text             NOT NULL,
    city       text             NOT NULL,
    category   text             NOT NULL,
    english    text             NOT NULL,
    arabic     text             NOT NULL,
    latitude   double precision NOT NULL CHECK (latitude BETWEEN -90 AND 90),
    longitude  double precision NOT NULL CHECK (longitude BETWEEN -180 AND 180),
    is_active  boolean          NOT NULL,
    -- The market's revision at the change.
    version    bigint           NOT NULL,
    changed_by uuid             NOT NULL,
    changed_at timestamptz      NOT NULL,
    PRIMARY KEY (market, id)
);
COMMENT ON TABLE named_places IS
    'Places of the guide that admins changed or added. A place that nobody changed is in the program''s list.';

CREATE TABLE named_place_revisions (
    market   text   PRIMARY KEY,
    revision bigint NOT NULL
);
COMMENT ON TABLE named_place_revisions IS
    'How often the places of a market were changed. Each change locks the row, so that two admins do not overwrite each other.';
