import { z } from 'zod';

/** What a backup says of itself, in `backup.json`. A folder without it is no backup. */
export const backupSchema = z.object({
  format: z.literal(1),
  /** The moment that it shows, ISO 8601. */
  takenAt: z.iso.datetime(),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.string(),
      shape: z.string(),
      rows: z.int().min(0),
      /** The file with its rows beside `backup.json`, and the SHA-256 of that file. */
      file: z.string().regex(/^[a-z0-9_.]+\.copy\.gz$/),
      sha256: z.string().length(64),
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
});
export type Backup = z.infer<typeof backupSchema>;

export const BACKUP_FILE = 'backup.json';
/** Beside it, where the secret of the sessions is in `DATA_DIR`. */
export const SECRET_FILE = 'auth-secret';
