-- Bounds on what is given without payment (decisions 45 and 46).

-- ---------------------------------------------------------------------------------------------------------------------
-- Messages of a day (UTC) that ended without an answer and were free, although the provider worked for them.

CREATE TABLE unanswered (
  user_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  day      date NOT NULL,
  messages integer NOT NULL CHECK (messages > 0),
  PRIMARY KEY (user_id, day)
);
CREATE INDEX unanswered_age ON unanswered (day);

DROP FUNCTION send_message;

DROP FUNCTION send_api_message;

DROP FUNCTION end_message;

-- ---------------------------------------------------------------------------------------------------------------------
-- A dispute follows every mailbox that the account proved when it ordered or since, whatever address it has later.

ALTER TABLE users ADD COLUMN taken_over_at timestamptz;  -- who proved the mailbox was not known to have opened the account

CREATE TABLE billing.order_mailboxes (
  user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  address_hash bytea NOT NULL CHECK (length(address_hash) = 32),
  PRIMARY KEY (user_id, address_hash)
);
CREATE INDEX order_mailboxes_address ON billing.order_mailboxes (address_hash);
INSERT INTO billing.order_mailboxes (user_id, address_hash)
SELECT user_id, address_hash FROM billing.orders WHERE address_proved AND address_hash IS NOT NULL
UNION
SELECT u.id, u.address_hash FROM users u
 WHERE u.email_verified AND u.address_hash IS NOT NULL
   AND EXISTS (SELECT FROM billing.orders o WHERE o.user_id = u.id AND o.address_proved);
ALTER TABLE billing.orders DROP COLUMN address_hash, DROP COLUMN address_proved;

-- ---------------------------------------------------------------------------------------------------------------------
-- A mailbox has two free months at most: one of an account that proved it, and one of an account that did not. So whoever signs up
-- under somebody else's address takes nothing from its owner.

ALTER TABLE address_grants ADD COLUMN proved boolean;
UPDATE address_grants g SET proved = EXISTS (SELECT FROM users u WHERE u.address_hash = g.address_hash AND u.email_verified);
ALTER TABLE address_grants ALTER COLUMN proved SET NOT NULL, DROP CONSTRAINT address_grants_pkey, ADD PRIMARY KEY (address_hash, proved);

-- ---------------------------------------------------------------------------------------------------------------------
-- A bounded number of free months a day for accounts of one network that have not proved their address.

-- Both null where the address was proved at the sign-up. They stay when it is proved later, and say nothing then.
ALTER TABLE users
  ADD COLUMN network_hash    bytea CHECK (length(network_hash) = 32),
  ADD COLUMN network_per_day integer CHECK (network_per_day > 0),
  ADD CONSTRAINT users_network CHECK ((network_hash IS NULL) = (network_per_day IS NULL));

CREATE TABLE network_grants (
  network_hash bytea NOT NULL CHECK (length(network_hash) = 32),
  day          date NOT NULL,
  months       integer NOT NULL CHECK (months >= 0),
  PRIMARY KEY (network_hash, day)
);
CREATE INDEX network_grants_age ON network_grants (day);

ALTER TABLE credit.account DROP CONSTRAINT account_free_taken_by;
ALTER TABLE credit.account ADD CONSTRAINT account_free_taken_by
  CHECK (free_taken_by IN ('address_used', 'domain_busy', 'network_busy'));
