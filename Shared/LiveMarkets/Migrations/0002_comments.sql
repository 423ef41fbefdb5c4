-- For those who read the database itself.
COMMENT ON TABLE market_settings IS
    'Settings that admins changed, as admin tells; the newest version of each key wins.';
