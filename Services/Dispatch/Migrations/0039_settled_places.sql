-- Whether two positions have agreed since the phone's place was last taken on trust: at its first position, or after a
-- jump. What moves money does not rest on a place that is not settled. Places from before count as settled.
ALTER TABLE provider_positions ADD COLUMN is_settled boolean NOT NULL DEFAULT true;
