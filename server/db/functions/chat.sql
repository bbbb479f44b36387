-- Functions and triggers of messages. Applied again when this text changes; CONTRIBUTING.md says how to change one.
--
-- A message and its hold are made in one transaction and end in one transaction. Lock order everywhere: a message that is being
-- ended, then the row of its user, then the account, then the conversation. Sending locks no message, so that the two never wait for
-- each other in a circle. A new row that refers to the user takes a key share of the user's row, and a change of address takes that
-- row and then the account: whoever has both takes the key share first. p_at is the time of the operation; null means the
-- database's clock.

-- Which number of free messages without an answer is reached for today (UTC), by the browser or by a key; null: none (decision 50).
-- Called by send_message and send_api_message, under the account's lock.
-- In:  p_key, null for the browser; p_max_unanswered, of those that the provider had begun and the user ended; p_max_uncharged, of
--      all. The browser has both for itself, all keys together have both, and each key half of them.
CREATE OR REPLACE FUNCTION reached_free_limit(p_user uuid, p_key uuid, p_max_unanswered integer, p_max_uncharged integer,
  p_at timestamptz) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT CASE
             WHEN sum(ended_by_user) >= p_max_unanswered THEN p_max_unanswered
             WHEN sum(uncharged) >= p_max_uncharged THEN p_max_uncharged
             WHEN sum(ended_by_user) FILTER (WHERE key_id = p_key) >= (p_max_unanswered + 1) / 2 THEN (p_max_unanswered + 1) / 2
             WHEN sum(uncharged) FILTER (WHERE key_id = p_key) >= (p_max_uncharged + 1) / 2 THEN (p_max_uncharged + 1) / 2
           END
      FROM free_messages
     WHERE user_id = p_user AND day = (coalesce(p_at, clock_timestamp()) AT TIME ZONE 'UTC')::date
       AND (key_id IS NULL) = (p_key IS NULL));
END $$;

-- Sends one message: the whole decision under the account's lock, in one round trip. Called by chat/message-store/store.ts.
-- In:  p_cost, the price in Credits; p_owner, the instance that will generate the answer; p_max_running, how many answers of one
--      user may run; p_max_unanswered and p_max_uncharged, as of `reached_free_limit`; p_folded_title, the title as search
--      compares it; p_input, what is sent besides text, null without any: the same message has the same but for the quote,
--      `reads`, the files that were looked for and are read, and `computer`, the steps of a browser that it may take.
-- Out: result, one of sent | duplicate | key_reused | model_paused | not_found | parent_running | reads_files | too_many | too_many_unanswered |
--      insufficient | frozen. `reads_files`: files of the conversation are read in every turn, and nothing says which. Only `sent` leaves rows behind. balance: what is left to spend. title, started_at, pinned_at, is_temporary: of the
--      conversation. free_limit: which number of free messages was reached.
CREATE OR REPLACE FUNCTION send_message(p_user uuid, p_id uuid, p_conversation uuid, p_parent uuid, p_model text, p_content text,
  p_title text, p_cost integer, p_owner uuid, p_max_running integer, p_at timestamptz, p_folded_title text,
  p_temporary boolean, p_max_unanswered integer, p_max_uncharged integer, p_input jsonb, OUT result text, OUT balance integer,
  OUT sent_at timestamptz, OUT title text, OUT started_at timestamptz, OUT pinned_at timestamptz, OUT is_temporary boolean,
  OUT free_limit integer)
LANGUAGE plpgsql AS $$
DECLARE
  v_message      messages;
  v_conversation conversations;
  v_depth        integer := 0;
  v_chain        uuid := p_id;
  v_fork_of      uuid;
BEGIN
  -- A new conversation refers to its user.
  IF p_parent IS NULL THEN
    PERFORM FROM users WHERE id = p_user FOR KEY SHARE;
  END IF;
  PERFORM FROM credit.account WHERE user_id = p_user FOR NO KEY UPDATE;

  SELECT * INTO v_message FROM messages WHERE id = p_id;
  IF FOUND THEN
    result := CASE
      WHEN v_message.user_id <> p_user THEN 'not_found'
      WHEN (v_message.conversation_id, v_message.parent_id, v_message.model, v_message.content,
            nullif(v_message.input - '{quote,reads,computer}'::text[], '{}'))
           IS NOT DISTINCT FROM (p_conversation, p_parent, p_model, p_content, nullif(p_input - '{quote,reads,computer}'::text[], '{}')) THEN 'duplicate'
      ELSE 'key_reused' END;
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM paused_models p WHERE p.model = p_model) THEN
    result := 'model_paused';
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
    v_depth := v_message.depth + 1;
    IF EXISTS (SELECT FROM messages WHERE chain_id = v_message.chain_id AND depth = v_depth) THEN
      v_fork_of := v_message.chain_id;
    ELSE
      v_chain := v_message.chain_id;
    END IF;
  END IF;

  IF p_parent IS NOT NULL AND p_input -> 'reads' IS NULL
     AND EXISTS (SELECT FROM files WHERE conversation_id = p_conversation AND every_turn) THEN
    result := 'reads_files';
    RETURN;
  END IF;

  IF (SELECT count(*) FROM messages WHERE user_id = p_user AND status = 'running') >= p_max_running THEN
    result := 'too_many';
    RETURN;
  END IF;
  free_limit := reached_free_limit(p_user, NULL, p_max_unanswered, p_max_uncharged, p_at);
  IF free_limit IS NOT NULL THEN
    result := 'too_many_unanswered';
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
  INSERT INTO messages (id, user_id, conversation_id, parent_id, model, content, cost, owner, created_at, depth, chain_id, fork_of, input)
  VALUES (p_id, p_user, p_conversation, p_parent, p_model, p_content, p_cost, p_owner, sent_at, v_depth, v_chain, v_fork_of, p_input);
  result := 'sent';
END $$;

-- The same for a server of the version before, which sends text alone. The version after this one drops it.
CREATE OR REPLACE FUNCTION send_message(p_user uuid, p_id uuid, p_conversation uuid, p_parent uuid, p_model text, p_content text,
  p_title text, p_cost integer, p_owner uuid, p_max_running integer, p_at timestamptz, p_folded_title text,
  p_temporary boolean, p_max_unanswered integer, p_max_uncharged integer, OUT result text, OUT balance integer,
  OUT sent_at timestamptz, OUT title text, OUT started_at timestamptz, OUT pinned_at timestamptz, OUT is_temporary boolean,
  OUT free_limit integer)
LANGUAGE plpgsql AS $$
BEGIN
  SELECT s.* INTO result, balance, sent_at, title, started_at, pinned_at, is_temporary, free_limit
    FROM send_message(p_user, p_id, p_conversation, p_parent, p_model, p_content, p_title, p_cost, p_owner, p_max_running, p_at,
      p_folded_title, p_temporary, p_max_unanswered, p_max_uncharged, NULL::jsonb) s;
END $$;

-- Trigger. Places a message below its parent for an INSERT that does not say the place (decision 41); send_message says it, because
-- it has read the parent already. Without the conversation's lock the unique index refuses a second message in one place.
CREATE OR REPLACE FUNCTION place_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.depth := 0;
  NEW.chain_id := NEW.id;
  IF NEW.parent_id IS NOT NULL THEN
    SELECT p.depth + 1, CASE WHEN f.has_child THEN NEW.id ELSE p.chain_id END, CASE WHEN f.has_child THEN p.chain_id END
      INTO NEW.depth, NEW.chain_id, NEW.fork_of
      FROM messages p CROSS JOIN LATERAL (
        SELECT EXISTS (SELECT FROM messages c WHERE c.chain_id = p.chain_id AND c.depth = p.depth + 1) AS has_child) f
     WHERE p.id = NEW.parent_id;
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER messages_place BEFORE INSERT ON messages
  FOR EACH ROW WHEN (NEW.conversation_id IS NOT NULL AND NEW.chain_id IS NULL) EXECUTE FUNCTION place_message();

-- Ends a message that p_owner still runs: the final state, the last events and the hold, together or not at all. Called by
-- chat/generation/run-store.ts.
-- In:  p_charged, whether the hold is settled or released, for p_reason; p_charge, what of it is spent, and p_lines, what for: both
--      null where all of it is, for one thing; p_output and p_kept, what the answer is besides text; p_first_seq and p_end_seq, the range of p_events and the
--      number of the end event; p_is_uncharged and p_is_unanswered, whether it is a free message of the day (decision 50), and one
--      that the user ended; p_provider_cost, as record_provider_cost takes it, null where no provider was asked.
-- Out: nulls when another call ended it before, else the user's balance and the time of the end.
-- Error: an exception when the message ran without a hold, which is a bug.
CREATE OR REPLACE FUNCTION end_message(p_id uuid, p_owner uuid, p_status text, p_response text, p_error_code text,
  p_model_version text, p_upstream_model text, p_usage jsonb, p_context_trimmed boolean, p_charged boolean, p_reason text,
  p_end_seq integer, p_first_seq integer, p_events jsonb, p_at timestamptz, p_first_text_ms integer,
  p_upstream_switched boolean, p_finish_reason text, p_is_unanswered boolean, p_is_uncharged boolean, p_charge integer,
  p_lines jsonb, p_output jsonb, p_kept text, p_provider_cost jsonb, OUT balance integer,
  OUT ended_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  v_user  uuid;
  v_hold  record;
  v_input jsonb;
  v_cost  integer;
  v_used  integer;
  v_model text;
  v_more  integer := 0;
BEGIN
  UPDATE messages m SET status = p_status, response = p_response, error_code = p_error_code, model_version = p_model_version,
         upstream_model = p_upstream_model, usage = p_usage, context_trimmed = p_context_trimmed, end_seq = p_end_seq,
         first_text_ms = p_first_text_ms, upstream_switched = p_upstream_switched, finish_reason = p_finish_reason,
         output = p_output, kept = p_kept,
         credits_used = CASE WHEN p_charged THEN coalesce(p_charge, cost) ELSE 0 END, ended_at = coalesce(p_at, clock_timestamp())
   WHERE m.id = p_id AND m.owner = p_owner AND m.status = 'running'
   RETURNING m.user_id, m.ended_at, m.input, m.cost, m.credits_used, m.model INTO v_user, ended_at, v_input, v_cost, v_used, v_model;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF p_is_uncharged THEN
    INSERT INTO free_messages AS f (user_id, day, key_id, ended_by_user, uncharged)
    VALUES (v_user, (ended_at AT TIME ZONE 'UTC')::date, (SELECT key_id FROM api_requests WHERE message_id = p_id),
      p_is_unanswered::integer, 1)
    ON CONFLICT (user_id, day, key_id) DO UPDATE
      SET ended_by_user = f.ended_by_user + excluded.ended_by_user, uncharged = f.uncharged + 1;
  END IF;
  IF p_first_seq < p_end_seq THEN
    INSERT INTO message_events AS e (message_id, first_seq, last_seq, events)
    VALUES (p_id, p_first_seq, p_end_seq - 1, p_events)
    ON CONFLICT (message_id, first_seq) DO UPDATE SET last_seq = excluded.last_seq, events = excluded.events
     WHERE excluded.last_seq > e.last_seq;
  END IF;
  PERFORM delete_unnamed_files(p_id, p_output);
  INSERT INTO search_queue VALUES (p_id) ON CONFLICT DO NOTHING;
  IF p_provider_cost IS NOT NULL THEN
    PERFORM record_provider_cost(v_user, p_id, 'answer', v_model, v_used, p_provider_cost, ended_at);
  END IF;
  SELECT * INTO v_hold FROM credit.close_hold(v_user, p_id, CASE WHEN p_charged THEN 'settled' ELSE 'released' END, p_reason, p_at);
  IF NOT v_hold.closed THEN
    RAISE EXCEPTION 'message % was running without a hold', p_id;
  END IF;
  balance := v_hold.balance;
  IF v_input ? 'computer' THEN
    SELECT c.spent, c.balance INTO v_more, balance
      FROM credit.close_more(v_user, p_id, CASE WHEN p_charged THEN coalesce(p_charge, v_cost) ELSE 0 END, p_reason, balance, p_at) c;
  END IF;
  IF p_charged AND p_charge IS NOT NULL THEN
    balance := credit.return_unused(v_user, p_id, p_charge - v_more, without_more(p_lines, v_more), balance, p_at);
  END IF;
END $$;

-- What the message's own hold was spent for, without the steps that were taken for more. Called by end_message.
CREATE OR REPLACE FUNCTION without_more(p_lines jsonb, p_more integer) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_more WHEN 0 THEN p_lines ELSE (
    SELECT coalesce(jsonb_agg(CASE l ->> 'kind'
             WHEN 'computer' THEN jsonb_set(l, '{credits}', to_jsonb((l ->> 'credits')::integer - p_more)) ELSE l END ORDER BY n), '[]')
      FROM jsonb_array_elements(p_lines) WITH ORDINALITY AS e (l, n)
     WHERE l ->> 'kind' <> 'computer' OR (l ->> 'credits')::integer > p_more) END
$$;

-- The same for a server of the version before, which reckons no costs. The version after this one drops it.
CREATE OR REPLACE FUNCTION end_message(p_id uuid, p_owner uuid, p_status text, p_response text, p_error_code text,
  p_model_version text, p_upstream_model text, p_usage jsonb, p_context_trimmed boolean, p_charged boolean, p_reason text,
  p_end_seq integer, p_first_seq integer, p_events jsonb, p_at timestamptz, p_first_text_ms integer,
  p_upstream_switched boolean, p_finish_reason text, p_is_unanswered boolean, p_is_uncharged boolean, p_charge integer,
  p_lines jsonb, p_output jsonb, p_kept text, OUT balance integer, OUT ended_at timestamptz)
LANGUAGE plpgsql AS $$
BEGIN
  SELECT e.* INTO balance, ended_at
    FROM end_message(p_id, p_owner, p_status, p_response, p_error_code, p_model_version, p_upstream_model, p_usage, p_context_trimmed,
      p_charged, p_reason, p_end_seq, p_first_seq, p_events, p_at, p_first_text_ms, p_upstream_switched, p_finish_reason,
      p_is_unanswered, p_is_uncharged, p_charge, p_lines, p_output, p_kept, NULL::jsonb) e;
END $$;

-- The same for the version before that one, which sends text alone.
CREATE OR REPLACE FUNCTION end_message(p_id uuid, p_owner uuid, p_status text, p_response text, p_error_code text,
  p_model_version text, p_upstream_model text, p_usage jsonb, p_context_trimmed boolean, p_charged boolean, p_reason text,
  p_end_seq integer, p_first_seq integer, p_events jsonb, p_at timestamptz, p_first_text_ms integer,
  p_upstream_switched boolean, p_finish_reason text, p_is_unanswered boolean, p_is_uncharged boolean, OUT balance integer,
  OUT ended_at timestamptz)
LANGUAGE plpgsql AS $$
BEGIN
  SELECT e.* INTO balance, ended_at
    FROM end_message(p_id, p_owner, p_status, p_response, p_error_code, p_model_version, p_upstream_model, p_usage, p_context_trimmed,
      p_charged, p_reason, p_end_seq, p_first_seq, p_events, p_at, p_first_text_ms, p_upstream_switched, p_finish_reason,
      p_is_unanswered, p_is_uncharged, NULL::integer, NULL::jsonb, NULL::jsonb, NULL::text) e;
END $$;

-- Ends those of the messages that still run as interrupted: what the log has of their answers is kept, the hold is released.
-- Called by chat/generation/run-store.ts for dead processes, for the shutdown of a process, and for ends that could not be stored.
-- In:  p_provider_costs, by message, as record_provider_cost takes it; null where no provider was asked.
-- Out: one row for each message that this call ended. Several processes may call it at once for the same messages; each message is
--      returned to exactly one of them.
CREATE OR REPLACE FUNCTION interrupt_messages(p_ids uuid[], p_at timestamptz, p_provider_costs jsonb)
RETURNS TABLE (message_id uuid, user_id uuid, balance integer) LANGUAGE plpgsql AS $$
DECLARE
  v_message record;
  v_log     record;
BEGIN
  FOR v_message IN
    SELECT m.id, m.user_id, m.model, m.input ? 'computer' AS drives FROM messages m WHERE m.id = ANY (p_ids) AND m.status = 'running'
     ORDER BY m.user_id, m.id FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    -- What a later message of the same user cost refers to the user, whose account is locked by then.
    PERFORM FROM users u WHERE u.id = v_message.user_id FOR KEY SHARE;
    SELECT coalesce(string_agg(e.event -> 1 ->> 'text', '' ORDER BY l.first_seq, e.n) FILTER (WHERE e.event ->> 0 = 'text'), '')
             AS response,
           coalesce(bool_or(e.event -> 1 ->> 'code' = 'context_trimmed'), false) AS trimmed,
           coalesce(bool_or(e.event -> 1 ->> 'code' = 'upstream_switched'), false) AS switched,
           coalesce(max(l.last_seq), 0) + 1 AS end_seq,
           CASE WHEN bool_or(e.event ->> 0 IN ('part', 'reasoning')) THEN jsonb_build_object('parts', jsonb_agg(
             CASE e.event ->> 0 WHEN 'part' THEN end_confirmation(e.event -> 1 -> 'part') ELSE e.event -> 1 || jsonb_build_object('kind', e.event -> 0) END
             ORDER BY l.first_seq, e.n) FILTER (WHERE e.event ->> 0 IN ('text', 'part', 'reasoning'))) END AS output
      INTO v_log
      FROM message_events l CROSS JOIN jsonb_array_elements(l.events) WITH ORDINALITY AS e (event, n)
     WHERE l.message_id = v_message.id;
    UPDATE messages m SET status = 'interrupted', response = v_log.response, error_code = 'interrupted',
           output = v_log.output, context_trimmed = v_log.trimmed, upstream_switched = v_log.switched, end_seq = v_log.end_seq,
           ended_at = coalesce(p_at, clock_timestamp())
     WHERE m.id = v_message.id;
    PERFORM delete_unnamed_files(v_message.id, v_log.output);
    INSERT INTO search_queue VALUES (v_message.id) ON CONFLICT DO NOTHING;
    IF jsonb_typeof(p_provider_costs -> v_message.id::text) = 'object' THEN
      PERFORM record_provider_cost(v_message.user_id, v_message.id, 'answer', v_message.model, 0,
        p_provider_costs -> v_message.id::text, coalesce(p_at, clock_timestamp()));
    END IF;
    SELECT v_message.id, v_message.user_id, h.balance INTO message_id, user_id, balance
      FROM credit.close_hold(v_message.user_id, v_message.id, 'released', 'interrupted', p_at) h;
    IF v_message.drives THEN
      SELECT c.balance INTO balance FROM credit.close_more(v_message.user_id, v_message.id, 0, 'interrupted', balance, p_at) c;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- The same for a server of the version before, which reckons no costs. The version after this one drops it.
CREATE OR REPLACE FUNCTION interrupt_messages(p_ids uuid[], p_at timestamptz)
RETURNS TABLE (message_id uuid, user_id uuid, balance integer) LANGUAGE sql AS $$
  SELECT i.* FROM interrupt_messages(p_ids, p_at, '{}'::jsonb) i
$$;

-- Records what an answer, or what was written beside it, cost at its provider (decision 90): once. Called by end_message() and
-- interrupt_messages() in the transaction that ends the message, and by chat/costs/cost-store.ts for what is written beside it.
-- In:  p_kind, answer | title | follow_ups; p_credits, what the user was charged; p_cost, a row as chat/costs/cost-rules.ts makes it.
CREATE OR REPLACE FUNCTION record_provider_cost(p_user uuid, p_message uuid, p_kind text, p_model text, p_credits integer, p_cost jsonb,
  p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO provider_costs (user_id, message_id, kind, at, model, plan_key, features, credits, provider, upstream_model, input_tokens,
    cached_input_tokens, output_tokens, thinking_tokens, searches, pictures, uses, price_day, is_estimate, cost_pico_usd, unknown)
  SELECT p_user, p_message, p_kind, p_at, p_model,
         (SELECT plan_key FROM subscriptions s WHERE s.user_id = p_user AND s.active
             AND (s.expires_at IS NULL OR greatest(s.expires_at, s.access_until) > p_at)),
         c.features, p_credits, c.provider, c.upstream_model, c.input_tokens, c.cached_input_tokens, c.output_tokens, c.thinking_tokens,
         c.searches, c.pictures, c.uses, c.price_day, c.is_estimate, c.cost_pico_usd, c.unknown
    FROM jsonb_to_record(p_cost) AS c (features text[], provider text, upstream_model text, input_tokens bigint,
      cached_input_tokens bigint, output_tokens bigint, thinking_tokens bigint, searches integer, pictures integer, uses jsonb,
      price_day date, is_estimate boolean, cost_pico_usd numeric, unknown text[]);
END $$;

-- A part of an answer whose run is over: nothing waits for an answer any more. Called by interrupt_messages.
CREATE OR REPLACE FUNCTION end_confirmation(p_part jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_part ->> 'kind' = 'confirmation' AND p_part ->> 'state' = 'waiting'
              THEN jsonb_set(p_part, '{state}', '"ended"') ELSE p_part END
$$;

-- What the search index knows a text by: each of the text's 32,768 slots becomes one number of its user (decision 17). The index
-- search_index_keys stands on it: other numbers for the same slots need a migration that builds the index again.
CREATE OR REPLACE FUNCTION search_keys(p_user uuid, p_slots smallint[]) RETURNS bigint[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  v_user bigint := hashtextextended(p_user::text, 0) & ~32767::bigint;
BEGIN
  RETURN ARRAY(SELECT v_user | slot FROM unnest(p_slots) slot);
END $$;

-- The newest texts of an indexed user after a place that have all words, newest first; `findTexts` of the search store calls it.
-- In: the user, what the index knows the words by, the folded words, the place (time and id of a message), how many at most.
-- Candidates come from the index and are compared with their text one by one until there are enough. Without sequential scans one
-- plan is left, whatever the planner guesses of one user (decision 48).
CREATE OR REPLACE FUNCTION find_texts(p_user uuid, p_slots smallint[], p_words text[], p_before_at timestamptz, p_before_id uuid, p_limit int)
RETURNS TABLE (message_id uuid, sent_at timestamptz) LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
  v_left int := p_limit;
BEGIN
  FOR message_id, sent_at IN
    SELECT i.message_id, i.sent_at FROM search_index i
     WHERE search_keys(i.user_id, i.slots) @> search_keys(p_user, p_slots) AND i.user_id = p_user
       AND (i.sent_at, i.message_id) < (p_before_at, p_before_id)
     ORDER BY i.sent_at DESC, i.message_id DESC
  LOOP
    CONTINUE WHEN NOT EXISTS (
      SELECT FROM search_texts t JOIN conversations c ON c.id = t.conversation_id
       WHERE t.message_id = find_texts.message_id AND c.deleted_at IS NULL
         AND (SELECT bool_and(strpos(t.body, word) > 0) FROM unnest(p_words) word));
    RETURN NEXT;
    v_left := v_left - 1;
    EXIT WHEN v_left = 0;
  END LOOP;
END $$;
