-- Names in old deposits, top-ups and cash-outs are found without reading all.
ALTER TABLE deposits ADD COLUMN is_forgotten boolean NOT NULL DEFAULT false;
ALTER TABLE top_ups ADD COLUMN is_forgotten boolean NOT NULL DEFAULT false;
ALTER TABLE cash_outs ADD COLUMN is_forgotten boolean NOT NULL DEFAULT false;
CREATE INDEX deposits_to_forget ON deposits (market, made_at) WHERE NOT is_forgotten;
CREATE INDEX top_ups_to_forget ON top_ups (market, made_at) WHERE NOT is_forgotten;
CREATE INDEX cash_outs_to_forget ON cash_outs (market, made_at) WHERE NOT is_forgotten;
