-- What is sent within a day to one number or address, whoever asks for it: it may be a stranger's. By its keyed hash.
CREATE TABLE contact_targets (
    value_hash   bytea PRIMARY KEY,
    day_began_at timestamptz NOT NULL,
    sent         integer NOT NULL DEFAULT 1
);
CREATE INDEX contact_targets_day ON contact_targets (day_began_at);
