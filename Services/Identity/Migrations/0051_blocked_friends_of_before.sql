-- Outside a transaction: the table may be large, and nobody waits while its rows are compared.
ALTER TABLE links VALIDATE CONSTRAINT links_state_check;
ALTER TABLE links VALIDATE CONSTRAINT links_blocked_check;
