import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestApp } from './app.ts';
import { type ChildProgram, startChild } from './child-program.ts';
import { createClient, type TestClient } from './client.ts';
import { databaseSettings } from './database/database.ts';

const SERVER = new URL('../server/main.ts', import.meta.url).pathname;

export interface ServerProgram {
  program: ChildProgram;
  at(user: TestClient): TestClient;
}

/**
 * A server in a process of its own, on the database and the emulator of `home`. It drives no browser: a proof of the walls would start
 * one, which costs more than all the rest.
 */
export async function startServer(home: TestApp, env: Record<string, string> = {}): Promise<ServerProgram> {
  const program = startChild(process.execPath, [SERVER], {
    env: {
      PORT: '0',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'parley-crash-')),
      ...databaseSettings(home.database.url),
      AUTH_SECRET: home.config.authSecret,
      GEMINI_API_KEY: 'emulator',
      GEMINI_BASE_URL: home.geminiUrl,
      COMPUTER_USE: 'off',
      ...env,
    },
  });
  const line = await program.line((text) => text.includes('"url"'));
  const { url } = JSON.parse(line) as { url: string };
  return { program, at: (user) => createClient({ url, origin: url, cookie: user.cookie }) };
}
