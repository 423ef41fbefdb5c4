-- Who has not logged in for a month is asked to. Accounts of before begin their month now.
ALTER TABLE accounts
    ADD COLUMN logged_in_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN reminded_at  timestamptz;

CREATE INDEX accounts_to_remind ON accounts (last_active_on)
WHERE email IS NOT NULL AND confirmed_at IS NOT NULL AND (reminded_at IS NULL OR reminded_at <= logged_in_at);
