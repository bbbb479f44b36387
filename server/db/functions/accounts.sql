-- Functions and triggers of accounts. Applied again when this text changes; CONTRIBUTING.md says how to change one.

-- Trigger. A new session is a sign-in: notes its time on the user.
CREATE OR REPLACE FUNCTION note_login() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET last_login_at = greatest(last_login_at, NEW.created_at) WHERE id = NEW.user_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER sessions_note_login AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION note_login();

-- Trigger. A sign-in that waits for its second factor began with a password: it ends when the password changes.
CREATE OR REPLACE FUNCTION end_sign_in_steps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sign_in_steps WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER identities_end_steps AFTER UPDATE OF password OR DELETE ON identities
  FOR EACH ROW EXECUTE FUNCTION end_sign_in_steps();

-- Trigger; its argument names the column with the user's id. Another password or another address: no browser is trusted because of
-- the former one.
CREATE OR REPLACE FUNCTION end_trusted_browsers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM trusted_browsers WHERE user_id = (to_jsonb(OLD) ->> TG_ARGV[0])::uuid;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER identities_end_trust AFTER UPDATE OF password ON identities FOR EACH ROW
  WHEN (OLD.password IS DISTINCT FROM NEW.password) EXECUTE FUNCTION end_trusted_browsers('user_id');
CREATE OR REPLACE TRIGGER identities_delete_trust AFTER DELETE ON identities FOR EACH ROW
  WHEN (OLD.provider_id = 'credential') EXECUTE FUNCTION end_trusted_browsers('user_id');
CREATE OR REPLACE TRIGGER users_end_trust AFTER UPDATE OF email ON users FOR EACH ROW
  WHEN (OLD.email IS DISTINCT FROM NEW.email) EXECUTE FUNCTION end_trusted_browsers('id');

-- Makes an API key. Called by accounts/api-keys/key-store.ts.
-- In:  p_most, how many live keys a user may have; p_at, the time, null for the database's clock.
-- Out: false when the user has that many. The lock on the user makes that true of parallel calls too.
CREATE OR REPLACE FUNCTION create_api_key(p_id uuid, p_user uuid, p_name text, p_prefix text, p_hash bytea, p_models text[], p_cap integer,
  p_addresses text[], p_expires_at timestamptz, p_most integer, p_at timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = p_user FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM api_keys WHERE user_id = p_user AND revoked_at IS NULL) >= p_most THEN
    RETURN false;
  END IF;
  INSERT INTO api_keys (id, user_id, name, prefix, hash, models, monthly_cap, allowed_addresses, expires_at, created_at)
  VALUES (p_id, p_user, p_name, p_prefix, p_hash, p_models, p_cap, p_addresses, p_expires_at, coalesce(p_at, clock_timestamp()));
  RETURN true;
END $$;

-- Trigger. Nothing new belongs to an account that is being deleted. The lock waits for a deletion that begins at the same time.
-- Error: 23001 with the constraint name account_leaving, which `refusalOf` reads.
CREATE OR REPLACE FUNCTION refuse_leaving() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = NEW.user_id AND leaving_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the account is being deleted' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'account_leaving';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER sessions_refuse_leaving BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE OR REPLACE TRIGGER identities_refuse_leaving BEFORE INSERT ON identities FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE OR REPLACE TRIGGER api_keys_refuse_leaving BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE OR REPLACE TRIGGER second_factors_refuse_leaving BEFORE INSERT ON second_factors FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE OR REPLACE TRIGGER enrolments_refuse_leaving BEFORE INSERT ON enrolments FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE OR REPLACE TRIGGER passkeys_refuse_leaving BEFORE INSERT ON passkeys FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE OR REPLACE TRIGGER sign_in_steps_refuse_leaving BEFORE INSERT ON sign_in_steps FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE OR REPLACE TRIGGER pictures_refuse_leaving BEFORE INSERT OR UPDATE ON pictures FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE OR REPLACE TRIGGER exports_refuse_leaving BEFORE INSERT ON exports FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE OR REPLACE TRIGGER orders_refuse_leaving BEFORE INSERT ON billing.orders FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
