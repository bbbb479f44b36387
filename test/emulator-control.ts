import type { RequestRecord } from '#emulators/request-log.ts';
import type { ScenarioName, ScenarioParams } from '#emulators/scenario.ts';

export interface ScenarioOptions {
  params?: ScenarioParams;
  /** Only prompts that contain this. */
  match?: string;
  /** For how many requests; null for all. Without it: 1, or all with `match`. */
  times?: number | null;
}

interface Pace {
  ttftMs: number;
  gapMs: number;
  jitter: number;
}

const QUICK: Pace = { ttftMs: 2, gapMs: 0.2, jitter: 0 };

/** A model emulator's control, over HTTP as in life. */
export interface EmulatorControl {
  scenario(name: ScenarioName, options?: ScenarioOptions): Promise<void>;
  work(work: { ttftMs: number; tokens: number; gapMs: number; text?: string }): Promise<void>;
  /** Without a pace: quick. */
  pace(pace?: Pace): Promise<void>;
  requests(): Promise<RequestRecord[]>;
  /** Forgets what it was told and asked; answers are quick. */
  reset(): Promise<void>;
}

/** Reaches the control of the emulator at `url`. Rejects when the emulator refuses a command. */
export function controlEmulator(url: string): EmulatorControl {
  async function send(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${url}/__control${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }

  async function pace(wanted: Pace = QUICK) {
    await send('POST', '/pace', wanted);
  }

  return {
    async scenario(name, options = {}) {
      await send('POST', '/scenario', { name, ...options });
    },
    async work(work) {
      await send('POST', '/work', work);
    },
    pace,
    requests: async () => (await send('GET', '/requests')) as RequestRecord[],
    async reset() {
      await send('DELETE', '');
      await pace();
    },
  };
}
