-- A leader and friends of the leader's who go together.
CREATE TABLE friend_groups (
    id          uuid        PRIMARY KEY,
    title       text        NOT NULL,
    leader      uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- In metres: who is farther from the leader has strayed. Null where nobody looks.
    radius      int         CHECK (radius > 0),
    version     bigint      NOT NULL DEFAULT 1,
    -- The greatest number that a member was given.
    last_number int         NOT NULL DEFAULT 0,
    made_at     timestamptz NOT NULL
);
CREATE INDEX friend_groups_leader ON friend_groups (leader);
CREATE INDEX friend_groups_watched ON friend_groups (id) WHERE radius IS NOT NULL;
COMMENT ON TABLE friend_groups IS 'Groups of friends with a leader, who may be told when somebody strays.';

CREATE TABLE friend_group_members (
    group_id   uuid        NOT NULL REFERENCES friend_groups ON DELETE CASCADE,
    account    uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    asked_at   timestamptz NOT NULL,
    -- Null until the friend has agreed.
    joined_at  timestamptz,
    number     int,
    -- Null while the member is near the leader.
    strayed_at timestamptz,
    PRIMARY KEY (group_id, account),
    CHECK ((joined_at IS NULL) = (number IS NULL))
);
CREATE INDEX friend_group_members_account ON friend_group_members (account);
COMMENT ON TABLE friend_group_members IS 'Those who are in a group of friends, with its leader, and those who are asked.';
