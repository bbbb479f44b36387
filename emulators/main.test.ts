import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

async function start(...names: string[]) {
  const child = spawn(process.execPath, ['emulators/main.ts', ...names], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, urls: JSON.parse(String(line)) as Record<string, string> };
}

describe('the program of the emulators', () => {
  test('starts the named ones and prints where they listen', async () => {
    const { urls } = await start('gemini', 'openai');
    expect(Object.keys(urls)).toEqual(['gemini', 'openai']);
    const response = await fetch(`${urls.gemini}/__control/requests`);
    expect(await response.json()).toEqual([]);
  });

  test('ends when its standard input does, as when its parent has died', async () => {
    const { child } = await start('gemini');
    child.stdin?.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('ends in order on SIGTERM', async () => {
    const { child } = await start('openai');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
