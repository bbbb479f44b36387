-- Pins, archive, deletion with undo, temporary conversations; branches read in pages; search; what is told of an answer.

ALTER TABLE conversations
  ADD COLUMN folded_title text,                      -- the title as search compares it
  ADD COLUMN pinned_at    timestamptz,
  ADD COLUMN archived_at  timestamptz,
  ADD COLUMN deleted_at   timestamptz,               -- deleted by its user; purged when the time for undo is over
  ADD COLUMN is_temporary boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT conversations_archived_is_not_pinned CHECK (pinned_at IS NULL OR archived_at IS NULL);
UPDATE conversations SET folded_title = lower(normalize(title, NFKC));
ALTER TABLE conversations ALTER COLUMN folded_title SET NOT NULL;

DROP INDEX conversations_newest;
CREATE INDEX conversations_listed ON conversations (user_id, updated_at DESC, id DESC)
  WHERE deleted_at IS NULL AND archived_at IS NULL AND pinned_at IS NULL AND NOT is_temporary;
CREATE INDEX conversations_pinned ON conversations (user_id, pinned_at DESC, id DESC)
  WHERE pinned_at IS NOT NULL AND deleted_at IS NULL AND NOT is_temporary;
CREATE INDEX conversations_archived ON conversations (user_id, updated_at DESC, id DESC)
  WHERE archived_at IS NOT NULL AND deleted_at IS NULL AND NOT is_temporary;
CREATE INDEX conversations_deleted ON conversations (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX conversations_temporary ON conversations (updated_at) WHERE is_temporary;

ALTER TABLE messages
  ADD COLUMN first_text_ms     integer CHECK (first_text_ms >= 0),  -- from the send to the first text
  ADD COLUMN upstream_switched boolean NOT NULL DEFAULT false;
-- Siblings and what is below a message; without it deleting a conversation would read all of it for each of its messages.
CREATE INDEX messages_children ON messages (conversation_id, parent_id, created_at, id);

-- The text of an ended message as search compares it: NFKC, lower case, one space for every blank; the prompt first. Written
-- a moment after the end.
CREATE TABLE search_texts (
  message_id      uuid PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
  user_id         uuid NOT NULL,
  conversation_id uuid NOT NULL,
  sent_at         timestamptz NOT NULL,
  body            text NOT NULL
);
CREATE INDEX search_texts_newest ON search_texts (user_id, sent_at DESC, message_id DESC);

-- Ended messages that search does not know yet.
CREATE TABLE search_queue (message_id uuid PRIMARY KEY);
INSERT INTO search_queue SELECT id FROM messages WHERE status <> 'running';

-- Pieces of text as the index knows them: each is one of 32,768 numbers of its user, so that there are few keys with many
-- messages instead of many keys with few. What shares a number is told apart by the text itself.
CREATE FUNCTION search_keys(p_user uuid, p_grams text[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ARRAY(SELECT DISTINCT (hashtextextended(p_user::text, 0) & ~32767::bigint) | (hashtextextended(gram, 0) & 32767)
                 FROM unnest(p_grams) gram)
$$;

-- What p_text can be found by: every character, every two neighbours, and every three of ASCII. None has a space in it.
CREATE FUNCTION search_grams(p_user uuid, p_text text) RETURNS bigint[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 100000 AS $$
DECLARE
  v_chars text[] := string_to_array(p_text, NULL);
BEGIN
  RETURN public.search_keys(p_user, ARRAY(
    SELECT a FROM unnest(v_chars) AS t (a) WHERE a <> ' '
    UNION ALL
    SELECT a || b FROM unnest(v_chars, v_chars[2:]) AS t (a, b) WHERE a <> ' ' AND b <> ' '
    UNION ALL
    SELECT a || b || c FROM unnest(v_chars, v_chars[2:], v_chars[3:]) AS t (a, b, c)
     WHERE ascii(a) < 128 AND ascii(b) < 128 AND ascii(c) < 128 AND a <> ' ' AND b <> ' ' AND c <> ' '));
END $$;
CREATE INDEX search_texts_grams ON search_texts USING gin (search_grams(user_id, body)) WITH (fastupdate = off);

-- Sends one message: the whole decision under the account's lock, in one round trip. Results: sent | duplicate | key_reused |
-- not_found | parent_running | too_many | insufficient | frozen. Only `sent` leaves rows behind. Lock order: the account, then
-- the conversation, so that nothing is sent into one that was deleted.
DROP FUNCTION send_message;
CREATE FUNCTION send_message(p_user uuid, p_id uuid, p_conversation uuid, p_parent uuid, p_model text, p_content text,
  p_title text, p_cost integer, p_owner uuid, p_max_running integer, p_at timestamptz, p_folded_title text,
  p_temporary boolean, OUT result text, OUT balance integer, OUT sent_at timestamptz, OUT title text,
  OUT started_at timestamptz, OUT pinned_at timestamptz, OUT is_temporary boolean)
LANGUAGE plpgsql AS $$
DECLARE
  v_message      messages;
  v_conversation conversations;
BEGIN
  PERFORM FROM credit.account WHERE user_id = p_user FOR NO KEY UPDATE;

  SELECT * INTO v_message FROM messages WHERE id = p_id;
  IF FOUND THEN
    result := CASE
      WHEN v_message.user_id <> p_user THEN 'not_found'
      WHEN (v_message.conversation_id, v_message.parent_id, v_message.model, v_message.content)
           IS NOT DISTINCT FROM (p_conversation, p_parent, p_model, p_content) THEN 'duplicate'
      ELSE 'key_reused' END;
    RETURN;
  END IF;

  SELECT * INTO v_conversation FROM conversations WHERE id = p_conversation FOR NO KEY UPDATE;
  IF v_conversation.user_id <> p_user OR v_conversation.deleted_at IS NOT NULL
     OR (v_conversation.id IS NULL AND p_parent IS NOT NULL) THEN
    result := 'not_found';
    RETURN;
  END IF;
  IF p_parent IS NOT NULL THEN
    SELECT * INTO v_message FROM messages WHERE id = p_parent AND conversation_id = p_conversation;
    IF NOT FOUND OR v_message.status = 'running' THEN
      result := CASE WHEN FOUND THEN 'parent_running' ELSE 'not_found' END;
      RETURN;
    END IF;
  END IF;

  IF (SELECT count(*) FROM messages WHERE user_id = p_user AND status = 'running') >= p_max_running THEN
    result := 'too_many';
    RETURN;
  END IF;

  SELECT t.result, t.balance INTO result, balance FROM credit.take_hold(p_user, p_id, p_cost, p_model, p_at) t;
  IF result <> 'held' THEN
    -- A hold without its message: the message was deleted since.
    result := CASE result WHEN 'duplicate' THEN 'key_reused' ELSE result END;
    RETURN;
  END IF;

  sent_at := coalesce(p_at, clock_timestamp());
  INSERT INTO conversations AS c (id, user_id, title, folded_title, created_at, updated_at, is_temporary)
  VALUES (p_conversation, p_user, p_title, p_folded_title, sent_at, sent_at, p_temporary)
  ON CONFLICT (id) DO UPDATE SET updated_at = greatest(c.updated_at, excluded.updated_at), archived_at = NULL
   WHERE c.user_id = p_user
  RETURNING c.title, c.created_at, c.pinned_at, c.is_temporary INTO title, started_at, pinned_at, is_temporary;
  INSERT INTO messages (id, user_id, conversation_id, parent_id, model, content, cost, owner, created_at)
  VALUES (p_id, p_user, p_conversation, p_parent, p_model, p_content, p_cost, p_owner, sent_at);
  result := 'sent';
END $$;

-- Ends a message that p_owner still runs: the final state, the last events, and the hold, together or not at all. Returns null
-- when somebody else ended it before, else the user's balance.
DROP FUNCTION end_message;
CREATE FUNCTION end_message(p_id uuid, p_owner uuid, p_status text, p_response text, p_error_code text,
  p_model_version text, p_upstream_model text, p_usage jsonb, p_context_trimmed boolean, p_charged boolean, p_reason text,
  p_end_seq integer, p_first_seq integer, p_events jsonb, p_at timestamptz, p_first_text_ms integer,
  p_upstream_switched boolean, OUT balance integer, OUT ended_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  v_user uuid;
  v_hold record;
BEGIN
  UPDATE messages m SET status = p_status, response = p_response, error_code = p_error_code, model_version = p_model_version,
         upstream_model = p_upstream_model, usage = p_usage, context_trimmed = p_context_trimmed, end_seq = p_end_seq,
         first_text_ms = p_first_text_ms, upstream_switched = p_upstream_switched,
         credits_used = CASE WHEN p_charged THEN cost ELSE 0 END, ended_at = coalesce(p_at, clock_timestamp())
   WHERE m.id = p_id AND m.owner = p_owner AND m.status = 'running'
   RETURNING m.user_id, m.ended_at INTO v_user, ended_at;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF p_first_seq < p_end_seq THEN
    INSERT INTO message_events AS e (message_id, first_seq, last_seq, events)
    VALUES (p_id, p_first_seq, p_end_seq - 1, p_events)
    ON CONFLICT (message_id, first_seq) DO UPDATE SET last_seq = excluded.last_seq, events = excluded.events
     WHERE excluded.last_seq > e.last_seq;
  END IF;
  INSERT INTO search_queue VALUES (p_id) ON CONFLICT DO NOTHING;
  SELECT * INTO v_hold FROM credit.close_hold(v_user, p_id, CASE WHEN p_charged THEN 'settled' ELSE 'released' END, p_reason, p_at);
  IF NOT v_hold.closed THEN
    RAISE EXCEPTION 'message % was running without a hold', p_id;
  END IF;
  balance := v_hold.balance;
END $$;

-- Ends those of the messages that still run as interrupted: what the log has of their answers is kept, the hold released.
-- Several processes may call it at once for the same messages; each message is returned to exactly one of them.
CREATE OR REPLACE FUNCTION interrupt_messages(p_ids uuid[], p_at timestamptz)
RETURNS TABLE (message_id uuid, user_id uuid, balance integer) LANGUAGE plpgsql AS $$
DECLARE
  v_message record;
  v_log     record;
BEGIN
  FOR v_message IN
    SELECT m.id, m.user_id FROM messages m WHERE m.id = ANY (p_ids) AND m.status = 'running'
     ORDER BY m.user_id, m.id FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    SELECT coalesce(string_agg(e.event -> 1 ->> 'text', '' ORDER BY l.first_seq, e.n) FILTER (WHERE e.event ->> 0 = 'text'), '')
             AS response,
           coalesce(bool_or(e.event -> 1 ->> 'code' = 'context_trimmed'), false) AS trimmed,
           coalesce(bool_or(e.event -> 1 ->> 'code' = 'upstream_switched'), false) AS switched,
           coalesce(max(l.last_seq), 0) + 1 AS end_seq
      INTO v_log
      FROM message_events l CROSS JOIN jsonb_array_elements(l.events) WITH ORDINALITY AS e (event, n)
     WHERE l.message_id = v_message.id;
    UPDATE messages m SET status = 'interrupted', response = v_log.response, error_code = 'interrupted',
           context_trimmed = v_log.trimmed, upstream_switched = v_log.switched, end_seq = v_log.end_seq,
           ended_at = coalesce(p_at, clock_timestamp())
     WHERE m.id = v_message.id;
    INSERT INTO search_queue VALUES (v_message.id) ON CONFLICT DO NOTHING;
    SELECT v_message.id, v_message.user_id, h.balance INTO message_id, user_id, balance
      FROM credit.close_hold(v_message.user_id, v_message.id, 'released', 'interrupted', p_at) h;
    RETURN NEXT;
  END LOOP;
END $$;
