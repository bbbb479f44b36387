-- Personal API keys, and the exchanges of the OpenAI-compatible API.
--
-- Such an exchange is a message without a conversation, so that one ledger, one reaper and one event log serve the web and
-- the API alike. What the caller asked is never stored; the answer is kept only where an idempotency key may ask for it again.

CREATE TABLE api_keys (
  id                uuid PRIMARY KEY,
  user_id           uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  name              text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  prefix            text NOT NULL CHECK (length(prefix) <= 60),             -- what a list shows of the key
  hash              bytea NOT NULL CONSTRAINT api_keys_hash UNIQUE CHECK (length(hash) = 32),  -- SHA-256 of the key
  models            text[],                                                 -- null: every model of the plan
  monthly_cap       integer CHECK (monthly_cap > 0),                        -- credits a calendar month in UTC
  allowed_addresses text[],                                                 -- CIDR; null: from everywhere
  expires_at        timestamptz,
  created_at        timestamptz NOT NULL,
  last_used_at      timestamptz,
  revoked_at        timestamptz
);
CREATE INDEX api_keys_user ON api_keys (user_id, created_at);

-- Makes a key unless the user has p_most live ones: false then. The lock makes that true of parallel calls too.
CREATE FUNCTION create_api_key(p_id uuid, p_user uuid, p_name text, p_prefix text, p_hash bytea, p_models text[], p_cap integer,
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

-- ---------------------------------------------------------------------------------------------------------------------
-- Messages without a conversation.

ALTER TABLE messages ALTER COLUMN conversation_id DROP NOT NULL;
ALTER TABLE messages ADD COLUMN erased_at timestamptz;  -- the answer was erased: nobody can ask for it again
ALTER TABLE messages DROP CONSTRAINT messages_content_check;
ALTER TABLE messages ADD CONSTRAINT messages_content CHECK (content <> '' OR conversation_id IS NULL);
ALTER TABLE messages DROP CONSTRAINT messages_charge_is_earned;
ALTER TABLE messages ADD CONSTRAINT messages_charge_is_earned CHECK
  (credits_used = 0 OR (credits_used = cost AND status IN ('completed', 'stopped') AND (response <> '' OR erased_at IS NOT NULL)));
ALTER TABLE messages ADD CONSTRAINT messages_erased_is_api CHECK
  (erased_at IS NULL OR (conversation_id IS NULL AND status <> 'running'));
CREATE INDEX messages_api ON messages (user_id, created_at) WHERE conversation_id IS NULL;

-- One call of /v1/chat/completions that was let in.
CREATE TABLE api_requests (
  message_id      uuid PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
  user_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  key_id          uuid REFERENCES api_keys ON DELETE CASCADE,  -- null: made by the user on the API page
  idempotency_key text CHECK (length(idempotency_key) BETWEEN 1 AND 255),
  body_hash       bytea NOT NULL CHECK (length(body_hash) = 32),
  prompt_tokens   integer NOT NULL,                            -- our estimate, for providers that do not count
  is_fresh        boolean NOT NULL DEFAULT true,               -- it was not yet decided whether to keep the answer
  created_at      timestamptz NOT NULL
);
CREATE UNIQUE INDEX api_requests_once ON api_requests (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX api_requests_newest ON api_requests (user_id, created_at);
CREATE INDEX api_requests_key ON api_requests (key_id, created_at);
CREATE INDEX api_requests_fresh ON api_requests (created_at) WHERE is_fresh;

-- Messages of a conversation go with it; those without one go with their user.
CREATE FUNCTION delete_api_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM messages WHERE user_id = OLD.id AND conversation_id IS NULL;
  RETURN OLD;
END $$;
CREATE TRIGGER users_delete_api_messages BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION delete_api_messages();

-- ---------------------------------------------------------------------------------------------------------------------
-- The ledger says who spent: `note` is the name that the key had at that time.

ALTER TABLE credit.hold ADD COLUMN note text CHECK (length(note) BETWEEN 1 AND 80);

DROP FUNCTION credit.take_hold(uuid, uuid, integer, text, timestamptz);

-- Takes the price of a message from the buckets that expire first. result: held | duplicate | insufficient | frozen.
CREATE FUNCTION credit.take_hold(p_user uuid, p_hold uuid, p_cost integer, p_model text, p_at timestamptz,
  p_reason text DEFAULT 'message', p_note text DEFAULT NULL, OUT result text, OUT balance integer)
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_account account;
  v_at      timestamptz;
  v_bucket  record;
  v_take    integer;
  v_left    integer := p_cost;
BEGIN
  SELECT * INTO STRICT v_account FROM account WHERE user_id = p_user FOR NO KEY UPDATE;
  v_at := coalesce(p_at, clock_timestamp());
  balance := refresh(p_user, v_account.free_anchor, v_at);
  result := CASE
    WHEN EXISTS (SELECT FROM hold WHERE user_id = p_user AND id = p_hold) THEN 'duplicate'
    WHEN v_account.frozen_at IS NOT NULL THEN 'frozen'
    WHEN balance < p_cost THEN 'insufficient'
    ELSE 'held' END;
  IF result <> 'held' THEN
    RETURN;
  END IF;
  INSERT INTO hold (user_id, id, model, cost, created_at, note) VALUES (p_user, p_hold, p_model, p_cost, v_at, p_note);
  FOR v_bucket IN
    SELECT id, available FROM bucket
     WHERE user_id = p_user AND ended_at IS NULL AND available > 0 ORDER BY expires_at, id
  LOOP
    v_take := least(v_bucket.available, v_left);
    v_left := v_left - v_take;
    balance := balance - v_take;
    UPDATE bucket SET available = available - v_take, held = held + v_take WHERE id = v_bucket.id;
    INSERT INTO transfer (user_id, bucket_id, hold_id, src, dst, amount, line_change, balance_after, reason, at)
    VALUES (p_user, v_bucket.id, p_hold, 'available', 'held', v_take, CASE v_left WHEN 0 THEN -p_cost END, balance,
            p_reason, v_at);
    EXIT WHEN v_left = 0;
  END LOOP;
END $$;

-- ---------------------------------------------------------------------------------------------------------------------

-- Lets one API request in: the whole decision under the account's lock, in one round trip. Results: sent | repeated |
-- key_reused | key_revoked | cap_reached | too_many | insufficient | frozen. Only `sent` leaves rows behind; `repeated` names
-- the message that runs or was answered under the same idempotency key, or was sent under this id by an attempt before.
CREATE FUNCTION send_api_message(p_user uuid, p_id uuid, p_key uuid, p_idempotency_key text, p_body_hash bytea, p_model text,
  p_cost integer, p_prompt_tokens integer, p_owner uuid, p_max_running integer, p_at timestamptz,
  OUT result text, OUT balance integer, OUT message_id uuid, OUT sent_at timestamptz, OUT cap_left integer)
LANGUAGE plpgsql AS $$
DECLARE
  v_former record;
  v_key    api_keys;
  v_month  timestamptz;
BEGIN
  PERFORM FROM credit.account WHERE user_id = p_user FOR NO KEY UPDATE;
  sent_at := coalesce(p_at, clock_timestamp());
  message_id := p_id;

  IF EXISTS (SELECT FROM messages WHERE id = p_id AND user_id = p_user) THEN
    result := 'repeated';
    RETURN;
  END IF;
  IF p_idempotency_key IS NOT NULL THEN
    SELECT r.message_id, r.body_hash, m.status, m.credits_used INTO v_former
      FROM api_requests r JOIN messages m ON m.id = r.message_id
     WHERE r.user_id = p_user AND r.idempotency_key = p_idempotency_key;
    IF FOUND AND v_former.body_hash <> p_body_hash THEN
      result := 'key_reused';
      RETURN;
    ELSIF FOUND AND (v_former.status = 'running' OR v_former.credits_used > 0) THEN
      result := 'repeated';
      message_id := v_former.message_id;
      RETURN;
    END IF;
  END IF;

  IF p_key IS NOT NULL THEN
    -- Whoever revokes the key waits for this lock, and then sees the message that it has to stop.
    SELECT * INTO v_key FROM api_keys WHERE id = p_key AND user_id = p_user AND revoked_at IS NULL FOR SHARE;
    IF NOT FOUND THEN
      result := 'key_revoked';
      RETURN;
    END IF;
    IF v_key.monthly_cap IS NOT NULL THEN
      v_month := date_trunc('month', sent_at, 'UTC');
      SELECT v_key.monthly_cap - coalesce(sum(CASE m.status WHEN 'running' THEN m.cost ELSE m.credits_used END), 0) INTO cap_left
        FROM api_requests r JOIN messages m ON m.id = r.message_id
       WHERE r.key_id = p_key AND r.created_at >= v_month;
      IF cap_left < p_cost THEN
        result := 'cap_reached';
        RETURN;
      END IF;
    END IF;
  END IF;

  IF (SELECT count(*) FROM messages WHERE user_id = p_user AND status = 'running') >= p_max_running THEN
    result := 'too_many';
    RETURN;
  END IF;

  SELECT t.result, t.balance INTO result, balance
    FROM credit.take_hold(p_user, p_id, p_cost, p_model, p_at, 'api', v_key.name) t;
  IF result <> 'held' THEN
    RETURN;
  END IF;

  -- An attempt that cost nothing gave no answer either: its idempotency key is free for this one.
  UPDATE api_requests SET idempotency_key = NULL WHERE user_id = p_user AND idempotency_key = p_idempotency_key;
  INSERT INTO messages (id, user_id, model, content, cost, owner, created_at)
  VALUES (p_id, p_user, p_model, '', p_cost, p_owner, sent_at);
  INSERT INTO api_requests (message_id, user_id, key_id, idempotency_key, body_hash, prompt_tokens, created_at)
  VALUES (p_id, p_user, p_key, p_idempotency_key, p_body_hash, p_prompt_tokens, sent_at);
  result := 'sent';
END $$;
