import { cleanText } from '#server/platform/clean-text.ts';
import type { AnswerReader, FinishKind } from '../transport/answer-reader.ts';
import { readTokenCount } from '../transport/answer-reader.ts';
import { asObject, parseJson } from '../transport/provider-refusal.ts';
import { UpstreamError } from '../transport/upstream-error.ts';
import { writeJson } from './gemini-parts.ts';
import { readGeminiError } from './gemini-refusal.ts';
import { parseChunk } from './parse-chunk.ts';

type Json = Record<string, unknown>;

/** The parts of an `InteractionSSEEvent` that we read. Nothing of it is sure: it comes from outside. */
interface InteractionEvent {
  event_type?: unknown;
  index?: unknown;
  step?: unknown;
  delta?: unknown;
  interaction?: unknown;
  /** Only of a `step.delta`. */
  metadata?: unknown;
  /** Only of a `step.stop`. */
  usage?: unknown;
  error?: unknown;
}

/** A step as far as it has come. */
interface Step {
  /** The step as it began, with its signature; without its content. */
  json: Json;
  /** JSON text of the arguments of a call. */
  args: string;
  /** UTF-16 code units of text. */
  length: number;
  isOver: boolean;
}

/** Characters of all events of an answer: longer than any model writes. */
const MAX_STREAM = 16_000_000;

const FINISH_KINDS = new Map<unknown, FinishKind>([
  ['completed', 'stop'],
  ['requires_action', 'stop'],
  ['incomplete', 'length'],
  ['requires_continuation', 'length'],
  ['budget_exceeded', 'length'],
]);

/** Reads the events of one interaction into the answer (ai.google.dev/gemini-api/docs/streaming). */
export class InteractionReader {
  private readonly answer: AnswerReader;
  /** The steps by their `index`, in the order in which they began. */
  private readonly steps = new Map<unknown, Step>();
  private size = 0;

  constructor(answer: AnswerReader) {
    this.answer = answer;
  }

  /** Reads one event; true: it was the last. */
  read(data: string): boolean {
    if (data === '[DONE]') return true;
    this.size += data.length;
    if (this.size > MAX_STREAM)
      throw new UpstreamError('parse', 'the answer is longer than any model writes');
    const event: InteractionEvent = parseChunk(data);
    if (event.event_type === 'error') throw readGeminiError(event.error, null);
    const { model, status, usage } = asObject(event.interaction);
    if (typeof model === 'string') this.answer.modelVersion = model;
    this.readUsage(asObject(usage ?? asObject(event.metadata).total_usage ?? event.usage));
    if (event.event_type === 'step.start') this.begin(event.index, asObject(event.step));
    const step = this.steps.get(event.index);
    if (step && event.event_type === 'step.delta') this.grow(step, asObject(event.delta));
    if (step && event.event_type === 'step.stop') this.end(step);
    if (event.event_type === 'interaction.completed') this.complete(status);
    return false;
  }

  private readUsage(usage: Json) {
    const input = readTokenCount(usage.total_input_tokens);
    const tools = readTokenCount(usage.total_tool_use_tokens ?? 0);
    const text = readTokenCount(usage.total_output_tokens ?? 0);
    const thoughts = readTokenCount(usage.total_thought_tokens ?? 0);
    const cached = readTokenCount(usage.total_cached_tokens ?? 0);
    if (input === null || tools === null || text === null || thoughts === null || cached === null) return;
    this.answer.setUsage({
      inputTokens: input + tools,
      outputTokens: text + thoughts,
      reasoningTokens: thoughts,
      cachedInputTokens: cached,
    });
  }

  /** A step may begin with what it says first. */
  private begin(index: unknown, { content, summary, ...json }: Json) {
    const step: Step = { json, args: '', length: 0, isOver: false };
    this.steps.set(index, step);
    for (const each of listOf(content)) this.grow(step, each);
    for (const each of listOf(summary)) this.grow(step, { type: 'thought_summary', content: each });
  }

  private grow(step: Step, { type, ...delta }: Json) {
    if (type === 'text' && typeof delta.text === 'string' && step.json.type === 'model_output') {
      step.length += cleanText(delta.text).length;
      this.answer.addText(delta.text);
    }
    if (type === 'thought_signature') step.json.signature = delta.signature;
    if (type === 'arguments_delta' && typeof delta.arguments === 'string') {
      step.args += delta.arguments;
      this.answer.limitLength(step.args.length);
      if (delta.arguments !== '') this.answer.begin();
    }
    const { text } = asObject(delta.content);
    if (type === 'thought_summary' && typeof text === 'string') this.answer.addReasoning(text);
  }

  private end(step: Step) {
    if (step.isOver) return;
    step.isOver = true;
    const { type, id, name, arguments: first } = step.json;
    if (type !== 'function_call') return;
    step.args ||= writeJson(first ?? {});
    const args = parseJson(step.args);
    if (typeof name !== 'string' || typeof args !== 'object' || args === null || Array.isArray(args)) {
      const vendorCode = 'MALFORMED_FUNCTION_CALL';
      throw new UpstreamError('model_error', 'the model wrote a call that is none', { vendorCode });
    }
    const said = { id: cleanText(String(id ?? '')), name: cleanText(name), args: cleanText(step.args) };
    this.answer.addPart({ kind: 'call', ...said });
  }

  /**
   * The step as it is sent back: an output by its length, arguments byte for byte, a thought by its signature. Empty ones are left out,
   * because they are refused.
   */
  private keep({ json: { arguments: _, ...json }, args, length }: Step) {
    const { kept } = this.answer;
    const text = writeJson(json);
    if (json.type === 'function_call') kept.add(`${text.slice(0, -1)},"arguments":${args}}`, true);
    else if (json.type === 'model_output' && length > 0) kept.addText(length);
    else if (json.type === 'thought' && json.signature) kept.add(text, true);
  }

  private complete(status: unknown) {
    for (const step of this.steps.values()) {
      this.end(step);
      this.keep(step);
    }
    this.answer.setFinish(FINISH_KINDS.get(status) ?? 'other', cleanText(String(status)));
  }
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}
