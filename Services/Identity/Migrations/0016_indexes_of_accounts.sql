-- What goes with an account, and what is read of one, ended or not.
CREATE INDEX sessions_of_account ON sessions (account);
CREATE INDEX documents_of_account ON documents (account, market);
