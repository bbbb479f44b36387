/**
 * What control can do to coming webhooks. `duplicate`: `count` more of the same; `duplicate-new-id`: the same under new ids;
 * `reorder`: the news of one act backwards; `delay`: by `ms`; `drop`: never sent; `tamper`: a byte changed after signing;
 * `unknown-type`: one more, of an unknown type.
 */
const WEBHOOK_FAULTS = [
  'duplicate',
  'duplicate-new-id',
  'reorder',
  'delay',
  'drop',
  'tamper',
  'unknown-type',
] as const;
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];

/** What control can do to coming API calls: a status, a `code` inside HTTP 200, no answer, no JSON, an endless body. */
export interface ApiFault {
  status?: number;
  code?: number;
  message?: string;
  kind?: 'hang' | 'no-json' | 'endless' | 'reset';
}

interface Rule<T> {
  what: T;
  match: string | null;
  left: number;
  params: Record<string, unknown>;
}

/** Rules for what is to go wrong, each for its number of times. */
export class Faults<T> {
  #rules: Rule<T>[] = [];

  /** `times`: 1 without it, null for ever; `match`: a part of the path or type it is for. */
  add(what: T, body: Record<string, unknown>) {
    const match = typeof body.match === 'string' && body.match !== '' ? body.match : null;
    const times = body.times === undefined ? 1 : body.times;
    this.#rules.push({ what, match, left: times === null ? Infinity : Number(times), params: body });
  }

  /** The rule for this subject, used up by one; null: all goes well. */
  take(subject: string, isOurs: (what: T) => boolean = () => true): Rule<T> | null {
    const rule = this.#rules.find(
      ({ what, match }) => isOurs(what) && (match === null || subject.includes(match)),
    );
    if (!rule) return null;
    rule.left -= 1;
    this.#rules = this.#rules.filter((each) => each.left > 0);
    return rule;
  }

  clear() {
    this.#rules = [];
  }
}

export function isWebhookFault(name: unknown): name is WebhookFault {
  return (WEBHOOK_FAULTS as readonly unknown[]).includes(name);
}
