import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson, readJson } from './http-server.ts';
import { type Pace, PERSON } from './pace.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import { isScenarioName, readCommand, type Scenario, type ScenarioParams } from './scenario.ts';

/** The work of a benchmark: `tokens` pieces, the i-th due at `ttftMs + i * gapMs`. */
export interface Work {
  ttftMs: number;
  tokens: number;
  gapMs: number;
  /** Each piece says this; without it, pieces of bilingual text. */
  text: string | null;
}

interface Rule {
  scenario: Scenario;
  match: string | null;
  left: number;
}

/** What the next answer is to be, once the command in its prompt and the rules have been looked at. */
export interface Order {
  scenario: Scenario | null;
  /** The prompt without its command. */
  prompt: string;
  /** The prompt was a command that names no scenario: list the names. */
  listNames: boolean;
}

/** The state behind `/__control`: rules for coming requests, work for benchmarks, a log of what came. */
export interface Control {
  log: RequestLog;
  work(): Work | null;
  pace(): Pace;
  take(prompt: string): Order;
  /** Whether a rule waits for such a prompt. */
  isOrdered(prompt: string): boolean;
  /** Answers a request under `/__control`. */
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
}

const COMMANDS_REMEMBERED = 1_000;

function readScenario(body: Record<string, unknown>): Rule {
  if (!isScenarioName(body.name)) throw new Error(`unknown scenario ${String(body.name)}`);
  const match = typeof body.match === 'string' && body.match !== '' ? body.match : null;
  const times = body.times === undefined && match === null ? 1 : (body.times ?? null);
  const params = (body.params ?? {}) as ScenarioParams;
  return { scenario: { name: body.name, params }, match, left: times === null ? Infinity : Number(times) };
}

function readWork(body: Record<string, unknown>): Work {
  const number = (name: string, otherwise: number) => Number(body[name] ?? otherwise);
  const text = typeof body.text === 'string' ? body.text : null;
  return { ttftMs: number('ttftMs', 50), tokens: number('tokens', 200), gapMs: number('gapMs', 20), text };
}

function readPace(body: Record<string, unknown>): Pace {
  const number = (name: keyof Pace) => Number(body[name] ?? PERSON[name]);
  return { ttftMs: number('ttftMs'), gapMs: number('gapMs'), jitter: number('jitter') };
}

function findRule(rules: readonly Rule[], prompt: string): Rule | undefined {
  return rules.find((each) => each.match === null || prompt.includes(each.match));
}

/** The control of one emulator; nothing of it outlives the process. */
export function createControl(): Control {
  const log = createRequestLog();
  const commands = new Map<string, number>();
  let rules: Rule[] = [];
  let work: Work | null = null;
  let pace = PERSON;

  /** Whether a command limited by `times=N` still applies, counting by its whole prompt. */
  function commandApplies(prompt: string, scenario: Scenario): boolean {
    const times = Number(scenario.params.times ?? Infinity);
    const used = commands.get(prompt) ?? 0;
    if (commands.size >= COMMANDS_REMEMBERED) commands.clear();
    commands.set(prompt, used + 1);
    return used < times;
  }

  function take(prompt: string): Order {
    const command = readCommand(prompt);
    if (command?.scenario) {
      const scenario = commandApplies(prompt, command.scenario) ? command.scenario : null;
      return { scenario, prompt: command.rest, listNames: false };
    }
    const rule = findRule(rules, prompt);
    if (rule) rule.left -= 1;
    rules = rules.filter((each) => each.left > 0);
    return { scenario: rule?.scenario ?? null, prompt: command?.rest ?? prompt, listNames: command !== null };
  }

  function reset() {
    rules = [];
    work = null;
    pace = PERSON;
    commands.clear();
    log.clear();
  }

  const actions: Record<string, (body: Record<string, unknown>) => unknown> = {
    'POST /__control/scenario': (body) => {
      rules = [...rules, readScenario(body)];
      return { rules: rules.length };
    },
    'POST /__control/work': (body) => {
      work = readWork(body);
      return { work };
    },
    'POST /__control/pace': (body) => {
      pace = readPace(body);
      return { pace };
    },
    'GET /__control/requests': () => log.list(),
    'DELETE /__control': () => {
      reset();
      return {};
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse, path: string) {
    const action = actions[`${request.method} ${path}`];
    if (!action) return answerJson(response, 404, { error: 'no such control' });
    try {
      answerJson(response, 200, action(request.method === 'POST' ? await readJson(request) : {}));
    } catch (error) {
      answerJson(response, 400, { error: String(error) });
    }
  }

  const isOrdered = (prompt: string) => findRule(rules, prompt) !== undefined;
  return { log, work: () => work, pace: () => pace, take, isOrdered, handle };
}
