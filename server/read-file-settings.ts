import type { Tier } from '#contract/catalogue.ts';
import { MEGABYTE } from '#contract/limits.ts';
import type { Environment } from './platform/environment.ts';
import { readSecret, readUrl, readWhole } from './platform/read-setting.ts';

/** A bucket of S3, or of a store that speaks its wire. */
export interface S3Settings {
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/** What users may upload, and where it is kept. */
export interface FileSettings {
  /** Bytes of one file at most. */
  limitBytes: number;
  perMessage: number;
  /** Bytes that all files of a user may take. */
  quotas: Readonly<Record<Tier, number>>;
  /** Null: files are kept in PostgreSQL. */
  s3: S3Settings | null;
}

/** Reads the settings of files; problems are reported to `env`. */
export function readFileSettings(env: Environment): FileSettings {
  const quota = (plan: string, megabytes: number) =>
    readWhole(env, `FILE_QUOTA_${plan}_MB`, 0, 10_000_000, megabytes) * MEGABYTE;
  return {
    limitBytes: readWhole(env, 'FILE_LIMIT_MB', 1, 100, 20) * MEGABYTE,
    perMessage: readWhole(env, 'FILES_PER_MESSAGE', 1, 100, 10),
    quotas: { free: quota('FREE', 100), basic: quota('BASIC', 2_048), pro: quota('PRO', 10_240) },
    s3: readS3(env),
  };
}

function readS3(env: Environment): S3Settings | null {
  const region = env.text('FILES_S3_REGION') ?? 'us-east-1';
  const needed = {
    endpoint: env.text('FILES_S3_ENDPOINT') && readUrl(env, 'FILES_S3_ENDPOINT', 'https://s3.example.com'),
    bucket: env.text('FILES_S3_BUCKET'),
    accessKey: readSecret(env, 'FILES_S3_ACCESS_KEY'),
    secretKey: readSecret(env, 'FILES_S3_SECRET_KEY'),
  };
  const { endpoint, bucket, accessKey, secretKey } = needed;
  if (endpoint !== null && bucket !== null && accessKey !== null && secretKey !== null)
    return { endpoint, bucket, accessKey, secretKey, region };
  const names = {
    endpoint: 'FILES_S3_ENDPOINT',
    bucket: 'FILES_S3_BUCKET',
    accessKey: 'FILES_S3_ACCESS_KEY',
    secretKey: 'FILES_S3_SECRET_KEY',
  } as const;
  const keys = Object.keys(names) as (keyof typeof names)[];
  if (keys.every((key) => needed[key] === null)) return null;
  for (const key of keys) {
    if (needed[key] === null)
      env.report(names[key], null, {
        zh: 'FILES_S3_ENDPOINT、FILES_S3_BUCKET、FILES_S3_ACCESS_KEY 和 FILES_S3_SECRET_KEY 需要同时设置',
        en: 'FILES_S3_ENDPOINT, FILES_S3_BUCKET, FILES_S3_ACCESS_KEY and FILES_S3_SECRET_KEY are needed together',
      });
  }
  return null;
}
