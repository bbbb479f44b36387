import { cleanText } from '#server/platform/clean-text.ts';
import { asObject } from '../transport/provider-refusal.ts';
import type { SignedCall } from '../transport/upstream.ts';

/** More calls than any model makes at once. */
const MAX_CALLS = 128;

/** Calls as they come in pieces, each named by its index; put together they are what goes back to the model. */
export class CallsReader {
  private readonly calls: Record<string, unknown>[] = [];

  add(deltas: unknown) {
    for (const delta of Array.isArray(deltas) ? deltas.map(asObject) : []) {
      const index = typeof delta.index === 'number' && delta.index >= 0 ? delta.index : this.calls.length;
      if (index > MAX_CALLS) continue;
      const { index: _, function: piece, ...others } = delta;
      const call = this.calls[index] ?? {};
      const { name, arguments: args } = asObject(piece);
      const before = asObject(call.function);
      this.calls[index] = {
        ...call,
        ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null)),
        function: {
          name: typeof name === 'string' && name !== '' ? name : before.name,
          arguments: `${before.arguments ?? ''}${typeof args === 'string' ? args : ''}`,
        },
      };
    }
  }

  /** The calls for the reader, and as JSON for the model; null without any. */
  end(): { parts: SignedCall[]; json: string } | null {
    const made = this.calls.filter((call) => typeof asObject(call.function).name === 'string');
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
