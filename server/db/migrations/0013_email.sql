-- Addresses that are to become a user's, and the devices that somebody signed in from.

-- One address change under way a user. It happens once both the old and the new address have confirmed; their proofs, which name
-- this row, stand in verifications.
CREATE TABLE email_changes (
  id               uuid PRIMARY KEY,
  user_id          uuid NOT NULL CONSTRAINT email_changes_user UNIQUE REFERENCES users ON DELETE CASCADE,
  new_email        text NOT NULL CHECK (new_email = lower(new_email) AND length(new_email) BETWEEN 3 AND 254),
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  expires_at       timestamptz NOT NULL
);
CREATE INDEX email_changes_expiry ON email_changes (expires_at);

-- From where a user signed in: a kind of browser in a network. The first of them is known from sign-up.
CREATE TABLE known_devices (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  browser text NOT NULL CHECK (length(browser) <= 100),
  network text NOT NULL CHECK (length(network) <= 100),
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, browser, network)
);

-- Everybody's purchases are looked at once more, so that reminders of renewals are due.
UPDATE billing.account SET next_change_at = now() WHERE next_change_at IS NOT NULL;
