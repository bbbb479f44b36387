import type { StreamFormat } from '../play-script.ts';
import type { Finish, Step } from '../script.ts';
import { openaiError } from './openai-error.ts';

export interface ChunkHead {
  id: string;
  model: string;
  /** Epoch seconds. */
  created: number;
  promptTokens: number;
  /** Whether the request asked for usage in a last chunk. */
  includesUsage: boolean;
  /** `delta.reasoning_content` or `delta.reasoning`. */
  reasoningField: string;
}

const FINISH_REASONS = {
  stop: 'stop',
  length: 'length',
  blocked: 'content_filter',
  malformed: 'insufficient_system_resource',
  continued: 'length',
} as const;

/** The value of `finish_reason`. */
export function finishReason(finish: Finish, isCalling: boolean) {
  return isCalling && finish.reason === 'stop' ? 'tool_calls' : FINISH_REASONS[finish.reason];
}

/** The object `usage`. */
export function presentUsage(prompt: number, text: number, reasoning: number) {
  return {
    prompt_tokens: prompt,
    completion_tokens: text + reasoning,
    total_tokens: prompt + text + reasoning,
    completion_tokens_details: { reasoning_tokens: reasoning },
    prompt_tokens_details: { cached_tokens: 0 },
  };
}

/** A call in pieces: the id and name first, then its arguments. */
function callDeltas({ id, name, args }: Extract<Step, { kind: 'call' }>, index: number): string[] {
  const first = { index, id: `call_${id}`, type: 'function', function: { name, arguments: '' } };
  const pieces = args.match(/.{1,7}/gsu) ?? [];
  const rest = pieces.map((piece) => ({ index, function: { arguments: piece } }));
  return [first, ...rest].map((each) => `"tool_calls":[${JSON.stringify(each)}]`);
}

/** Server-sent chunks as OpenAI writes them: a role first, then pieces, usage in a chunk without choices, `[DONE]`. */
export function chunkFormat(head: ChunkHead): StreamFormat {
  let textTokens = 0;
  let reasoningTokens = 0;
  let override: { inputTokens: number; outputTokens: number } | null = null;
  let opening = true;
  let calls = 0;
  const start =
    `data: {"id":"${head.id}","object":"chat.completion.chunk","created":${head.created},` +
    `"model":${JSON.stringify(head.model)},"system_fingerprint":"fp_emulated","choices":[`;

  function delta(json: string, finish: string | null = null): string {
    const ended = finish === null ? 'null' : `"${finish}"`;
    return `${start}{"index":0,"delta":{${json}},"logprobs":null,"finish_reason":${ended}}]}\n\n`;
  }

  function usage(): string {
    if (!head.includesUsage) return '';
    const input = override?.inputTokens ?? head.promptTokens;
    const output = override?.outputTokens ?? textTokens;
    return `${start}],"usage":${JSON.stringify(presentUsage(input, output, reasoningTokens))}}\n\n`;
  }

  function encode(step: Step): string {
    switch (step.kind) {
      case 'text':
        textTokens += step.tokens;
        return delta(`"content":${JSON.stringify(step.text)}`);
      case 'refusal':
        textTokens += step.tokens;
        return delta(`"refusal":${JSON.stringify(step.text)}`);
      case 'reasoning':
        reasoningTokens += step.tokens;
        return delta(`"${head.reasoningField}":${JSON.stringify(step.text)}`);
      case 'finish':
        return delta('', finishReason(step.finish, calls > 0)) + usage();
      case 'call':
        textTokens += step.tokens;
        calls += 1;
        return callDeltas(step, calls - 1)
          .map((fields) => delta(fields))
          .join('');
      case 'prompt-blocked':
        return delta('', 'content_filter');
      case 'error':
        return `data: ${JSON.stringify(openaiError(step.status))}\n\n`;
      case 'raw':
        return step.bytes;
      case 'usage':
        override = step;
        return '';
      default:
        return '';
    }
  }

  return {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    ending: 'data: [DONE]\n\n',
    encode(step) {
      if (!opening || step.kind === 'raw' || step.kind === 'usage') return encode(step);
      opening = false;
      return delta('"role":"assistant","content":""') + encode(step);
    },
  };
}
