-- What is purged in batches is found without reading all of it.
CREATE INDEX sessions_ended_at ON sessions (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX refresh_tokens_replaced_at ON refresh_tokens (replaced_at) WHERE replaced_at IS NOT NULL;
