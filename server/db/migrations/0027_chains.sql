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

-- Places a message below its parent. Who sends holds the conversation's lock; without it the unique index refuses the second.
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
