-- The requests that were counted as tries of a code, as hashes: a request that is repeated with its key is one try.
ALTER TABLE start_tries ADD COLUMN requests bytea[] NOT NULL DEFAULT '{}';
