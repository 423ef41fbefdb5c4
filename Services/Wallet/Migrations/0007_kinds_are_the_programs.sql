-- Which kinds of accounts, transfers and lines there are is the program's to say: enums in the Domain folder.
ALTER TABLE accounts DROP CONSTRAINT accounts_kind_check;
ALTER TABLE transfers DROP CONSTRAINT transfers_kind_check;
ALTER TABLE statement_lines DROP CONSTRAINT statement_lines_kind_check;
