import { numberParam, type Scenario } from './scenario.ts';

/** A refusal in place of an answer, in no provider's words. */
export interface Fault {
  status: number;
  badKey: boolean;
  /** With 429: how long to wait, in milliseconds; null when the provider does not say. */
  retryMs: number | null;
  /** With 429: the quota of a whole day is used up. */
  daily: boolean;
  /** With 400: what Google says of a model that it does not serve at an endpoint; else null. */
  notServed: 'only-interactions' | 'no-computer-use' | null;
}

const DEFAULT_RETRY_MS = 1_000;

/** The refusal a scenario asks for; null when it asks for something else. */
export function readFault(scenario: Scenario | null): Fault | null {
  if (!scenario) return null;
  const { name, params } = scenario;
  const plain = { status: 400, badKey: false, retryMs: null, daily: false, notServed: null };
  if (name === 'bad-key') return { ...plain, badKey: true };
  if (name === 'only-interactions' || name === 'no-computer-use') return { ...plain, notServed: name };
  if (name !== 'http' && !name.startsWith('http-')) return null;
  const status = name === 'http' ? numberParam(scenario, 'status', 500) : Number(name.slice('http-'.length));
  const saysWhen = status === 429 && String(params.info ?? true) !== 'false';
  return {
    ...plain,
    status,
    retryMs: saysWhen ? numberParam(scenario, 'retryMs', DEFAULT_RETRY_MS) : null,
    daily: String(params.daily ?? false) === 'true',
  };
}
