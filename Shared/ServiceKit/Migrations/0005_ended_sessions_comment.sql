-- For those who read the database itself.
COMMENT ON TABLE ended_sessions IS
    'Sessions that ended while access tokens of theirs may still be out. A row goes when the last has expired.';
