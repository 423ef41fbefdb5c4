-- When the leader was told last that the member has strayed: at a place that jumps it would be told again and again.
ALTER TABLE friend_group_members ADD COLUMN stray_told_at timestamptz;

CREATE TABLE friend_group_refusals (
    -- Without keys: they would lock the accounts after the group.
    leader  uuid        NOT NULL,
    account uuid        NOT NULL,
    times   int         NOT NULL CHECK (times > 0),
    last_at timestamptz NOT NULL,
    PRIMARY KEY (leader, account)
);
CREATE INDEX friend_group_refusals_account ON friend_group_refusals (account);
CREATE INDEX friend_group_refusals_old ON friend_group_refusals (last_at);
COMMENT ON TABLE friend_group_refusals IS
    'How often a leader has asked somebody into groups who was taken out or did not come: a bound on asking again.';

CREATE TABLE friend_group_rounds (
    only_one boolean     PRIMARY KEY DEFAULT true CHECK (only_one),
    next_at  timestamptz NOT NULL
);
INSERT INTO friend_group_rounds (next_at) VALUES ('-infinity');
COMMENT ON TABLE friend_group_rounds IS
    'When groups of friends are looked at next for who strays: one process takes each round.';
