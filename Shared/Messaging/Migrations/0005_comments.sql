-- The purpose of each table, for those who read the database itself.
COMMENT ON TABLE outbox IS
    'Messages that a transaction has caused and the broker has not confirmed yet; confirmed ones stay for a while.';
COMMENT ON TABLE inbox IS
    'Messages that a consumer has handled, written in the transaction of the effect, for some days.';
COMMENT ON TABLE deadlines IS
    'Acts that have to happen at a time, unless they are cleared before.';
COMMENT ON TABLE relay_lease IS
    'Until when the process that publishes the outbox has its place, and which session it is. One row.';
COMMENT ON TABLE republications IS
    'How far a service has told again how things stand, by kind, so that an interrupted one goes on.';
