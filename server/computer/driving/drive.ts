import { MAX_STEPS } from '#contract/limits.ts';
import { type ConfirmationPart, stepErrorSchema } from '#contract/message/parts.ts';
import { priceOfMoreSteps } from '#server/catalogue/quote-rules.ts';
import type { DrivenAnswer } from '#server/chat/generation/run.ts';
import type {
  AnswerMetadata,
  GenerateRequest,
  SeenPart,
  SignedCall,
  Turn,
} from '#server/chat/upstream/transport/upstream.ts';
import { UpstreamError } from '#server/chat/upstream/transport/upstream-error.ts';
import { requestConfirmation } from '../confirmations/request-confirmation.ts';
import type { ActResult, Asked } from '../host/protocol.ts';
import { Abandoned, isLost, type LiveRun } from '../runs/live-run.ts';
import type { RunDeps } from '../runs/run-deps.ts';
import {
  type BrowserCall,
  maskSecrets,
  pageOf,
  readCall,
  secretOf,
  showCall,
  showOffered,
  typedIn,
  writeMasked,
} from './call-rules.ts';
import { addMetadata, generateActions } from './generate-actions.ts';
import { keepStepPicture } from './keep-step-picture.ts';
import { RunWatchdog } from './run-watchdog.ts';
import { SYSTEM_TEXT, TOLD } from './system-text.ts';

/** Most model calls per run. Refused actions do not count as steps, so steps alone would not bound it. */
const MAX_HOPS = 60;
/** Calls of one answer that are carried out. A refused one is not paid for as a step, but costs time. */
const MAX_CALLS = 20;
/** Calls of one answer at most: no model makes more. */
const MAX_CALLS_AT_ONCE = 200;
/** Pictures that the model is given: those of its last turns (ai.google.dev/gemini-api/docs/computer-use). */
const PICTURE_TURNS = 3;
/** Actions of a run that were done and are free because their user denied what followed; a page of theirs could ask for ever. */
const MAX_FREE_ACTS = 3;
/** Secrets of a run: each text that is shown or kept is searched for all of them. With one more the run ends, as none may be forgotten. */
const MAX_SECRETS = 1_000;
/** The results of an action that was tried, and so is a step. */
const triedSchema = stepErrorSchema.nullable();

/** Has a model drive a browser that is open, step by step, until it answers in words or a bound is met. */
export class Drive {
  private readonly deps: RunDeps;
  private readonly live: LiveRun;
  private readonly request: GenerateRequest;
  private readonly watchdog: RunWatchdog;
  private readonly turns: Turn[];
  private readonly sensitivePages = new Set<string>();
  /** What was typed into fields that take a secret. */
  readonly secrets = new Set<string>();
  private isSensitive = false;
  /** Its user has denied something since the action began. */
  private hasDenied = false;
  private freeActs = 0;
  private metadata: AnswerMetadata | null = null;
  private steps = 0;
  private url = '';
  /** The URL that its user is shown. */
  private shownUrl = '';
  /** Files that pages offered since the last step, as they may be shown. */
  private offered: ActResult['files'] = [];
  /** True when the model must answer in words now. */
  private isLast = false;
  private asking: Promise<void> = Promise.resolve();
  /** Questions of the browser that need no answer any more. */
  private readonly withdrawnAsks = new Set<string>();

  constructor(deps: RunDeps, live: LiveRun, request: GenerateRequest) {
    this.deps = deps;
    this.live = live;
    this.request = request;
    this.turns = [...request.turns];
    this.watchdog = new RunWatchdog(live, deps.config.computer.timeouts.idleMs);
  }

  /** Whether the run has taken a step. */
  get hasStepped(): boolean {
    return this.steps > 0;
  }

  /** Passes on a question of the browser to the user; the browser waits for the answer, and so does the action of the model. */
  asked(question: Asked) {
    this.watchdog.progress();
    this.asking = this.asking
      .then(() => this.answerBrowser(question))
      .catch((error: Error) => this.watchdog.fail(error));
  }

  /** Ends a question of the browser that needs no answer any more. */
  withdrawn(askId: string) {
    this.withdrawnAsks.add(askId);
    this.live.wake();
  }

  /** Records that a picture shows the page at `url`. Where the user went there by hand, they are shown its site. Never throws. */
  pictured(url: string | undefined) {
    this.showSite(url ?? '').catch((err) => {
      this.deps.log.debug({ err, messageId: this.live.id }, 'where a user went could not be noted');
    });
  }

  /** Ends the run because its browser is gone. */
  closed(reason: string) {
    this.watchdog.lose(reason);
  }

  async run(): Promise<DrivenAnswer> {
    let isAbandoned = false;
    try {
      await this.loop();
      await this.waitForHandback();
    } catch (error) {
      if (!(error instanceof Abandoned)) throw error;
      isAbandoned = true;
    } finally {
      this.watchdog.end();
    }
    if (!this.metadata && !isAbandoned) throw new UpstreamError('empty', 'the model was not asked');
    return { metadata: this.metadata, isAbandoned };
  }

  private async loop() {
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      if (await this.watchdog.race(this.live.waitWhileHeld())) await this.showWhatUserDid();
      const { turn, calls, metadata } = await generateActions(
        this.deps,
        this.live,
        this.nextRequest(),
        this.steps > 0,
      );
      this.metadata = addMetadata(this.metadata, metadata);
      if (turn) this.turns.push(turn);
      if (calls.length === 0) return;
      if (this.isLast) break;
      this.turns.push({ role: 'user', parts: await this.carryOut(calls) });
      this.clearOldPictures();
    }
    if (this.metadata) this.metadata = { ...this.metadata, finishReason: 'length' };
  }

  /** Waits while its user still has the browser; where they keep it for too long, or it ends, the answer is whole all the same. */
  private async waitForHandback() {
    try {
      await this.watchdog.race(this.live.waitWhileHeld());
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }

  private isOutOfTime(): boolean {
    return this.metadata !== null && this.live.ownMs() > this.deps.config.computer.timeouts.runMs;
  }

  private nextRequest(): GenerateRequest {
    const { maxOutputTokens } = this.request;
    return {
      system: SYSTEM_TEXT,
      turns: [...this.turns],
      maxOutputTokens,
      tools: { browser: true },
    };
  }

  /** Carries out the calls in their order; the last one that shows something returns its picture. */
  private async carryOut(calls: readonly SignedCall[]): Promise<SeenPart[]> {
    if (calls.length > MAX_CALLS_AT_ONCE)
      throw new UpstreamError('parse', 'an answer makes more calls than any model', {
        metadata: this.metadata,
      });
    const parts: SeenPart[] = [];
    let hasUserActed = false;
    for (const [n, call] of calls.entries()) {
      hasUserActed ||= await this.watchdog.race(this.live.waitWhileHeld());
      if (hasUserActed) parts.push(this.seen(call, { error: TOLD.userTookOver }, null));
      else if (n >= MAX_CALLS) parts.push(this.seen(call, { error: TOLD.tooManyCalls }, null));
      else {
        const taken = await this.take(readCall(call));
        hasUserActed ||= taken === null;
        parts.push(taken ?? this.seen(call, { error: TOLD.userTookOver }, null));
      }
      clearEarlierPictures(parts);
    }
    if (hasUserActed) await this.showWhatUserDid(parts);
    return parts;
  }

  /** Carries out one action, after asking the user all that it needs. Null where they took over meanwhile: nothing is done. */
  private async take(call: BrowserCall): Promise<SeenPart | null> {
    if (call.decision === 'block') {
      const details = { vendorCode: 'SAFETY_DECISION', metadata: this.metadata };
      throw new UpstreamError('blocked', 'the provider blocked an action', details);
    }
    if (this.isLast || this.isOutOfTime() || !(await this.mayStep())) {
      this.isLast = true;
      return this.seen(call, { error: TOLD.noMoreSteps }, null);
    }
    const isAsked = call.decision === 'ask';
    if (
      isAsked &&
      !(await this.ask('provider', { text: maskSecrets(call.explanation, this.secrets), action: call.name }))
    ) {
      return this.seen(call, { error: TOLD.refused }, null);
    }
    if (await this.watchdog.race(this.live.waitWhileHeld())) return null;
    const { files, ...result } = await this.act(call);
    const response = {
      url: result.url,
      title: result.title,
      ...(result.error === null ? {} : { error: `${result.error}: ${result.message}` }),
      ...(result.dialogs.length > 0 ? { dialogs: result.dialogs } : {}),
      ...(files.length > 0 ? { offered_files: files.map(({ name }) => name) } : {}),
      ...(isAsked ? { safety_acknowledgement: 'true' } : {}),
    };
    return this.seen(call, response, result.jpeg);
  }

  /** Whether one more step is paid for; for more its user is asked. */
  private async mayStep(): Promise<boolean> {
    const { message } = this.live.run;
    const paidSteps = message.input?.computer?.steps ?? 0;
    if (this.steps >= MAX_STEPS) return false;
    if (this.steps < paidSteps) return true;
    const model = this.deps.models.find(message.model);
    const price = priceOfMoreSteps({ quote: message.input?.quote, paidSteps }, model, this.deps.clock.now());
    return this.ask('more_steps', price);
  }

  private async act(call: BrowserCall): Promise<ActResult> {
    const at = this.deps.clock.now().getTime();
    this.isSensitive = false;
    this.hasDenied = false;
    this.live.run.hasActed = true;
    const result = await this.watchdog.act(this.deps.host.act(this.live.id, call.name, call.args));
    this.noteTyped(result.secrets);
    if (result.jpeg !== null) this.live.screen.show(result.jpeg);
    if (result.sensitive) this.sensitivePages.add(pageOf(this.url));
    if (this.isSensitive || result.sensitive) this.noteTyped(typedIn(call));
    const isSensitive = this.isSensitive || result.sensitive || this.sensitivePages.has(pageOf(this.url));
    const url = await this.comeTo(result.url);
    const files = showOffered(result.files, this.secrets);
    this.offered.push(...files);
    const tried = triedSchema.safeParse(result.error);
    // What a page wants by itself, such as an address that is refused, makes no action free.
    if (!tried.success && (!result.done || this.takeFreeAct())) return { ...result, files };
    this.steps += 1;
    const n = this.steps;
    const fileId = result.jpeg === null ? null : await keepStepPicture(this.deps, this.live, n, result.jpeg);
    const shown = showCall(call, isSensitive, this.secrets);
    this.deps.metrics.computerSteps.inc();
    this.live.run.addPart({
      kind: 'step',
      n,
      action: call.name,
      ...shown,
      url,
      fileId,
      at,
      ms: result.ms,
      ...(tried.data ? { error: tried.data } : {}),
      ...(this.offered.length > 0 ? { files: this.offered } : {}),
    });
    this.offered = [];
    return { ...result, files };
  }

  /** Whether what was done is free because its user denied what followed; counts it then. */
  private takeFreeAct(): boolean {
    if (!this.hasDenied || this.freeActs === MAX_FREE_ACTS) return false;
    this.freeActs += 1;
    return true;
  }

  /** Records texts that were typed into fields that take a secret. Throws `Abandoned` where they become too many. */
  private noteTyped(typed: readonly string[]) {
    for (const secret of typed.map(secretOf)) {
      if (secret !== null) this.secrets.add(secret);
      if (this.hasTooManySecrets) throw new Abandoned();
    }
  }

  /** True once the run ends because of it: nothing more may be shown. */
  private get hasTooManySecrets(): boolean {
    return this.secrets.size > MAX_SECRETS;
  }

  /** Updates the URL that the browser is at, as it may be shown. */
  private async comeTo(url: string): Promise<string> {
    const shown = maskSecrets(url, this.secrets);
    this.url = url;
    await this.show(shown);
    return shown;
  }

  /** Shows the site of a page that the user went to; not its path, which may hold what they typed. */
  private async showSite(url: string) {
    const at = URL.parse(url);
    if (!at || !/^https?:$/.test(at.protocol)) return;
    const isKnown = pageOf(url) === pageOf(this.url);
    const shown = isKnown ? maskSecrets(this.url, this.secrets) : `${at.origin}/`;
    if (shown !== this.shownUrl && (await this.live.wasTakenOver())) await this.show(shown);
  }

  private async show(url: string) {
    if (url === this.shownUrl) return;
    this.shownUrl = url;
    await this.live.change({ url });
  }

  private ask(reason: ConfirmationPart['reason'], params: ConfirmationPart['params']): Promise<boolean> {
    return this.watchdog.race(requestConfirmation(this.deps, this.live, { reason, params }));
  }

  private async answerBrowser({ runId, askId, kind, site, from, url, field }: Asked) {
    const isOver = () => this.withdrawnAsks.has(askId) || this.hasTooManySecrets;
    if (isOver()) return;
    if (kind === 'sensitive_field') {
      this.isSensitive = true;
      this.sensitivePages.add(pageOf(url));
    }
    const shown = maskSecrets(url, this.secrets).slice(0, 1_000);
    const params = { site, page: from, url: shown, ...(field === undefined ? {} : { field }) };
    const isAllowed = await requestConfirmation(this.deps, this.live, { reason: kind, params }, isOver);
    if (isAllowed) await this.deps.host.allow(runId, site, askId);
    else {
      this.hasDenied ||= !isOver();
      await this.deps.host.deny(runId, askId);
    }
    this.watchdog.progress();
  }

  /** Tells the model that its user acted, with the page as it is now. */
  private async showWhatUserDid(parts = this.turns.at(-1)?.parts) {
    const last = parts?.at(-1);
    if (last?.kind !== 'seen') return;
    const looked = this.deps.host.act(this.live.id, 'take_screenshot', {});
    const { url, jpeg, files, secrets } = await this.watchdog.act(looked);
    this.noteTyped(secrets);
    await this.comeTo(url);
    this.offered.push(...showOffered(files, this.secrets));
    const before = JSON.parse(last.response) as Record<string, unknown>;
    last.response = writeMasked({ ...before, url, note: TOLD.userActed }, this.secrets);
    last.jpeg = jpeg;
  }

  /** The result of a call, as the model receives it. */
  private seen(
    { id, name }: Pick<SignedCall, 'id' | 'name'>,
    response: object,
    jpeg: string | null,
  ): SeenPart {
    return { kind: 'seen', id, name, response: writeMasked(response, this.secrets), jpeg };
  }

  private clearOldPictures() {
    const withPictures = this.turns.filter(({ parts }) => parts.some((part) => part.kind === 'seen'));
    for (const { parts } of withPictures.slice(0, -PICTURE_TURNS))
      for (const part of parts) if (part.kind === 'seen') part.jpeg = null;
  }
}

function clearEarlierPictures(parts: SeenPart[]) {
  if (parts.at(-1)?.jpeg) for (const part of parts.slice(0, -1)) part.jpeg = null;
}
