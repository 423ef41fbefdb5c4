-- What is counted over a day, however often something is sent.
ALTER TABLE proofs
    ADD COLUMN day_began_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN day_sent     int         NOT NULL DEFAULT 1,
    ADD COLUMN day_failures int         NOT NULL DEFAULT 0;

-- Whether a master admin set it: then only one lifts it or changes it while it holds.
ALTER TABLE bans ADD COLUMN by_master boolean NOT NULL DEFAULT false;
UPDATE bans SET by_master = true
WHERE EXISTS (SELECT FROM roles WHERE account = banned_by AND market = '*' AND role = 'admin');
