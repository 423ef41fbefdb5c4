-- When somebody has shown that he reads it. What nobody proved is had by whoever does, and may stand in several accounts.
ALTER TABLE accounts
    ADD COLUMN email_proved_at  timestamptz,
    ADD COLUMN mobile_proved_at timestamptz,
    ALTER COLUMN mobile DROP NOT NULL,
    ALTER COLUMN mobile_hash DROP NOT NULL,
    ADD CONSTRAINT accounts_mobile_and_hash CHECK ((mobile IS NULL) = (mobile_hash IS NULL)),
    ADD CONSTRAINT accounts_email_proved_is_there CHECK (email_proved_at IS NULL OR email IS NOT NULL),
    ADD CONSTRAINT accounts_mobile_proved_is_there CHECK (mobile_proved_at IS NULL OR mobile IS NOT NULL);

UPDATE accounts SET email_proved_at = confirmed_at WHERE confirms_by = 'email' AND email IS NOT NULL;
UPDATE accounts SET mobile_proved_at = confirmed_at WHERE confirms_by = 'sms';
-- What Nafath's word has made brings Nafath's number.
UPDATE accounts SET mobile_proved_at = confirmed_at
WHERE email IS NULL AND EXISTS (SELECT FROM national_ids WHERE account = accounts.id);

ALTER TABLE accounts DROP CONSTRAINT accounts_email_hash, DROP CONSTRAINT accounts_mobile_hash;
CREATE INDEX accounts_email_hash ON accounts (email_hash);
CREATE INDEX accounts_mobile_hash ON accounts (mobile_hash);
CREATE UNIQUE INDEX accounts_email_proved ON accounts (email_hash) WHERE email_proved_at IS NOT NULL;
CREATE UNIQUE INDEX accounts_mobile_proved ON accounts (mobile_hash) WHERE mobile_proved_at IS NOT NULL;

-- The keyed hash of the number that Nafath has told last: only another one is news.
ALTER TABLE national_ids ADD COLUMN mobile_hash bytea;
UPDATE national_ids SET mobile_hash = (SELECT mobile_hash FROM accounts WHERE id = account);
