-- For those who read the database itself.
COMMENT ON TABLE leaving_accounts IS
    'Accounts whose deletion was asked. A row stays, so that what is heard late changes nothing; it holds no person.';
