-- Signing in with Google. Of what Google tells we keep whose account it is and what it is called, and no token: we ask nothing later.

ALTER TABLE identities
  ADD COLUMN account_name text CHECK (length(account_name) <= 254),
  DROP COLUMN access_token,
  DROP COLUMN refresh_token,
  DROP COLUMN id_token,
  DROP COLUMN access_token_expires_at,
  DROP COLUMN refresh_token_expires_at,
  DROP COLUMN scope;
