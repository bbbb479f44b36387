/** `README.md` says what a scenario does; every name works over the control API and as `/emulate NAME` in a prompt. */
export const SCENARIO_NAMES = [
  'slow-first-token',
  'long-answer',
  'rough-answer',
  'seen-files',
  'http',
  'http-400',
  'http-401',
  'http-402',
  'http-403',
  'http-404',
  'http-429',
  'http-500',
  'http-502',
  'http-503',
  'http-504',
  'http-529',
  'bad-key',
  'drop-connection',
  'no-headers',
  'blocked-prompt',
  'blocked-answer',
  'blocked-after-text',
  'refusal',
  'empty',
  'whitespace',
  'only-reasoning',
  'reasoning',
  'sources',
  'code-run',
  'calls',
  'cut-off',
  'no-finish',
  'malformed',
  'mid-stream-error',
  'model-error',
  'huge-line',
  'comment-flood',
  'endless-comments',
  'duplicate-finish',
  'silent',
  'never-ends',
  'huge-usage',
  'negative-usage',
  'max-tokens',
  'continuation',
  'byte-by-byte',
  'other-version',
  'verbatim',
  'no-picture',
  'picture-blocked',
  'picture-words',
  'broken-picture',
  'cut-after-picture',
  'stop-after-picture',
  'only-interactions',
  'no-computer-use',
] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

export type ScenarioParams = Record<string, string | number | boolean>;

export interface Scenario {
  name: ScenarioName;
  params: ScenarioParams;
}

/** Whether this is the name of a scenario. */
export function isScenarioName(name: unknown): name is ScenarioName {
  return SCENARIO_NAMES.some((known) => known === name);
}

/** A number among the parameters, or the default when it is absent or no number. */
export function numberParam(scenario: Scenario | null, name: string, otherwise: number): number {
  const value = Number(scenario?.params[name] ?? Number.NaN);
  return Number.isFinite(value) ? value : otherwise;
}

const COMMAND = /(?:^|\n)\s*\/emulate(?:[ \t]+([a-z0-9-]+)((?:[ \t]+[a-zA-Z]+=\S+)*))?[ \t]*/;

export interface Command {
  /** Null: the name is missing or unknown. */
  scenario: Scenario | null;
  /** The prompt without the command. */
  rest: string;
}

/** Reads `/emulate NAME key=value …` out of a prompt; null when the prompt has none. */
export function readCommand(prompt: string): Command | null {
  const found = COMMAND.exec(prompt);
  if (!found) return null;
  const [whole, name, list = ''] = found;
  const rest = prompt.replace(whole, '').trim();
  if (!isScenarioName(name)) return { scenario: null, rest };
  const pairs = [...list.matchAll(/([a-zA-Z]+)=(\S+)/g)].map(
    ([, key = '', value = '']) => [key, value] as const,
  );
  return { scenario: { name, params: Object.fromEntries(pairs) }, rest };
}
