-- Outside a transaction: the table may be large, and nobody waits while its rows are compared.
ALTER TABLE roles VALIDATE CONSTRAINT roles_role_check;
ALTER TABLE roles VALIDATE CONSTRAINT roles_support_of_one_market;
