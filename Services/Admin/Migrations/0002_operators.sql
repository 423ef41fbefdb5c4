-- Of what an operator did at the command line nobody's account is known.
ALTER TABLE audit ALTER COLUMN account DROP NOT NULL;
