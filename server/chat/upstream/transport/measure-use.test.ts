import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderUse } from '#server/catalogue/provider-cost-rules.ts';
import { estimateTokens } from '#server/platform/estimate-tokens.ts';
import { geminiBytes } from '#test/chat/gemini-bytes.ts';
import { openaiBytes } from '#test/chat/openai-bytes.ts';
import { asking, listen, nothingReceived, openTestUpstream, type TestUpstream } from '#test/chat/upstream.ts';
import type { GenerateResult } from './upstream.ts';

const PROMPT = '给我一份跑步计划';
const ANSWER = 'Run on Monday, rest on Tuesday.';

interface Case {
  dialect: 'gemini' | 'openai-compatible';
  /** An answer with what its provider says of tokens. */
  write(usage: unknown): string;
  /** Its names of what was read, written, thought and cached. */
  counts(input: unknown, output: unknown, thought?: unknown, cached?: unknown): object;
}

const CASES: Case[] = [
  {
    dialect: 'gemini',
    write: (usage) =>
      geminiBytes([[JSON.stringify({ text: ANSWER })]]).replace(
        '"index":0}]',
        `"index":0,"finishReason":"STOP"}],"usageMetadata":${JSON.stringify(usage)}`,
      ),
    counts: (promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount) => ({
      ...{ promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount },
    }),
  },
  {
    dialect: 'openai-compatible',
    write: (usage) =>
      openaiBytes([{ content: ANSWER }], 'stop').replace(
        'data: [DONE]',
        `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]`,
      ),
    counts: (prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens) => ({
      ...{ prompt_tokens, completion_tokens },
      ...{ completion_tokens_details: { reasoning_tokens }, prompt_tokens_details: { cached_tokens } },
    }),
  },
];

describe.each(CASES)('what a provider of the $dialect dialect counted', ({ dialect, write, counts }) => {
  let on: TestUpstream;
  beforeAll(async () => {
    on = await openTestUpstream(dialect);
  });
  beforeEach(() => on.reset());
  afterAll(() => on.close());

  async function askFor(usage: unknown): Promise<[GenerateResult['usage'], ProviderUse['consumed']]> {
    await on.control.scenario('verbatim', { params: { bytes: write(usage) } });
    const received = nothingReceived();
    const result = await listen(on.upstream, asking(PROMPT), received);
    const [use, ...more] = received.uses;
    if (!use || more.length > 0) throw new Error(`${received.uses.length} uses of one request`);
    return [result.usage, use.consumed];
  }

  const estimated = {
    inputTokens: estimateTokens(PROMPT),
    outputTokens: estimateTokens(ANSWER),
    ...{ cachedInputTokens: 0, thinkingTokens: 0, isEstimate: true },
  };

  test.each([
    ['nothing', null],
    ['an empty object', {}],
    ['a list', [1, 2]],
    ['a sum alone', { total_tokens: 999, totalTokenCount: 999 }],
    ['what another dialect says', { input_tokens: 500 }],
    ['an answer alone', counts(undefined, 20)],
    ['nulls', counts(null, null, null, null)],
    ['zeros', counts(0, 0, 0, 0)],
    ['a question without tokens', counts(0, 20)],
    ['more than any model reads', counts(10_000_001, 20)],
    ['more than any model reads and writes', counts(6_000_000, 6_000_000)],
    ['less than nothing', counts(-5, 20)],
  ])('is estimated, and says so, where it says %s', async (_what, usage) => {
    const [told, consumed] = await askFor(usage);
    expect(told).toBeNull();
    expect(consumed).toMatchObject(estimated);
  });

  test('is taken where it can be true', async () => {
    const [told, consumed] = await askFor(counts(500, 20));
    expect(told).toMatchObject({ inputTokens: 500, outputTokens: 20 });
    expect(consumed).toMatchObject({ inputTokens: 500, outputTokens: 20, isEstimate: false });
  });

  test('has no text that took no tokens: that is estimated', async () => {
    const [, consumed] = await askFor(counts(500, 0));
    expect(consumed).toMatchObject({ ...estimated, inputTokens: 500 });
  });

  test('has no part that is more than its whole', async () => {
    const [told, consumed] = await askFor(counts(500, 20, 7_000, 9_000));
    expect(consumed).toMatchObject({ inputTokens: 500, cachedInputTokens: 500 });
    expect(consumed.thinkingTokens).toBeLessThanOrEqual(consumed.outputTokens);
    expect(told).toEqual({
      ...{ inputTokens: 500, outputTokens: consumed.outputTokens },
      ...{ cachedInputTokens: 500, reasoningTokens: consumed.thinkingTokens },
    });
  });
});
