-- A plan lasts any number of days, weeks or months: `monthly` and `yearly` stay the words for one month and for twelve, any other
-- period is written as ISO 8601 does, such as P2W. The rows of before keep their words, so 0047 looks at none that is wrong.
ALTER TABLE subscription_plans DROP CONSTRAINT subscription_plans_period_check;
ALTER TABLE subscription_plans ADD CONSTRAINT subscription_plans_period_form
    CHECK (period ~ '^(monthly|yearly|P[1-9][0-9]{0,3}[DWM])$') NOT VALID;
ALTER TABLE subscription_periods DROP CONSTRAINT subscription_periods_length_check;
ALTER TABLE subscription_periods ADD CONSTRAINT subscription_periods_length_form
    CHECK (length ~ '^(monthly|yearly|P[1-9][0-9]{0,3}[DWM])$') NOT VALID;

-- Whether an admin at the desk asked for it: then the card has to be released still when it is charged.
ALTER TABLE unattended_payments ADD COLUMN by_desk boolean NOT NULL DEFAULT false;
