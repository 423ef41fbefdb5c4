-- The class of what a driver drives, which dispatch has to know; the other details stay sealed.
ALTER TABLE roles ADD COLUMN vehicle text;
