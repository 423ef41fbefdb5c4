-- Who has no e-mail address is reminded by SMS.
DROP INDEX accounts_to_remind;
CREATE INDEX accounts_to_remind ON accounts (last_active_on)
WHERE (email IS NOT NULL OR mobile IS NOT NULL) AND confirmed_at IS NOT NULL
    AND (reminded_at IS NULL OR reminded_at <= logged_in_at);
