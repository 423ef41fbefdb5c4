-- A hold whose end was heard before its placing has a row too, with nothing but its id: it and a placing that another
-- process is at in the same moment then want the same row, and one of them is done again, when it sees the other.
ALTER TABLE holds
    ALTER COLUMN owner DROP NOT NULL,
    ALTER COLUMN currency DROP NOT NULL,
    ALTER COLUMN amount DROP NOT NULL,
    ALTER COLUMN subject DROP NOT NULL,
    ADD CONSTRAINT holds_whole CHECK (
        state = 'neverBegan'
        OR (owner IS NOT NULL AND currency IS NOT NULL AND amount IS NOT NULL AND subject IS NOT NULL)
    ) NOT VALID;
ALTER TABLE holds VALIDATE CONSTRAINT holds_whole;
