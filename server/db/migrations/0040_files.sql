-- Files of users: uploaded in pieces, read by a job, named by messages (decision 67). Whatever deletes a user, a conversation or a
-- file deletes its bytes here; what lies outside goes through a queue that the triggers in functions/files.sql fill.

CREATE TABLE files (
  id              uuid PRIMARY KEY,
  user_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  conversation_id uuid REFERENCES conversations ON DELETE CASCADE,
  name            text NOT NULL,
  bytes           bigint NOT NULL,
  received        bigint NOT NULL DEFAULT 0,
  state           text NOT NULL DEFAULT 'uploading',
  storage         text NOT NULL,
  type            text,
  sha256          bytea,
  pages           integer,
  tokens          integer,
  width           integer,
  height          integer,
  has_text        boolean NOT NULL DEFAULT false,
  has_thumbnail   boolean NOT NULL DEFAULT false,
  every_turn      boolean NOT NULL DEFAULT true,
  error_code      text,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz,
  tries           integer NOT NULL DEFAULT 0,
  next_try_at     timestamptz,
  error           text,
  CONSTRAINT files_state CHECK (state = ANY ('{uploading,reading,ready,failed}'::text[])),
  CONSTRAINT files_storage CHECK (storage = ANY ('{database,s3}'::text[])),
  CONSTRAINT files_name CHECK (name <> ''),
  CONSTRAINT files_received CHECK (bytes > 0 AND received >= 0 AND received <= bytes),
  CONSTRAINT files_whole CHECK (state = 'uploading' OR received = bytes),
  CONSTRAINT files_waits CHECK ((state = 'reading') = (next_try_at IS NOT NULL)),
  CONSTRAINT files_read CHECK (state <> 'ready' OR (type IS NOT NULL AND sha256 IS NOT NULL AND tokens IS NOT NULL)),
  CONSTRAINT files_failed CHECK ((state = 'failed') = (error_code IS NOT NULL)),
  CONSTRAINT files_hash CHECK (length(sha256) = 32),
  CONSTRAINT files_home CHECK ((conversation_id IS NULL) = (expires_at IS NOT NULL) AND (conversation_id IS NULL OR state = 'ready'))
);
CREATE INDEX files_user ON files (user_id, id);
CREATE INDEX files_conversation ON files (conversation_id, id) WHERE conversation_id IS NOT NULL;
CREATE INDEX files_due ON files (next_try_at) WHERE state = 'reading';
CREATE INDEX files_expiry ON files (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE file_chunks (
  file_id uuid NOT NULL REFERENCES files ON DELETE CASCADE,
  part    text NOT NULL,
  start   bigint NOT NULL,
  length  integer NOT NULL,
  bytes   bytea,
  object  text,
  PRIMARY KEY (file_id, part, start),
  CONSTRAINT file_chunks_part CHECK (part = ANY ('{content,thumbnail,text}'::text[])),
  CONSTRAINT file_chunks_place CHECK (start >= 0 AND length > 0),
  CONSTRAINT file_chunks_bytes CHECK ((bytes IS NULL) <> (object IS NULL)),
  CONSTRAINT file_chunks_length CHECK (bytes IS NULL OR length(bytes) = length)
);
ALTER TABLE file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE file_copies (
  file_id    uuid NOT NULL REFERENCES files ON DELETE CASCADE,
  project    text NOT NULL,
  name       text NOT NULL,
  uri        text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (file_id, project)
);

CREATE TABLE file_removals (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind        text NOT NULL,
  project     text,
  target      text NOT NULL,
  tries       integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  error       text,
  CONSTRAINT file_removals_kind CHECK (kind = ANY ('{objects,copy}'::text[])),
  CONSTRAINT file_removals_project CHECK ((kind = 'copy') = (project IS NOT NULL))
);
CREATE INDEX file_removals_due ON file_removals (kind, next_try_at);
