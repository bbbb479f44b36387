-- What users prove beside a password: codes of an authenticator app, recovery codes for the day the phone is lost, passkeys; and the
-- sign-ins that wait for one of them.

-- The user's second factor is on. Times are the server's.
CREATE TABLE second_factors (
  user_id       uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret        text NOT NULL,    -- sealed, see seal-secret.ts
  last_step     bigint NOT NULL,  -- the newest 30 seconds of which a code was used: a code is good once
  recovery_salt bytea NOT NULL CHECK (length(recovery_salt) = 16),
  created_at    timestamptz NOT NULL
);

-- A second factor that is being set up; it counts for nothing until a code has shown that the app has it.
CREATE TABLE enrolments (
  user_id    uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret     text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX enrolments_expiry ON enrolments (expires_at);

-- The recovery codes that are left: argon2id under the salt above. A used one goes.
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES second_factors ON DELETE CASCADE,
  hash    bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (user_id, hash)
);

CREATE TABLE passkeys (
  id            uuid PRIMARY KEY,
  user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  credential_id text NOT NULL CONSTRAINT passkeys_credential UNIQUE CHECK (length(credential_id) <= 1400),
  public_key    bytea NOT NULL CHECK (length(public_key) <= 8192),
  counter       bigint NOT NULL,
  transports    text[] NOT NULL,
  name          text NOT NULL CHECK (length(name) <= 200),
  synced        boolean NOT NULL,  -- it is on more than one device of the user
  created_at    timestamptz NOT NULL,
  used_at       timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- What a passkey is to sign, once, for one purpose and whom it was given to: a session, a step, or a browser.
CREATE TABLE passkey_challenges (
  hash       text PRIMARY KEY,
  purpose    text NOT NULL CHECK (purpose IN ('register', 'sign_in', 'second_step', 'confirm')),
  bound_to   text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);

-- A sign-in of which the first factor was right; the browser that gave it has the token.
CREATE TABLE sign_in_steps (
  hash        text PRIMARY KEY,
  user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  remember_me boolean NOT NULL,
  wrong       integer NOT NULL DEFAULT 0,
  expires_at  timestamptz NOT NULL
);
CREATE INDEX sign_in_steps_user ON sign_in_steps (user_id);
CREATE INDEX sign_in_steps_expiry ON sign_in_steps (expires_at);

-- A sign-in that began with a password ends with it.
CREATE FUNCTION end_sign_in_steps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sign_in_steps WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER identities_end_steps AFTER UPDATE OF password OR DELETE ON identities
  FOR EACH ROW EXECUTE FUNCTION end_sign_in_steps();
