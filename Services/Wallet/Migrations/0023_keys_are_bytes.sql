-- Keys are compared as bytes: a language's order asks the C library for each comparison, which is most of what a look for a
-- key costs.
ALTER TABLE transfers ALTER COLUMN key TYPE text COLLATE "C";
ALTER TABLE refusals ALTER COLUMN key TYPE text COLLATE "C";
