import { resolve } from 'node:path';
import { z } from 'zod';
import type { Environment } from './platform/environment.ts';
import { isLoopback, originsOf, readPublicUrl } from './platform/public-url.ts';
import { readWhole } from './platform/read-setting.ts';

export interface ServerSettings {
  production: boolean;
  host: string;
  /** 0: any free port. */
  port: number;
  /** The origin that users see, such as `https://parley.example`. */
  publicUrl: string;
  /** Origins a signed-in browser may send changes from: `publicUrl`, and both spellings of a loopback address. */
  trustedOrigins: readonly string[];
  /** How many proxies in front of us add to `X-Forwarded-For`. */
  trustProxy: number;
  /** Absolute path. */
  dataDir: string;
  /** Megabytes that the embedded PostgreSQL caches; null: by the machine's memory. */
  databaseCacheMb: number | null;
}

const hostExpectation = {
  zh: '应为要监听的主机名或 IP 地址，例如 127.0.0.1 或 0.0.0.0',
  en: 'give the host name or IP address to listen on, such as 127.0.0.1 or 0.0.0.0',
};

/** Reads where the server stands, and whether users reach it from other machines; problems are reported to `env`. */
export function readServerSettings(env: Environment): { server: ServerSettings; isPublic: boolean } {
  const port = readWhole(env, 'PORT', 0, 65_535, 3000);
  const host = env.read('HOST', z.string().regex(/^[A-Za-z0-9.:_-]+$/), hostExpectation, '127.0.0.1');
  const production = env.text('NODE_ENV') === 'production';
  const publicUrl = readPublicUrl(env, { host, port, production });
  const server = {
    production,
    host,
    port,
    publicUrl,
    trustedOrigins: originsOf(publicUrl),
    trustProxy: readWhole(env, 'TRUST_PROXY', 0, 10, 0),
    dataDir: resolve(env.text('DATA_DIR') ?? './data'),
    databaseCacheMb: env.text('DATABASE_CACHE_MB')
      ? readWhole(env, 'DATABASE_CACHE_MB', 16, 65_536, 128)
      : null,
  };
  return { server, isPublic: !isLoopback(publicUrl) };
}
