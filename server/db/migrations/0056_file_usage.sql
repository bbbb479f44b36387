-- What the files of a user take, counted, and when a message first named a file: neither is reckoned from all that is kept. The triggers
-- that move the counter come with this migration: until then no file is written.
ALTER TABLE files ADD COLUMN text_bytes bigint NOT NULL DEFAULT 0, ADD COLUMN named_at timestamptz, ADD COLUMN named_n integer;
UPDATE files f SET text_bytes = t.bytes
  FROM (SELECT file_id, sum(length) AS bytes FROM file_chunks WHERE part = 'text' GROUP BY file_id) t
 WHERE t.file_id = f.id AND f.has_text;
UPDATE files f SET named_at = n.created_at, named_n = n.n
  FROM (SELECT DISTINCT ON (part ->> 'fileId') part ->> 'fileId' AS id, m.user_id, m.conversation_id, m.created_at, asked.n
          FROM (SELECT DISTINCT conversation_id FROM files WHERE conversation_id IS NOT NULL) c
               JOIN messages m ON m.conversation_id = c.conversation_id
               CROSS JOIN jsonb_array_elements(m.input -> 'parts') WITH ORDINALITY AS asked (part, n)
         WHERE part ? 'fileId' ORDER BY part ->> 'fileId', m.created_at, asked.n) n
 WHERE f.id::text = n.id AND f.user_id = n.user_id AND f.conversation_id = n.conversation_id;
CREATE TABLE file_usage (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  bytes bigint NOT NULL
);
INSERT INTO file_usage (user_id, bytes) SELECT user_id, sum(greatest(bytes, text_bytes)) FROM files GROUP BY user_id;
CREATE INDEX files_unnamed ON files (user_id) WHERE expires_at IS NOT NULL;
