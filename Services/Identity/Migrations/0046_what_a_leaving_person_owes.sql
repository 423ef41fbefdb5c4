-- A refused deletion says what the person owes (UC2), as the wallet told it: amounts in minor units with their currencies.
ALTER TABLE deletion_answers ADD COLUMN owed jsonb NOT NULL DEFAULT '[]';
