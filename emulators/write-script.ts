import type { Work } from './control.ts';
import { countTokens } from './count-tokens.ts';
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
}

type Telling = Generator<Beat, void>;
type SaidKind = 'text' | 'reasoning' | 'refusal';

class Teller {
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
  *say(kind: SaidKind, text: string, limit = Number.POSITIVE_INFINITY, cut?: Beat['cut']): Telling {
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

  *do(...steps: Step[]): Telling {
    for (const step of steps) yield { at: this.at, step };
  }

  *think(): Telling {
    if (this.speech.thoughts !== null) yield* this.say('reasoning', this.speech.thoughts);
  }

  *answer(): Telling {
    yield* this.think();
    yield* this.say('text', this.speech.answer);
  }

  *stop(): Telling {
    yield* this.do({ kind: 'finish', finish: { reason: 'stop' } });
  }

  /** The first pieces of the answer; how many is the parameter `after`. */
  *begin(otherwise: number): Telling {
    yield* this.say('text', this.speech.answer, this.param('after', otherwise));
  }

  *all(): Telling {
    yield* this.answer();
    yield* this.stop();
  }
}

const COMMENT = ': keep-alive\r\n\r\n';
const FLOOD_BLOCK = 500;

const TELLINGS: Partial<Record<ScenarioName, (teller: Teller) => Telling>> = {
  *'slow-first-token'(teller) {
    teller.at = teller.param('ms', 8_000);
    yield* teller.all();
  },
  *'blocked-prompt'(teller) {
    yield* teller.do({ kind: 'prompt-blocked' });
  },
  *'blocked-answer'(teller) {
    yield* teller.do({ kind: 'finish', finish: { reason: 'blocked' } });
  },
  *'blocked-after-text'(teller) {
    yield* teller.begin(8);
    yield* teller.do({ kind: 'finish', finish: { reason: 'blocked' } });
  },
  *refusal(teller) {
    yield* teller.say('refusal', '抱歉，这个请求我不能协助。\n\nSorry, I can’t help with that request.');
    yield* teller.stop();
  },
  *empty(teller) {
    yield* teller.stop();
  },
  *whitespace(teller) {
    yield* teller.do({ kind: 'text', text: ' \n\n\u3000\t ', tokens: 2 });
    yield* teller.stop();
  },
  *'only-reasoning'(teller) {
    yield* teller.say('reasoning', teller.speech.thoughts ?? 'Let me think about this for a moment…');
    yield* teller.stop();
  },
  *reasoning(teller) {
    const thoughts = teller.speech.thoughts ?? 'Let me think about this for a moment.\n\n想清楚再回答。';
    yield* teller.say('reasoning', thoughts);
    yield* teller.say('text', teller.speech.answer);
    yield* teller.stop();
  },
  *'rough-answer'(teller) {
    const { answer } = teller.speech;
    const size = Math.ceil(answer.length / teller.param('pieces', 50));
    for (let from = 0; from < answer.length; from += size, teller.at += teller.speech.pace.gapMs) {
      yield* teller.do({ kind: 'text', text: answer.slice(from, from + size), tokens: 1 });
    }
    yield* teller.stop();
  },
  *'cut-off'(teller) {
    yield* teller.begin(6);
    yield* teller.do({ kind: 'destroy' });
  },
  *'no-finish'(teller) {
    yield* teller.begin(6);
    yield* teller.do({ kind: 'end' });
  },
  *malformed(teller) {
    yield* teller.begin(6);
    yield* teller.do({ kind: 'raw', bytes: 'data: {"candidates":[{"content":{"parts":[{"te\r\n\r\n' });
    yield* teller.stop();
  },
  *'mid-stream-error'(teller) {
    yield* teller.begin(6);
    yield* teller.do({ kind: 'error', status: teller.param('status', 503) }, { kind: 'end' });
  },
  *'model-error'(teller) {
    yield* teller.do({ kind: 'finish', finish: { reason: 'malformed' } });
  },
  *'huge-line'(teller) {
    yield* teller.begin(3);
    const bytes = teller.param('bytes', 10 * 1024 * 1024);
    yield* teller.do({ kind: 'raw', bytes: `data: {"filler":"${'x'.repeat(bytes)}"}\r\n\r\n` });
    yield* teller.say('text', teller.speech.answer);
    yield* teller.stop();
  },
  *'comment-flood'(teller) {
    for (let left = teller.param('count', 20_000); left > 0; left -= FLOOD_BLOCK) {
      yield* teller.do({ kind: 'raw', bytes: COMMENT.repeat(Math.min(left, FLOOD_BLOCK)) });
    }
    yield* teller.all();
  },
  *'endless-comments'(teller) {
    for (; ; teller.at += teller.speech.pace.gapMs) yield* teller.do({ kind: 'raw', bytes: COMMENT });
  },
  *'duplicate-finish'(teller) {
    yield* teller.all();
    yield* teller.stop();
  },
  *silent(teller) {
    yield* teller.begin(4);
    yield* teller.do({ kind: 'silence' });
  },
  *'never-ends'(teller) {
    yield* teller.think();
    for (;;) yield* teller.say('text', `${teller.speech.answer}\n\n`);
  },
  *'huge-usage'(teller) {
    yield* teller.answer();
    yield* teller.do({ kind: 'usage', inputTokens: 9e15, outputTokens: 9e15 });
    yield* teller.stop();
  },
  *'negative-usage'(teller) {
    yield* teller.answer();
    yield* teller.do({ kind: 'usage', inputTokens: -12, outputTokens: -400 });
    yield* teller.stop();
  },
  *'max-tokens'(teller) {
    yield* teller.begin(12);
    yield* teller.do({ kind: 'finish', finish: { reason: 'length' } });
  },
  *continuation(teller) {
    const parts = teller.param('hops', 2) + 1;
    const { answer, part } = teller.speech;
    const size = Math.ceil(answer.length / parts);
    yield* teller.say('text', answer.slice(part * size, (part + 1) * size));
    const goesOn = part + 1 < parts;
    yield* teller.do({
      kind: 'finish',
      finish: goesOn ? { reason: 'continued', token: String(part + 1) } : { reason: 'stop' },
    });
  },
  *'byte-by-byte'(teller) {
    yield* teller.say('text', teller.speech.answer, teller.param('pieces', 6), 'bytes');
    yield* teller.stop();
  },
};

/** The script of one answer; a scenario that is not about the answer's course leaves it as it is. */
export function writeScript(speech: Speech): Telling {
  const teller = new Teller(speech);
  const telling = speech.scenario ? TELLINGS[speech.scenario.name] : undefined;
  return telling ? telling(teller) : teller.all();
}

const WORK_PIECES = ['你好，', 'hello ', '世界', ' and ', '**流式**', ' stream', '。', '\n'];

/** The script of a benchmark's answer: a metronome. */
export function* writeWork(work: Work): Telling {
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
