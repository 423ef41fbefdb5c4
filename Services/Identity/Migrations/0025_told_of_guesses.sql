-- When the owner was told last that somebody who knows the password tries codes.
ALTER TABLE login_failures ADD COLUMN told_at timestamptz;
