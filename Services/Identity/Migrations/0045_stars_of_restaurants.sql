-- Who drives and has a restaurant has stars as each (B2, O4): those of the restaurant are a sum of their own.
ALTER TABLE ratings DROP CONSTRAINT ratings_role_check;
ALTER TABLE ratings ADD CONSTRAINT ratings_role_check CHECK (role IN ('customer', 'provider', 'merchant'));

-- Who is a restaurant alone was rated as nothing else. Of others nobody can say any more which stars were the restaurant's.
UPDATE ratings SET role = 'merchant'
WHERE role = 'provider'
    AND EXISTS (
        SELECT FROM roles
        WHERE roles.account = ratings.account AND roles.market = ratings.market AND roles.role = 'provider' AND sells)
    AND NOT EXISTS (
        SELECT FROM roles
        WHERE roles.account = ratings.account AND roles.market = ratings.market AND roles.role = 'provider' AND NOT sells);
