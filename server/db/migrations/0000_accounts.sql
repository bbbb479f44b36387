-- Who somebody is: users, their ways to sign in, their sessions. better-auth reads and writes these through Drizzle.

CREATE TABLE users (
  id             uuid PRIMARY KEY,
  email          text NOT NULL CONSTRAINT users_email UNIQUE CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  email_verified boolean NOT NULL DEFAULT false,
  display_name   text NOT NULL CHECK (length(display_name) <= 200),
  photo_url      text CHECK (length(photo_url) <= 2000),
  created_at     timestamptz NOT NULL DEFAULT now(),
  updated_at     timestamptz NOT NULL DEFAULT now(),
  last_login_at  timestamptz NOT NULL DEFAULT now()
);

-- One browser that is signed in. Only the cookie holds the token's signature.
CREATE TABLE sessions (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  token      text NOT NULL CONSTRAINT sessions_token UNIQUE,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- A new session is a sign-in.
CREATE FUNCTION note_login() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET last_login_at = greatest(last_login_at, NEW.created_at) WHERE id = NEW.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_note_login AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION note_login();

-- One way a user signs in: a password (provider `credential`), later Google.
CREATE TABLE identities (
  id                       uuid PRIMARY KEY,
  user_id                  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  provider_id              text NOT NULL,
  account_id               text NOT NULL,
  password                 text CHECK (password LIKE '$argon2id$%'),
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  created_at               timestamptz NOT NULL DEFAULT now(),
  updated_at               timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT identities_once UNIQUE (provider_id, account_id)
);
CREATE INDEX identities_user ON identities (user_id);

-- One-time proofs: of an address, of a password reset, of a sign-in under way.
CREATE TABLE verifications (
  id         uuid PRIMARY KEY,
  identifier text NOT NULL,
  value      text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX verifications_identifier ON verifications (identifier);
CREATE INDEX verifications_expiry ON verifications (expires_at);

-- How often something was tried in the window that began at started_at; the key names what and who.
CREATE TABLE rate_limits (
  key        text PRIMARY KEY,
  count      integer NOT NULL,
  started_at timestamptz NOT NULL
);
CREATE INDEX rate_limits_age ON rate_limits (started_at);
