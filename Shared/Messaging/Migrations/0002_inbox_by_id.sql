-- Old messages are found by their ids, whose time comes first. A block range index is of no use once the space of removed
-- rows is filled again: each of its ranges then reaches from long ago to now, and each look reads the whole table.
DROP INDEX inbox_received;
