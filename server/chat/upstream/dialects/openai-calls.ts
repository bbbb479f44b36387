import { cleanText } from '#server/platform/clean-text.ts';
import { asObject } from '../transport/provider-refusal.ts';
import type { SignedCall } from '../transport/upstream.ts';

/** More calls than any model makes at once. */
const MAX_CALLS = 128;

/** Collects calls that come in pieces, each named by its index, and joins them as they are sent back to the model. */
export class CallsReader {
  private readonly most: number;
  private readonly calls: Record<string, unknown>[] = [];
  /** UTF-16 units collected so far. */
  length = 0;

  /** `most`: how many calls the answer may make; of none, nothing is gathered. */
  constructor(most: number) {
    this.most = most;
  }

  add(deltas: unknown) {
    if (this.most === 0) return;
    for (const delta of Array.isArray(deltas) ? deltas.map(asObject) : []) {
      const index = typeof delta.index === 'number' && delta.index >= 0 ? delta.index : this.calls.length;
      if (index > MAX_CALLS) continue;
      const { index: _, function: piece, ...others } = delta;
      const call = this.calls[index] ?? {};
      const { name, arguments: args } = asObject(piece);
      const before = asObject(call.function);
      const said = Object.entries(others).filter(([key, value]) => value !== null && value !== call[key]);
      const more = typeof args === 'string' ? args : '';
      const isNamed = typeof name === 'string' && name !== '' && name !== before.name;
      this.length += more.length + (isNamed ? name.length : 0);
      if (said.length > 0) this.length += JSON.stringify(said).length;
      this.calls[index] = {
        ...call,
        ...Object.fromEntries(said),
        function: { name: isNamed ? name : before.name, arguments: `${before.arguments ?? ''}${more}` },
      };
    }
  }

  /** The calls for the reader, no more than there may be, and as JSON for the model; null without any. */
  end(): { parts: SignedCall[]; json: string } | null {
    const named = this.calls.filter((call) => typeof asObject(call.function).name === 'string');
    const made = named.slice(0, this.most);
    if (made.length === 0) return null;
    const parts = made.map((call) => {
      const { name, arguments: args } = asObject(call.function);
      const text = args === '' ? '{}' : String(args);
      return {
        kind: 'call' as const,
        id: cleanText(String(call.id ?? '')),
        name: cleanText(String(name)),
        args: cleanText(text),
      };
    });
    return { parts, json: JSON.stringify(made.map((call) => ({ type: 'function', ...call }))) };
  }
}
