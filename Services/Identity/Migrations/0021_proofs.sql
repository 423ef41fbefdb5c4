-- An invitation is apart from the links that anybody may ask for.
ALTER TABLE proofs
    DROP CONSTRAINT proofs_purpose_check,
    ADD CONSTRAINT proofs_purpose_check CHECK (purpose IN ('confirm', 'password', 'invitation')),
    -- SHA-256 of what whoever registered was handed out: tries with it are counted apart from anybody's.
    ADD COLUMN secret           bytea,
    ADD COLUMN own_failures     int NOT NULL DEFAULT 0,
    ADD COLUMN own_day_failures int NOT NULL DEFAULT 0;

CREATE INDEX proofs_secret ON proofs (secret) WHERE secret IS NOT NULL;
