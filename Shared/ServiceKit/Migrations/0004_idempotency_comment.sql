-- For those who read the database itself.
COMMENT ON TABLE idempotency_keys IS
    'Requests that carried an Idempotency-Key, as hashes, and their answers, sealed with the client''s key. For a day.';
