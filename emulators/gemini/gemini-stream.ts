import type { StreamFormat } from '../play-script.ts';
import type { Finish, Step } from '../script.ts';
import { geminiError } from './gemini-error.ts';

export interface AnswerHead {
  /** The model that says it answers. */
  modelVersion: string;
  /** The model whose signatures it writes. */
  model: string;
  promptTokens: number;
  responseId: string;
}

const FINISH_REASONS = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  blocked: 'SAFETY',
  malformed: 'MALFORMED_RESPONSE',
  continued: 'CONTINUATION',
} as const;

/** The value of `finishReason`. */
export function finishReason(finish: Finish) {
  return FINISH_REASONS[finish.reason];
}

/** The body of a prompt that was refused: no candidates at all. */
export function blockedPrompt(head: AnswerHead) {
  return {
    promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
    usageMetadata: { promptTokenCount: head.promptTokens, totalTokenCount: head.promptTokens },
    modelVersion: head.modelVersion,
    responseId: head.responseId,
  };
}

/** A part with a call, signed by a model; null: not signed. */
export function presentCall({ id, name, args }: Extract<Step, { kind: 'call' }>, signer: string | null) {
  const functionCall = { id, name, args: JSON.parse(args) as unknown };
  return signer === null ? { functionCall } : { functionCall, thoughtSignature: `sig/${signer}/${id}` };
}

/** Counts and writes the JSON of each chunk. Strings, not objects: this runs once for every token of every stream. */
class ChunkWriter {
  readonly head: AnswerHead;
  private calls = 0;
  textTokens = 0;
  thoughtTokens = 0;
  toolTokens = 0;
  overrideUsage: { inputTokens: number; outputTokens: number } | null = null;

  constructor(head: AnswerHead) {
    this.head = head;
  }

  private tail(): string {
    const input = this.overrideUsage?.inputTokens ?? this.head.promptTokens;
    const output = this.overrideUsage?.outputTokens ?? this.textTokens;
    const thoughts = this.thoughtTokens > 0 ? `,"thoughtsTokenCount":${this.thoughtTokens}` : '';
    const tools = this.toolTokens > 0 ? `,"toolUsePromptTokenCount":${this.toolTokens}` : '';
    const total = input + output + this.thoughtTokens + this.toolTokens;
    return (
      `"usageMetadata":{"promptTokenCount":${input},"candidatesTokenCount":${output},"totalTokenCount":${total},` +
      `"promptTokensDetails":[{"modality":"TEXT","tokenCount":${input}}]${thoughts}${tools}},` +
      `"modelVersion":"${this.head.modelVersion}","responseId":"${this.head.responseId}"}`
    );
  }

  private said(text: string, thought: boolean): string {
    return this.part(`{"text":${JSON.stringify(text)}${thought ? ',"thought":true' : ''}}`);
  }

  private part(json: string): string {
    return `{"candidates":[{"content":{"parts":[${json}],"role":"model"},"index":0}],${this.tail()}`;
  }

  /** Of calls made at once Google signs the first alone. */
  private call(call: Extract<Step, { kind: 'call' }>): string {
    this.calls += 1;
    return this.part(JSON.stringify(presentCall(call, this.calls === 1 ? this.head.model : null)));
  }

  private finish({ finish, metadata = {}, toolTokens = 0 }: Extract<Step, { kind: 'finish' }>): string {
    this.toolTokens = toolTokens;
    const more = JSON.stringify(metadata).slice(1, -1);
    const content = finish.reason === 'stop' ? '"content":{"parts":[{"text":""}],"role":"model"},' : '';
    const token = finish.reason === 'continued' ? `,"continuationToken":${JSON.stringify(finish.token)}` : '';
    return `{"candidates":[{${content}"finishReason":"${finishReason(finish)}","index":0${token}${more === '' ? '' : `,${more}`}}],${this.tail()}`;
  }

  write(step: Step): string {
    switch (step.kind) {
      case 'text':
      case 'refusal':
        this.textTokens += step.tokens;
        return this.said(step.text, false);
      case 'reasoning':
        this.thoughtTokens += step.tokens;
        return this.said(step.text, true);
      case 'call':
        this.textTokens += step.tokens;
        return this.call(step);
      case 'part':
        return this.part(JSON.stringify(step.part));
      case 'finish':
        return this.finish(step);
      case 'prompt-blocked':
        return JSON.stringify(blockedPrompt(this.head));
      case 'error':
        return JSON.stringify(geminiError(step.status, 'The model is overloaded. Please try again later.'));
      case 'usage':
        this.overrideUsage = step;
        return '';
      default:
        return '';
    }
  }
}

/** `?alt=sse`: one `data:` line for each chunk, and no end but the end of the body. */
export function sseFormat(head: AnswerHead): StreamFormat {
  const writer = new ChunkWriter(head);
  return {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
    ending: '',
    encode(step) {
      if (step.kind === 'raw') return step.bytes;
      const json = writer.write(step);
      return json === '' ? '' : `data: ${json}\r\n\r\n`;
    },
  };
}

/** Without `alt=sse`: the chunks are the members of one JSON array. */
export function arrayFormat(head: AnswerHead): StreamFormat {
  const writer = new ChunkWriter(head);
  let opened = false;
  return {
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    ending: '\n]',
    encode(step) {
      const json = step.kind === 'raw' ? '' : writer.write(step);
      if (json === '') return '';
      const before = opened ? ',\r\n' : '[';
      opened = true;
      return before + json;
    },
  };
}
