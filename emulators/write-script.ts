import type { Work } from './control.ts';
import { countTokens } from './count-tokens.ts';
import type { MadeCall } from './functions/call-functions.ts';
import { groundingOf } from './gemini/found-pages.ts';
import type { UsedTools } from './gemini/play-tools.ts';
import { createDice, type Pace } from './pace.ts';
import { numberParam, type Scenario, type ScenarioName } from './scenario.ts';
import type { Beat, Step } from './script.ts';
import { splitPieces } from './split-pieces.ts';

const CUT_ONE_IN = 12;
const SEED = 7;

/** What is to be said, and how. */
export interface Speech {
  answer: string;
  /** Summary of thinking that comes first, where the request asks for it. */
  thoughts: string | null;
  scenario: Scenario | null;
  pace: Pace;
  /** The part to go on with, when the request brought a continuation token. */
  part: number;
  /** Functions that it calls instead of answering. */
  calls: MadeCall[];
  /** What tools of the provider brought for it; null: none was used. */
  used: UsedTools | null;
}

type Steps = Generator<Beat, void>;
type SaidKind = 'text' | 'reasoning' | 'refusal';

class ScriptWriter {
  readonly speech: Speech;
  readonly dice = createDice(SEED);
  at: number;

  constructor(speech: Speech) {
    this.speech = speech;
    this.at = speech.pace.ttftMs;
  }

  param(name: string, otherwise: number) {
    return numberParam(this.speech.scenario, name, otherwise);
  }

  /** Says a text in pieces, at most `limit` of them. */
  *say(kind: SaidKind, text: string, limit = Number.POSITIVE_INFINITY, cut?: Beat['cut']): Steps {
    const { gapMs, jitter } = this.speech.pace;
    let said = 0;
    for (const piece of splitPieces(text, this.dice)) {
      if (said >= limit) return;
      const split = cut ?? (this.dice() * CUT_ONE_IN < 1 && jitter > 0 ? 'character' : undefined);
      const step: Step = { kind, text: piece, tokens: countTokens(piece) };
      yield split ? { at: this.at, step, cut: split } : { at: this.at, step };
      said += 1;
      this.at += gapMs * (1 + jitter * (this.dice() * 2 - 1));
    }
  }

  *do(...steps: Step[]): Steps {
    for (const step of steps) yield { at: this.at, step };
  }

  *think(): Steps {
    if (this.speech.thoughts !== null) yield* this.say('reasoning', this.speech.thoughts);
  }

  *answer(): Steps {
    yield* this.think();
    if (this.speech.calls.length === 0) yield* this.say('text', this.speech.answer);
    for (const call of this.speech.calls) {
      yield* this.do({ kind: 'call', ...call, tokens: countTokens(call.name + call.args) });
    }
  }

  *stop(): Steps {
    yield* this.do({ kind: 'finish', finish: { reason: 'stop' } });
  }

  /** The first pieces of the answer; how many is the parameter `after`. */
  *begin(otherwise: number): Steps {
    yield* this.say('text', this.speech.answer, this.param('after', otherwise));
  }

  /** What tools brought before there is text. */
  *parts(parts: object[]): Steps {
    yield* this.do(...parts.map((part): Step => ({ kind: 'part', part })));
  }

  *all(): Steps {
    const { answer, used } = this.speech;
    if (!used || this.speech.calls.length > 0) {
      yield* this.answer();
      yield* this.stop();
      return;
    }
    yield* this.think();
    yield* this.parts(used.parts);
    yield* this.say('text', answer);
    const { toolTokens } = used;
    yield* this.do({
      kind: 'finish',
      finish: { reason: 'stop' },
      metadata: used.metadata(answer),
      toolTokens,
    });
  }
}

/** Code that was run for an answer, and what it printed (https://ai.google.dev/gemini-api/docs/code-execution). */
const RAN_CODE = [
  {
    executableCode: {
      language: 'PYTHON',
      code: 'total = sum(n * n for n in range(1, 11))\nprint(total)\n',
    },
  },
  { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '385\n' } },
];

const COMMENT = ': keep-alive\r\n\r\n';
const FLOOD_BLOCK = 500;

const SCENARIO_STEPS: Partial<Record<ScenarioName, (writer: ScriptWriter) => Steps>> = {
  *'slow-first-token'(writer) {
    writer.at = writer.param('ms', 8_000);
    yield* writer.all();
  },
  *'long-answer'(writer) {
    writer.at = writer.param('ms', writer.at);
    yield* writer.all();
  },
  *'blocked-prompt'(writer) {
    yield* writer.do({ kind: 'prompt-blocked' });
  },
  *'blocked-answer'(writer) {
    yield* writer.do({ kind: 'finish', finish: { reason: 'blocked' } });
  },
  *'blocked-after-text'(writer) {
    yield* writer.begin(8);
    yield* writer.do({ kind: 'finish', finish: { reason: 'blocked' } });
  },
  *refusal(writer) {
    yield* writer.say('refusal', '抱歉，这个请求我不能协助。\n\nSorry, I can’t help with that request.');
    yield* writer.stop();
  },
  *empty(writer) {
    yield* writer.stop();
  },
  *whitespace(writer) {
    yield* writer.do({ kind: 'text', text: ' \n\n\u3000\t ', tokens: 2 });
    yield* writer.stop();
  },
  *'only-reasoning'(writer) {
    yield* writer.say('reasoning', writer.speech.thoughts ?? 'Let me think about this for a moment…');
    yield* writer.stop();
  },
  *reasoning(writer) {
    const thoughts = writer.speech.thoughts ?? 'Let me think about this for a moment.\n\n想清楚再回答。';
    yield* writer.say('reasoning', thoughts);
    writer.at += writer.param('ms', 0);
    yield* writer.say('text', writer.speech.answer);
    yield* writer.stop();
  },
  *sources(writer) {
    yield* writer.answer();
    writer.at += writer.param('pause', 0);
    const isHostile = writer.speech.scenario?.params.hostile === 'true';
    const groundingMetadata = groundingOf(
      writer.speech.answer,
      ['京都 红叶 时间', 'Kyoto autumn leaves'],
      isHostile,
    );
    yield* writer.do({ kind: 'finish', finish: { reason: 'stop' }, metadata: { groundingMetadata } });
  },
  *'code-run'(writer) {
    yield* writer.begin(4);
    yield* writer.parts(RAN_CODE);
    yield* writer.say('text', '\n\n385');
    yield* writer.stop();
  },
  *calls(writer) {
    if (writer.param('words', 0) > 0 && writer.speech.calls.length > 0)
      yield* writer.say('text', 'Let me look that up. 我查一下 🔎。');
    yield* writer.all();
  },
  *'rough-answer'(writer) {
    const { answer } = writer.speech;
    const size = Math.ceil(answer.length / writer.param('pieces', 50));
    for (let from = 0; from < answer.length; from += size, writer.at += writer.speech.pace.gapMs) {
      yield* writer.do({ kind: 'text', text: answer.slice(from, from + size), tokens: 1 });
    }
    yield* writer.stop();
  },
  *'cut-off'(writer) {
    yield* writer.begin(6);
    yield* writer.do({ kind: 'destroy' });
  },
  *'no-finish'(writer) {
    yield* writer.begin(6);
    yield* writer.do({ kind: 'end' });
  },
  *malformed(writer) {
    yield* writer.begin(6);
    yield* writer.do({ kind: 'raw', bytes: 'data: {"candidates":[{"content":{"parts":[{"te\r\n\r\n' });
    yield* writer.stop();
  },
  *'mid-stream-error'(writer) {
    yield* writer.begin(6);
    yield* writer.do({ kind: 'error', status: writer.param('status', 503) }, { kind: 'end' });
  },
  *'model-error'(writer) {
    yield* writer.do({ kind: 'finish', finish: { reason: 'malformed' } });
  },
  *'huge-line'(writer) {
    yield* writer.begin(3);
    const bytes = writer.param('bytes', 10 * 1024 * 1024);
    yield* writer.do({ kind: 'raw', bytes: `data: {"filler":"${'x'.repeat(bytes)}"}\r\n\r\n` });
    yield* writer.say('text', writer.speech.answer);
    yield* writer.stop();
  },
  *'comment-flood'(writer) {
    for (let left = writer.param('count', 20_000); left > 0; left -= FLOOD_BLOCK) {
      yield* writer.do({ kind: 'raw', bytes: COMMENT.repeat(Math.min(left, FLOOD_BLOCK)) });
    }
    yield* writer.all();
  },
  *'endless-comments'(writer) {
    for (; ; writer.at += writer.speech.pace.gapMs) yield* writer.do({ kind: 'raw', bytes: COMMENT });
  },
  *'duplicate-finish'(writer) {
    yield* writer.all();
    yield* writer.stop();
  },
  *silent(writer) {
    yield* writer.begin(4);
    yield* writer.do({ kind: 'silence' });
  },
  *'never-ends'(writer) {
    yield* writer.think();
    for (;;) yield* writer.say('text', `${writer.speech.answer}\n\n`);
  },
  *'huge-usage'(writer) {
    yield* writer.answer();
    yield* writer.do({ kind: 'usage', inputTokens: 9e15, outputTokens: 9e15 });
    yield* writer.stop();
  },
  *'negative-usage'(writer) {
    yield* writer.answer();
    yield* writer.do({ kind: 'usage', inputTokens: -12, outputTokens: -400 });
    yield* writer.stop();
  },
  *'max-tokens'(writer) {
    yield* writer.begin(12);
    yield* writer.do({ kind: 'finish', finish: { reason: 'length' } });
  },
  *continuation(writer) {
    const parts = writer.param('hops', 2) + 1;
    const { answer, part } = writer.speech;
    const size = Math.ceil(answer.length / parts);
    yield* writer.say('text', answer.slice(part * size, (part + 1) * size));
    const goesOn = part + 1 < parts;
    yield* writer.do({
      kind: 'finish',
      finish: goesOn ? { reason: 'continued', token: String(part + 1) } : { reason: 'stop' },
    });
  },
  *'byte-by-byte'(writer) {
    yield* writer.say('text', writer.speech.answer, writer.param('pieces', 6), 'bytes');
    yield* writer.stop();
  },
  *verbatim(writer) {
    const bytes = String(writer.speech.scenario?.params.bytes ?? '');
    yield* writer.do({ kind: 'raw', bytes }, { kind: writer.param('open', 0) > 0 ? 'silence' : 'end' });
  },
};

/** The script of one answer; a scenario that is not about the answer's course leaves it as it is. */
export function writeScript(speech: Speech): Steps {
  const writer = new ScriptWriter(speech);
  const steps = speech.scenario ? SCENARIO_STEPS[speech.scenario.name] : undefined;
  return steps ? steps(writer) : writer.all();
}

const WORK_PIECES = ['你好，', 'hello ', '世界', ' and ', '**流式**', ' stream', '。', '\n'];

/** The script of a benchmark's answer: a metronome. */
export function* writeWork(work: Work): Steps {
  const { ttftMs, gapMs, tokens } = work;
  for (let index = 0; index < tokens; index += 1) {
    const text = work.text ?? WORK_PIECES[index % WORK_PIECES.length] ?? '';
    yield { at: ttftMs + index * gapMs, step: { kind: 'text', text, tokens: 1 } };
  }
  yield {
    at: ttftMs + Math.max(0, tokens - 1) * gapMs,
    step: { kind: 'finish', finish: { reason: 'stop' } },
  };
}
