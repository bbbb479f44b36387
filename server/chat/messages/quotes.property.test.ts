import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import type { LedgerPage } from '#contract/credits.ts';
import type { Emulator } from '#emulators/http-server.ts';
import { startOpenaiEmulator } from '#emulators/openai/openai-emulator.ts';
import { sliceList } from '#server/chat/upstream/transport/slice-json.ts';
import { grantCredits } from '#server/credits/grant-credits.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf, type Draft, draft, refusal, waitForEnd } from '#test/chat/chat.ts';
import { type StoredFile, storeFile } from '#test/chat/files.ts';
import {
  geminiParts,
  isSearching,
  type Mix,
  mix,
  mixedRoutes,
  optionsOf,
  play,
  refusalOf,
  statusOf,
  toldTexts,
} from '#test/chat/mixes.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { controlEmulator, type EmulatorControl } from '#test/emulator-control.ts';
import { openEvents } from '#test/events.ts';
import { insertSubscription } from '#test/factories.ts';
import { runs, timeoutFor } from '#test/runs.ts';

let folder: string;
let openai: Emulator;
let controls: Record<Mix['model']['dialect'], EmulatorControl>;
let app: TestApp;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-models-'));
  openai = await startOpenaiEmulator({ port: 0 });
  const routes = join(folder, 'models.json');
  writeFileSync(routes, JSON.stringify(mixedRoutes(`${openai.url}/v1`)));
  app = await createTestApp({
    env: { UNANSWERED_LIMIT: '1000', UNCHARGED_LIMIT: '1000', MODELS_FILE: routes, OTHER_KEY: 'good' },
  });
  controls = { gemini: app.gemini, 'openai-compatible': controlEmulator(openai.url) };
});
afterAll(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
  await openai.close();
  rmSync(folder, { recursive: true });
});

type User = Awaited<ReturnType<TestApp['signedIn']>>;

/** An answer as later turns give it to a model. */
interface Written {
  one: Mix;
  message: Message;
}

/** A conversation of one user, and what is due of it. */
class MixedConversation {
  last: Message | null = null;
  spent = 0;
  charged = 0;
  private readonly written: Written[] = [];
  private readonly kept: StoredFile[] = [];
  private readonly user: User;
  private readonly credits: number;

  constructor(user: User, credits: number) {
    this.user = user;
    this.credits = credits;
  }

  async send(one: Mix): Promise<void> {
    for (const control of Object.values(controls)) await control.reset();
    await play(controls[one.model.dialect], one);
    const own = one.files.map(([each, everyTurn]) => ({ ...each, everyTurn }));
    const wanted = await this.draft(one, own);
    const quoted = await this.quote(one, own, wanted);
    if (quoted === null) return;
    const maxCredits = one.shown === null ? {} : { maxCredits: quoted.max + one.shown };
    const response = await this.user.post('/api/messages', { ...wanted, ...maxCredits });
    const isShort = quoted.max > this.credits - this.spent;
    expect(response.status).toBe(one.shown === -1 ? 409 : isShort ? 402 : 201);
    if (response.status !== 201) return;
    await this.stop(one, wanted.id);
    this.last = await waitForEnd(this.user, wanted.id);
    await this.expectPrice(one, quoted, this.last);
    await this.expectBack(one, this.last);
    this.kept.push(...own.filter(({ everyTurn }) => everyTurn));
    const { status, response: said } = this.last;
    if (status === 'completed' || (status === 'stopped' && said.trim() !== ''))
      this.written.push({ one, message: this.last });
  }

  private async draft(one: Mix, own: StoredFile[]): Promise<Draft> {
    const { sql } = app.database.database;
    const files = await Promise.all(own.map((each) => storeFile(sql, this.user.userId, each)));
    const { last } = this;
    const above = last ? { conversationId: last.conversationId, parentId: last.id } : {};
    const options = optionsOf(one);
    return { ...draft({ ...above, model: one.model.id, files }), ...(options ? { options } : {}) };
  }

  /** Null: it was refused, and so is the message. */
  private async quote(one: Mix, own: StoredFile[], wanted: Draft): Promise<Message['quote'] | null> {
    const { id: _, conversationId, parentId, ...priced } = wanted;
    const place = this.last ? { conversationId, parentId } : {};
    const answer = await this.user.post('/api/quotes', { ...place, ...priced });
    const read = [...this.kept, ...own];
    const code = refusalOf(one, read);
    if (code === null && answer.status === 200) {
      const quoted = (await answer.json()) as Message['quote'];
      const tokens = read.reduce((sum, each) => sum + (each.tokens ?? 0), 0);
      const line = quoted.lines.find(({ kind }) => kind === 'files');
      expect(line?.max ?? 0).toBe(Math.ceil(Math.max(0, tokens - 8_000) / 8_000));
      return quoted;
    }
    // More than the model reads at a time, where it is not refused for what it is.
    const due = { code: code ?? 'context_too_long' };
    expect(await refusal(answer)).toMatchObject(due);
    expect(await refusal(await this.user.post('/api/messages', wanted))).toMatchObject(due);
    return null;
  }

  private async stop({ end }: Mix, id: string): Promise<void> {
    if (!end.startsWith('stopped')) return;
    if (end === 'stopped-later') {
      const answer = await openEvents(this.user, `/api/messages/${id}/events`);
      await answer.next(({ event }) => event === 'text');
      answer.close();
    }
    await this.user.post(`/api/messages/${id}/stop`, {});
  }

  private async expectPrice(one: Mix, quoted: Message['quote'], message: Message): Promise<void> {
    const { status, creditsUsed, charged, quote, response } = message;
    expect(status).toBe(statusOf(one));
    expect(quote).toEqual(quoted);
    const isCharged = status === 'completed' || (status === 'stopped' && response.trim() !== '');
    const searches = status === 'completed' && isSearching(one) ? one.searches : 0;
    const due = quoted.lines.map(({ kind, max, params }) =>
      kind === 'search' ? Math.min(max, (params.each ?? 0) * searches) : max,
    );
    expect(creditsUsed).toBe(isCharged ? due.reduce((sum, credits) => sum + credits, 0) : 0);
    expect(creditsUsed).toBeLessThanOrEqual(quoted.max);
    expect(charged?.total).toBe(creditsUsed);
    expect(charged?.lines.reduce((sum, { credits }) => sum + credits, 0)).toBe(creditsUsed);
    this.spent += creditsUsed;
    this.charged += creditsUsed > 0 ? 1 : 0;
    expect(await creditsOf(this.user)).toBe(this.credits - this.spent);
  }

  /** What the model was asked: its own answers as it wrote them, those of others in words. No provider refuses a part. */
  private async expectBack({ model, end }: Mix, { contextTrimmed }: Message): Promise<void> {
    const sent = await controls[model.dialect].requests();
    expect(sent.filter(({ status, scenario }) => status === 400 && scenario === null)).toEqual([]);
    // What is refused with 400 is asked once more without parts of its own, in case that was why.
    const asked = sent.find(({ path }) => /:streamGenerateContent|chat\/completions/.test(path));
    // One that was stopped may not have reached the model.
    if (!asked && end === 'stopped') return;
    if (contextTrimmed) return;
    const answers = answersIn(asked?.body, asked?.text ?? '');
    expect(answers).toHaveLength(this.written.length);
    for (const [index, each] of this.written.entries()) expectAnswer(model, each, answers[index]);
  }

  async expectLedger(): Promise<void> {
    const { entries } = (await (await this.user.get('/api/credits/entries?limit=100')).json()) as LedgerPage;
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(this.credits - this.spent);
  }
}

interface GivenAnswer {
  role: string;
  /** On Gemini's wire. */
  parts?: { text?: string }[];
  /** The same as they came. */
  written: string[];
  /** On OpenAI's. */
  content?: string;
}

function answersIn(body: unknown, text: string): GivenAnswer[] {
  const { contents, messages } = body as { contents?: GivenAnswer[]; messages?: GivenAnswer[] };
  expect(JSON.stringify(messages ?? [])).not.toContain('tool_calls');
  const written = sliceList(text, ['contents']).map((turn) => sliceList(turn, ['parts']));
  return (contents ?? messages ?? [])
    .map((turn, index) => ({ ...turn, written: written[index] ?? [] }))
    .filter(({ role }) => role === 'model' || role === 'assistant');
}

function expectAnswer(model: Mix['model'], { one, message }: Written, answer: GivenAnswer | undefined): void {
  const isStopped = message.status === 'stopped';
  const has = (kinds: RegExp) => one.pieces.some(({ kind }) => kinds.test(kind));
  const isKept = model.dialect === 'gemini' && !isStopped && has(/signed|code|output|unseen/);
  if (isKept && one.model.upstream === model.upstream) {
    expect(answer?.written).toEqual(geminiParts(one));
    return;
  }
  for (const each of answer?.parts ?? [{ text: answer?.content }])
    expect(each).toEqual({ text: expect.any(String) });
  const told = answer?.content ?? (answer?.parts ?? []).map(({ text }) => text).join('');
  if (isStopped || !has(/code|output/)) expect(told).toBe(message.response);
  else for (const text of toldTexts(one)) expect(told).toContain(text);
}

test('P21: no mix of models, wires, options, files, parts, failures and stops costs more than was quoted, and each model gets its own parts back', {
  timeout: timeoutFor(600_000),
}, async () => {
  let charged = 0;
  const granted = fc.constantFrom(0, 120);
  const mixes = fc.array(mix, { minLength: 2, maxLength: 6, size: 'max' });
  await fc.assert(
    fc.asyncProperty(granted, mixes, async (amount, all) => {
      const user = await app.signedIn();
      const { sql } = app.database.database;
      await insertSubscription(sql, user.userId);
      if (amount > 0) await grant(user.userId, amount);
      const conversation = new MixedConversation(user, 40 + amount);
      for (const one of all) await conversation.send(one);
      await conversation.expectLedger();
      charged += conversation.charged;
    }),
    { numRuns: runs(8, 3_000), endOnFailure: true },
  );
  expect(charged).toBeGreaterThan(0);
});

async function grant(userId: string, amount: number): Promise<void> {
  const { sql } = app.database.database;
  const shared = { sourceKey: 'a:1', kind: 'adjustment' as const, reason: 'goodwill' };
  const expiresAt = new Date(Date.now() + 30 * 86_400_000);
  await grantCredits(sql, { userId, amount, ...shared, expiresAt, at: null });
}
