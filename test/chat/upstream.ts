import pino from 'pino';
import { startGeminiEmulator } from '#emulators/gemini/gemini-emulator.ts';
import { startOpenaiEmulator } from '#emulators/openai/openai-emulator.ts';
import type { ProviderUse } from '#server/catalogue/provider-cost-rules.ts';
import {
  type ModelsFile,
  modelsFileSchema,
  resolveChains,
  type UpstreamRoute,
} from '#server/catalogue/upstream-chains.ts';
import type { UpstreamAlert } from '#server/chat/upstream/alert-operator.ts';
import { createUpstream } from '#server/chat/upstream/create-upstream.ts';
import type {
  GenerateRequest,
  GenerateResult,
  Turn,
  Upstream,
  UpstreamPart,
  UpstreamTimeouts,
} from '#server/chat/upstream/transport/upstream.ts';
import { controlEmulator, type EmulatorControl } from '../emulator-control.ts';
import { WAIT_TIMEOUT_MS } from '../patient.ts';

export const TEST_KEY = 'test-key-5f1d8c';
const LIMITS: UpstreamTimeouts = {
  connectMs: 2 * WAIT_TIMEOUT_MS,
  firstTokenMs: 2 * WAIT_TIMEOUT_MS,
  idleMs: 2 * WAIT_TIMEOUT_MS,
  totalMs: 2 * WAIT_TIMEOUT_MS,
};
/** A provider's "try again later" that no call has the time for. */
export const TOO_LATE_MS = 2 * LIMITS.totalMs;

export interface TestUpstream {
  upstream: Upstream;
  control: EmulatorControl;
  emulatorUrl: string;
  alerts: UpstreamAlert[];
  /** Every line that was logged, as JSON text. */
  logged: string[];
  /** Another client of the same emulator, with its own chains, limits or key. */
  open(options?: TestUpstreamOptions): Upstream;
  /** Forgets scenarios, alerts and log lines. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export interface TestUpstreamOptions {
  modelsFile?: ModelsFile | null;
  timeouts?: Partial<UpstreamTimeouts>;
  key?: string | null;
  baseUrl?: string;
}

/** Chains for tests: `m` answers; the dialect decides which emulator does. */
function testRoutes(dialect: UpstreamRoute['dialect'], url: string): ModelsFile {
  const route =
    dialect === 'gemini'
      ? { dialect, model: 'gemini-3.8-flash' }
      : { dialect, model: 'deepseek-chat', baseUrl: `${url}/v1`, keyVariable: 'TEST_KEY' };
  return modelsFileSchema.parse({ m: [route] });
}

/** A model client over the emulator of one dialect, which answers at once. */
export async function openTestUpstream(dialect: UpstreamRoute['dialect']): Promise<TestUpstream> {
  const emulator = await (dialect === 'gemini' ? startGeminiEmulator : startOpenaiEmulator)({ port: 0 });
  const control = controlEmulator(emulator.url);
  const alerts: UpstreamAlert[] = [];
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) });
  const opened: Upstream[] = [];
  await control.pace();

  function open(options: TestUpstreamOptions = {}): Upstream {
    const key = options.key === undefined ? TEST_KEY : options.key;
    const url = options.baseUrl ?? emulator.url;
    const chains = resolveChains({
      geminiBaseUrl: url,
      geminiApiKey: key,
      modelsFile: options.modelsFile ?? testRoutes(dialect, url),
      readVariable: (name) => (name === 'TEST_KEY' ? (key ?? undefined) : undefined),
    });
    const timeouts = { ...LIMITS, ...options.timeouts };
    const config = { chains, geminiApiVersion: 'v1beta', timeouts };
    const upstream = createUpstream(config, log, { onAlert: (alert) => alerts.push(alert) });
    opened.push(upstream);
    return upstream;
  }

  return {
    upstream: open(),
    control,
    emulatorUrl: emulator.url,
    alerts,
    logged,
    open,
    async reset() {
      alerts.length = 0;
      logged.length = 0;
      await control.reset();
    },
    async close() {
      for (const upstream of opened) upstream.close();
      await emulator.close();
    },
  };
}

export interface Received {
  text: string;
  reasoning: string;
  notices: string[];
  parts: UpstreamPart[];
  /** How often `onText` was called. */
  texts: number;
  uses: ProviderUse[];
}

/** A turn of text alone. */
export function textTurn(role: Turn['role'], text: string): Turn {
  return { role, parts: [{ kind: 'text', text }] };
}

/** A request with one user turn. */
export function asking(prompt: string): GenerateRequest {
  return { system: null, turns: [textTurn('user', prompt)] };
}

/** Streams an answer and keeps what arrives in `received`, which the caller can watch while it grows. */
export function listen(
  upstream: Upstream,
  request: GenerateRequest,
  received: Received,
  signal: AbortSignal = new AbortController().signal,
  modelId = 'm',
): Promise<GenerateResult> {
  const handlers = {
    onText(text: string) {
      received.text += text;
      received.texts += 1;
    },
    onReasoning(text: string) {
      received.reasoning += text;
    },
    onPart(part: UpstreamPart) {
      received.parts.push(part);
    },
    onNotice(code: string) {
      received.notices.push(code);
    },
    onUse(use: ProviderUse) {
      received.uses.push(use);
    },
  };
  return upstream.stream(modelId, request, handlers, signal);
}

/** Nothing has arrived yet. */
export function nothingReceived(): Received {
  return { text: '', reasoning: '', notices: [], parts: [], texts: 0, uses: [] };
}
