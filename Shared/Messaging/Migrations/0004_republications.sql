-- How far a service has told again how things stand, by kind: one that was ended in the middle goes on from here.
CREATE TABLE republications (
    kind       text PRIMARY KEY,
    -- The last id that was told.
    after      uuid,
    told       bigint NOT NULL DEFAULT 0,
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at   timestamptz
);
