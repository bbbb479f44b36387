-- Functions and triggers of the API in OpenAI's shape. Applied again when this text changes; CONTRIBUTING.md says how to change one.

-- Lets one API request in: the whole decision under the account's lock, in one round trip. Called by openai-api/store.ts.
-- In:  p_key, null for a trial on the API page; p_body_hash, SHA-256 of the request; p_prompt_tokens, our estimate; p_at, the time,
--      null for the database's clock.
-- Out: result, one of sent | repeated | key_reused | model_paused | key_revoked | cap_reached | too_many | too_many_unanswered | insufficient |
--      frozen. Only `sent` leaves rows behind; `repeated` names the message that runs or was answered under the same idempotency key, or was sent under this
--      id by an attempt before. cap_left: what the key may still spend this month; null without a cap.
--      free_limit: as of send_message.
CREATE OR REPLACE FUNCTION send_api_message(p_user uuid, p_id uuid, p_key uuid, p_idempotency_key text, p_body_hash bytea, p_model text,
  p_cost integer, p_prompt_tokens integer, p_owner uuid, p_max_running integer, p_at timestamptz,
  p_max_unanswered integer, p_max_uncharged integer,
  OUT result text, OUT balance integer, OUT message_id uuid, OUT sent_at timestamptz, OUT cap_left integer, OUT free_limit integer)
LANGUAGE plpgsql AS $$
DECLARE
  v_former record;
  v_key    api_keys;
BEGIN
  -- A request refers to its user: lock order as of chat.sql.
  PERFORM FROM users WHERE id = p_user FOR KEY SHARE;
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
  IF EXISTS (SELECT FROM paused_models p WHERE p.model = p_model) THEN
    result := 'model_paused';
    RETURN;
  END IF;

  IF p_key IS NOT NULL THEN
    -- Whoever revokes the key waits for this lock, and then sees the message that it has to stop.
    SELECT * INTO v_key FROM api_keys WHERE id = p_key AND user_id = p_user AND revoked_at IS NULL FOR SHARE;
    IF NOT FOUND THEN
      result := 'key_revoked';
      RETURN;
    END IF;
    IF v_key.monthly_cap IS NOT NULL THEN
      cap_left := v_key.monthly_cap - key_month_credits(p_key, date_trunc('month', sent_at AT TIME ZONE 'UTC')::date);
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
  free_limit := reached_free_limit(p_user, p_key, p_max_unanswered, p_max_uncharged, p_at);
  IF free_limit IS NOT NULL THEN
    result := 'too_many_unanswered';
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

-- What the requests of a key that were let in in a month hold and have spent: its counter; where there is none, before the first
-- request that was counted, their sum. Called by send_api_message and count_key_request, under the account's lock.
-- In: p_month, its first day (UTC).
CREATE OR REPLACE FUNCTION key_month_credits(p_key uuid, p_month date) RETURNS integer LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_credits integer;
BEGIN
  SELECT k.credits INTO v_credits FROM api_key_months k WHERE k.key_id = p_key AND k.month = p_month;
  IF NOT FOUND THEN
    SELECT coalesce(sum(CASE m.status WHEN 'running' THEN m.cost ELSE m.credits_used END), 0) INTO v_credits
      FROM api_requests r JOIN messages m ON m.id = r.message_id
     WHERE r.key_id = p_key AND r.created_at >= p_month::timestamp AT TIME ZONE 'UTC'
       AND r.created_at < (p_month + interval '1 month') AT TIME ZONE 'UTC';
  END IF;
  RETURN v_credits;
END $$;

-- Triggers. They move what a key holds and has spent in the month (UTC) in which a request was let in, with the request and with what
-- its message costs, whichever function or version changes that. Lock order as everywhere: the message, its user, the account, then this
-- row.
CREATE OR REPLACE FUNCTION count_key_request() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_month date := date_trunc('month', NEW.created_at AT TIME ZONE 'UTC')::date;
  v_cost  integer;
BEGIN
  PERFORM FROM credit.account WHERE user_id = NEW.user_id FOR NO KEY UPDATE;
  SELECT CASE status WHEN 'running' THEN cost ELSE credits_used END INTO v_cost FROM messages WHERE id = NEW.message_id;
  INSERT INTO api_key_months AS k (user_id, key_id, month, credits)
  VALUES (NEW.user_id, NEW.key_id, v_month, key_month_credits(NEW.key_id, v_month) + v_cost)
  ON CONFLICT (key_id, month) DO UPDATE SET credits = excluded.credits;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER api_requests_count BEFORE INSERT ON api_requests FOR EACH ROW
  WHEN (NEW.key_id IS NOT NULL) EXECUTE FUNCTION count_key_request();

CREATE OR REPLACE FUNCTION count_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_request api_requests;
BEGIN
  SELECT * INTO v_request FROM api_requests WHERE message_id = NEW.id AND key_id IS NOT NULL;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  -- Free messages and costs, which end_message records next, refer to the user.
  PERFORM FROM users WHERE id = NEW.user_id FOR KEY SHARE;
  PERFORM FROM credit.account WHERE user_id = NEW.user_id FOR NO KEY UPDATE;
  UPDATE api_key_months k
     SET credits = k.credits + CASE NEW.status WHEN 'running' THEN NEW.cost ELSE NEW.credits_used END
                             - CASE OLD.status WHEN 'running' THEN OLD.cost ELSE OLD.credits_used END
   WHERE k.key_id = v_request.key_id AND k.month = date_trunc('month', v_request.created_at AT TIME ZONE 'UTC')::date;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER messages_count_key AFTER UPDATE OF status, cost, credits_used ON messages FOR EACH ROW
  WHEN (NEW.conversation_id IS NULL AND (CASE NEW.status WHEN 'running' THEN NEW.cost ELSE NEW.credits_used END)
        <> (CASE OLD.status WHEN 'running' THEN OLD.cost ELSE OLD.credits_used END)) EXECUTE FUNCTION count_key_change();

-- Trigger. Messages of a conversation go with it; those without one go with their user.
CREATE OR REPLACE FUNCTION delete_api_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM messages WHERE user_id = OLD.id AND conversation_id IS NULL;
  RETURN OLD;
END $$;
CREATE OR REPLACE TRIGGER users_delete_api_messages BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION delete_api_messages();
