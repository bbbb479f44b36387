-- Each message of a conversation knows its place, so that any page of a branch is read by ranges of depth (decision 41).
ALTER TABLE messages
  ADD COLUMN depth    integer,  -- the number of messages above it
  ADD COLUMN chain_id uuid,     -- the first child goes on in the chain of its parent; every other message begins one, under its own id
  ADD COLUMN fork_of  uuid;     -- the first message of a chain: the chain that its parent is in

-- What is there is placed step by step by an index, whatever the statistics say; a table that was just restored has none.
SET LOCAL enable_seqscan = off;
CREATE TEMPORARY TABLE places ON COMMIT DROP AS
WITH RECURSIVE place AS (
  SELECT id, conversation_id, 0 AS depth, id AS chain_id, NULL::uuid AS fork_of
    FROM messages WHERE conversation_id IS NOT NULL AND parent_id IS NULL
  UNION ALL
  SELECT c.id, p.conversation_id, p.depth + 1, CASE c.n WHEN 1 THEN p.chain_id ELSE c.id END,
         CASE c.n WHEN 1 THEN NULL ELSE p.chain_id END
    FROM place p CROSS JOIN LATERAL (
      SELECT m.id, row_number() OVER (ORDER BY m.created_at, m.id) AS n FROM messages m
       WHERE m.conversation_id = p.conversation_id AND m.parent_id = p.id OFFSET 0) c)
SELECT id, depth, chain_id, fork_of FROM place;
RESET enable_seqscan;
ANALYZE places;
UPDATE messages m SET depth = p.depth, chain_id = p.chain_id, fork_of = p.fork_of FROM places p WHERE p.id = m.id;

CREATE UNIQUE INDEX messages_chains ON messages (chain_id, depth);
CREATE INDEX messages_forks ON messages (fork_of, depth) WHERE fork_of IS NOT NULL;
ALTER TABLE messages
  ADD CONSTRAINT messages_has_place CHECK (num_nulls(conversation_id, chain_id, depth) = ANY ('{0,3}')),
  ADD CONSTRAINT messages_depth CHECK ((parent_id IS NULL) = (depth = 0)),
  ADD CONSTRAINT messages_fork_begins_chain CHECK ((fork_of IS NOT NULL) = (chain_id = id AND parent_id IS NOT NULL));

-- Places a message below its parent for whoever inserts one without saying its place; send_message, below, says it, because it has
-- read the parent already. Without the conversation's lock the unique index refuses a second message in one place.
CREATE FUNCTION place_message() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER messages_place BEFORE INSERT ON messages
  FOR EACH ROW WHEN (NEW.conversation_id IS NOT NULL AND NEW.chain_id IS NULL) EXECUTE FUNCTION place_message();

-- As in 0005, with the place. Results: sent | duplicate | key_reused | not_found | parent_running | too_many | insufficient | frozen.
-- Only `sent` leaves rows behind. Lock order: the account, then the conversation, so that nothing is sent into one that was deleted.
CREATE OR REPLACE FUNCTION send_message(p_user uuid, p_id uuid, p_conversation uuid, p_parent uuid, p_model text, p_content text,
  p_title text, p_cost integer, p_owner uuid, p_max_running integer, p_at timestamptz, p_folded_title text,
  p_temporary boolean, OUT result text, OUT balance integer, OUT sent_at timestamptz, OUT title text,
  OUT started_at timestamptz, OUT pinned_at timestamptz, OUT is_temporary boolean)
LANGUAGE plpgsql AS $$
DECLARE
  v_message      messages;
  v_conversation conversations;
  v_depth        integer := 0;
  v_chain        uuid := p_id;
  v_fork_of      uuid;
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
    v_depth := v_message.depth + 1;
    IF EXISTS (SELECT FROM messages WHERE chain_id = v_message.chain_id AND depth = v_depth) THEN
      v_fork_of := v_message.chain_id;
    ELSE
      v_chain := v_message.chain_id;
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
  INSERT INTO messages (id, user_id, conversation_id, parent_id, model, content, cost, owner, created_at, depth, chain_id, fork_of)
  VALUES (p_id, p_user, p_conversation, p_parent, p_model, p_content, p_cost, p_owner, sent_at, v_depth, v_chain, v_fork_of);
  result := 'sent';
END $$;
