import { randomBytes } from 'node:crypto';
import type { StreamFormat } from '../play-script.ts';
import type { Finish, Step } from '../script.ts';
import type { AnswerHead } from './gemini-stream.ts';
import { codeOf, interactionError } from './interactions-error.ts';

type Json = Record<string, unknown>;

interface SseEvent extends Json {
  event_type: string;
}

const STATUSES: Record<Finish['reason'], string> = {
  stop: 'completed',
  length: 'incomplete',
  continued: 'requires_continuation',
  blocked: 'failed',
  malformed: 'failed',
};

/** By which a stream says that its answer failed; one that was blocked has no end besides. */
const FAILURES: Partial<Record<Finish['reason'], string>> = {
  blocked: 'safety',
  malformed: 'malformed_function_call',
};

/** Writes an answer as the events of an interaction (ai.google.dev/gemini-api/docs/streaming). */
class EventWriter {
  private readonly head: AnswerHead;
  private index = -1;
  private open: string | null = null;
  private calls = 0;
  private textTokens = 0;
  private thoughtTokens = 0;
  private usage: { inputTokens: number; outputTokens: number } | null = null;

  constructor(head: AnswerHead) {
    this.head = head;
  }

  private interaction(status: string) {
    // What is not stored has no id.
    return { id: '', status, object: 'interaction', model: this.head.modelVersion };
  }

  private start(step: Json & { type: string }): SseEvent[] {
    if (this.open === step.type && step.type !== 'function_call') return [];
    const closed = this.close();
    this.index += 1;
    this.open = step.type;
    return [...closed, { index: this.index, step, event_type: 'step.start' }];
  }

  private delta(delta: Json): SseEvent {
    return { index: this.index, delta, event_type: 'step.delta' };
  }

  private close(): SseEvent[] {
    if (this.open === null) return [];
    this.open = null;
    return [{ index: this.index, event_type: 'step.stop' }];
  }

  /** The thought before the first call has the signature. */
  private call({ id, name, args }: Extract<Step, { kind: 'call' }>): SseEvent[] {
    this.calls += 1;
    const signature = `sig/${this.head.model}/${randomBytes(12).toString('base64url')}`;
    const half = args.length >> 1;
    return [
      ...(this.calls > 1 ? [] : this.start({ type: 'thought' })),
      ...(this.calls > 1 ? [] : [this.delta({ type: 'thought_signature', signature })]),
      ...this.start({ type: 'function_call', id, name, arguments: {} }),
      ...[args.slice(0, half), args.slice(half)].map((piece) =>
        this.delta({ type: 'arguments_delta', arguments: piece }),
      ),
      ...this.close(),
    ];
  }

  private finish({ reason }: Finish): SseEvent[] {
    const failure = FAILURES[reason];
    if (failure) return [errorEvent(failure)];
    const input = this.usage?.inputTokens ?? this.head.promptTokens;
    const output = this.usage?.outputTokens ?? this.textTokens;
    const usage = {
      total_tokens: input + output + this.thoughtTokens,
      total_input_tokens: input,
      input_tokens_by_modality: [{ modality: 'text', tokens: input }],
      total_cached_tokens: 0,
      total_output_tokens: output,
      total_tool_use_tokens: 0,
      total_thought_tokens: this.thoughtTokens,
    };
    const status = reason === 'stop' && this.calls > 0 ? 'requires_action' : STATUSES[reason];
    const interaction = { ...this.interaction(status), usage };
    return [...this.close(), { interaction, event_type: 'interaction.completed' }];
  }

  begin(): SseEvent[] {
    const status = 'in_progress';
    return [
      { interaction: this.interaction(status), event_type: 'interaction.created' },
      { interaction_id: '', status, event_type: 'interaction.status_update' },
    ];
  }

  write(step: Step): SseEvent[] {
    switch (step.kind) {
      case 'text':
      case 'refusal':
        this.textTokens += step.tokens;
        return [...this.start({ type: 'model_output' }), this.delta({ type: 'text', text: step.text })];
      case 'reasoning': {
        this.thoughtTokens += step.tokens;
        const content = { type: 'text', text: step.text };
        return [...this.start({ type: 'thought' }), this.delta({ type: 'thought_summary', content })];
      }
      case 'call':
        this.textTokens += step.tokens;
        return this.call(step);
      case 'finish':
        return this.finish(step.finish);
      case 'prompt-blocked':
        return [errorEvent('prohibited_content')];
      case 'error':
        return [errorEvent(codeOf(step.status))];
      case 'usage':
        this.usage = step;
        return [];
      default:
        return [];
    }
  }
}

function errorEvent(code: string): SseEvent {
  return { ...interactionError(code), event_type: 'error' };
}

/** Server-sent events with names, and `[DONE]` at their end. */
export function interactionsFormat(head: AnswerHead): StreamFormat {
  const writer = new EventWriter(head);
  let begun = false;
  return {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
    ending: 'event: done\ndata: [DONE]\n\n',
    encode(step) {
      if (step.kind === 'raw') return step.bytes;
      const events = [...(begun ? [] : writer.begin()), ...writer.write(step)];
      begun = true;
      return events.map((event) => `event: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    },
  };
}
