import { numberParam, type Scenario } from './scenario.ts';

/** A refusal in place of an answer, in no provider's words. */
export interface Fault {
  status: number;
  badKey: boolean;
  /** With 429: how long to wait, in milliseconds; null when the provider does not say. */
  retryMs: number | null;
  /** With 429: the quota of a whole day is used up. */
  daily: boolean;
}

const DEFAULT_RETRY_MS = 1_000;

/** The refusal a scenario asks for; null when it asks for something else. */
export function readFault(scenario: Scenario | null): Fault | null {
  if (!scenario) return null;
  if (scenario.name === 'bad-key') return { status: 400, badKey: true, retryMs: null, daily: false };
  const { name, params } = scenario;
  if (name !== 'http' && !name.startsWith('http-')) return null;
  const status = name === 'http' ? numberParam(scenario, 'status', 500) : Number(name.slice('http-'.length));
  const saysWhen = status === 429 && String(params.info ?? true) !== 'false';
  return {
    status,
    badKey: false,
    retryMs: saysWhen ? numberParam(scenario, 'retryMs', DEFAULT_RETRY_MS) : null,
    daily: String(params.daily ?? false) === 'true',
  };
}
