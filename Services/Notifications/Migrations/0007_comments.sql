-- The purpose of each table, for those who read the database itself.
COMMENT ON TABLE deliveries IS
    'Mails and SMS that are to be sent. Text and address are sealed, and gone once they are sent.';
COMMENT ON TABLE heads IS
    'The newest version of each order and payment that was told, of a former version of the program; see told.';
COMMENT ON TABLE inbox_items IS
    'Items that accounts read in their inbox. The words are made when an item is read. No key, as stream_events.';
COMMENT ON TABLE names_to_forget IS
    'Accounts that are gone and may be named in others'' items.';
COMMENT ON TABLE people IS
    'The language that an account wants its texts in, as identity tells.';
COMMENT ON TABLE stream_events IS
    'Events that accounts are told live, for some days. No key: one statement writes them under the lock of their stream.';
COMMENT ON TABLE streams IS
    'How far the events of an account are numbered. It outlives its events, and says when the account is gone.';
COMMENT ON TABLE told IS
    'The newest version of each order and payment that an account was told, and the one before it.';
COMMENT ON TABLE webhook_deliveries IS
    'Events that are sent to businesses'' endpoints, with the last answer, for the log and a replay.';
COMMENT ON TABLE webhook_endpoints IS
    'Addresses at which businesses hear of their orders, with their sealed signing secrets.';
