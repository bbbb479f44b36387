import { parseArgs } from 'node:util';
import { startGeminiEmulator } from './gemini/gemini-emulator.ts';
import type { Emulator } from './http-server.ts';
import { startOpenaiEmulator } from './openai/openai-emulator.ts';

const EMULATORS: Record<string, (options: { port: number }) => Promise<Emulator>> = {
  gemini: startGeminiEmulator,
  openai: startOpenaiEmulator,
};

const portOptions = Object.fromEntries(
  Object.keys(EMULATORS).map((name) => [`port-${name}`, { type: 'string', default: '0' } as const]),
);
const { values, positionals } = parseArgs({ options: portOptions, allowPositionals: true });

const running: [string, Emulator][] = [];
for (const name of positionals) {
  const start = EMULATORS[name];
  if (!start)
    throw new Error(`no emulator is called ${name}; there are ${Object.keys(EMULATORS).join(', ')}`);
  running.push([name, await start({ port: Number(values[`port-${name}`]) })]);
}
async function stop() {
  await Promise.all(running.map(([, emulator]) => emulator.close()));
  process.exit(0);
}

process.once('SIGTERM', stop);
process.once('SIGINT', stop);
process.stdin.resume().once('end', stop).once('close', stop);
console.log(JSON.stringify(Object.fromEntries(running.map(([name, { url }]) => [name, url]))));
