import { createHash } from 'node:crypto';
import type { CDPSession, Protocol } from 'puppeteer-core';
import type { Popups } from './popups.ts';
import type { Questions } from './questions.ts';
import {
  judgeRequest,
  type PageRequest,
  policyFor,
  siteOf,
  siteOfDocument,
  type TestHosts,
  type Verdict,
} from './site-rules.ts';
import type { Found } from './walls/egress-proxy.ts';

type Paused = Protocol.Fetch.RequestPausedEvent;

/** How long after a request the renderer may still report that a form sent it. */
const FORM_NEWS_MS = 60;
/** Longest wait for a form's request. */
const FORM_KEPT_MS = 5_000;
/** Most hosts that one run may contact; equals the limit of its proxy. */
const MAX_HOSTS = 1_000;
const MAX_REFUSED_SITES = 50;
/** Names the page to the user where a form is sent out of a document of no site. */
const NO_SITE = 'about:blank';

/** Why a navigation was refused: its host is not public, or was not found. */
type Unfit = Exclude<Found, 'public'> | null;

export interface GateOptions {
  /** The session of the whole browser: workers and other tabs are intercepted with it too. */
  session: CDPSession;
  allowed: Set<string>;
  testHosts: TestHosts;
  questions: Questions;
  /** Looks up what a host stands for. */
  find(host: string): Promise<Found>;
  /** Tabs other than the run's own; they load nothing. */
  popups: Pick<Popups, 'has' | 'wants'>;
}

/**
 * Every request of a run's browser waits here until `site-rules.ts` has judged it and, where the rules say so, the user has answered.
 * Behind this gate `walls/egress-proxy.ts` is the only way out, because `walls/launch-flags.ts` gives the browser no network.
 */
export class RequestGate {
  readonly #options: GateOptions;
  /** Hosts that requests were allowed to contact; the proxy connects to no others. */
  readonly #hosts = new Map<string, 'full' | 'passive'>();
  readonly #refused = new Map<string, number>();
  /** Digests of the URLs of forms, which may be long, and when to forget them. */
  readonly #forms = new Map<string, NodeJS.Timeout>();
  #mainFrame = '';
  /** The last request for where the tab goes; those before it are given up by the browser. */
  #lastMain = '';
  #from: string | null = null;
  /** Why the last navigation was refused without a question. */
  #unfit: Unfit = null;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { session } = this.#options;
    session.on('Fetch.requestPaused', (event) => {
      this.#decide(event).catch(() => undefined);
    });
    const atResponse = (['Document', 'Script', 'Other'] as const).map((resourceType) => ({
      urlPattern: '*',
      resourceType,
      requestStage: 'Response' as const,
    }));
    await session.send('Fetch.enable', {
      patterns: [{ urlPattern: '*', requestStage: 'Request' }, ...atResponse],
    });
  }

  /** The tab of the run; the events of its frames tell its URL and which requests are those of forms. */
  watchTab(session: CDPSession, frameId: string): void {
    this.#mainFrame = frameId;
    this.#from = null;
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined && frame.id === this.#mainFrame)
        this.#from = siteOfDocument(frame.unreachableUrl ?? frame.url, this.#options.testHosts);
    });
    session.on('Page.frameRequestedNavigation', ({ frameId: id, url, reason }) => {
      if (reason.startsWith('formSubmission')) this.#keepForm(digestOf(id, url));
    });
  }

  allow(site: string): void {
    this.#options.allowed.add(site);
    this.#options.questions.allowSite(site);
  }

  /** Tells the proxy whether it may connect to a host. A tunnel to port 80 is that of a WebSocket. */
  mayReach(host: string, port: number, isTunnel: boolean): boolean {
    const reach = this.#hosts.get(host);
    return reach === 'full' || (reach === 'passive' && !(isTunnel && port === 80));
  }

  /** Requests that were refused since the last call, by site, and why a navigation was; null where none was. */
  takeRefused(): { refused: Record<string, number>; unfit: Unfit } {
    const taken = { refused: Object.fromEntries(this.#refused), unfit: this.#unfit };
    this.#refused.clear();
    this.#unfit = null;
    return taken;
  }

  async #decide(event: Paused): Promise<void> {
    const { popups, questions } = this.#options;
    if (event.responseStatusCode !== undefined || event.responseErrorReason !== undefined)
      return this.#addPolicy(event);
    const isMain = event.frameId === this.#mainFrame && event.resourceType === 'Document';
    if (isMain) {
      this.#lastMain = event.requestId;
      questions.withdrawNavigations();
    }
    if (/^(data|blob|about):/.test(event.request.url)) return this.#continue(event);
    if (event.resourceType === 'Document' && !isMain && popups.has(event.frameId)) {
      popups.wants(event.frameId, event.request.method === 'GET' ? event.request.url : null);
      return this.#fail(event, 'Aborted');
    }
    const verdict = await this.#judge(event, isMain);
    if (verdict.act === 'pass') return this.#pass(event, verdict.host, verdict.reach);
    const found = verdict.act === 'ask' ? await this.#find(verdict.host) : 'private';
    if (isMain && this.#lastMain !== event.requestId) return this.#fail(event, 'Aborted');
    if (verdict.act === 'ask' && found === 'public') return this.#ask(event, verdict);
    this.#count(verdict.site);
    if (isMain && found !== 'public') this.#unfit = found;
    return this.#fail(event, isMain ? 'Aborted' : 'BlockedByClient');
  }

  async #judge(event: Paused, isMain: boolean): Promise<Verdict> {
    const { allowed, testHosts } = this.#options;
    const { url, method, headers } = event.request;
    const request: PageRequest = {
      url,
      method,
      isMain,
      type: event.resourceType,
      isForm: false,
      isServiceWorker: Object.keys(headers).some((name) => name.toLowerCase() === 'service-worker'),
    };
    if (event.resourceType === 'Document' && siteOf(url, testHosts) !== this.#from) {
      await new Promise((resolve) => setTimeout(resolve, FORM_NEWS_MS));
      request.isForm = this.#takeForm(digestOf(event.frameId, url));
    }
    return judgeRequest(request, this.#from, allowed, testHosts);
  }

  async #find(host: string): Promise<Found> {
    const { testHosts, find } = this.#options;
    return Object.hasOwn(testHosts, host) ? 'public' : find(host);
  }

  async #ask(event: Paused, verdict: Extract<Verdict, { act: 'ask' }>): Promise<void> {
    const { questions, allowed } = this.#options;
    const { site, host, kind } = verdict;
    const { url } = event.request;
    const from = this.#from ?? (kind === 'cross_site_form' ? NO_SITE : '');
    const yes = await questions.ask({ kind, site, from, url: withoutQuery(url) });
    if (!yes) return this.#fail(event, 'Aborted');
    allowed.add(site);
    return this.#pass(event, host, 'full');
  }

  async #pass(event: Paused, host: string, reach: 'full' | 'passive'): Promise<void> {
    if (!this.#hosts.has(host) && this.#hosts.size >= MAX_HOSTS) return this.#fail(event, 'BlockedByClient');
    if (this.#hosts.get(host) !== 'full') this.#hosts.set(host, reach);
    await this.#continue(event);
  }

  async #addPolicy(event: Paused): Promise<void> {
    const { session, allowed, testHosts } = this.#options;
    const { requestId, responseHeaders, responseStatusCode } = event;
    if (responseStatusCode === undefined || !responseHeaders) return this.#continue(event);
    const value = policyFor(allowed, testHosts);
    await session.send('Fetch.continueResponse', {
      requestId,
      responseCode: responseStatusCode,
      responseHeaders: [...responseHeaders, { name: 'Content-Security-Policy', value }],
    });
  }

  async #continue({ requestId }: Paused): Promise<void> {
    await this.#options.session.send('Fetch.continueRequest', { requestId });
  }

  async #fail({ requestId }: Paused, errorReason: Protocol.Network.ErrorReason): Promise<void> {
    await this.#options.session.send('Fetch.failRequest', { requestId, errorReason });
  }

  #keepForm(digest: string): void {
    this.#takeForm(digest);
    this.#forms.set(digest, setTimeout(() => this.#forms.delete(digest), FORM_KEPT_MS).unref());
  }

  /** Whether the renderer reported this request as that of a form; true once. */
  #takeForm(digest: string): boolean {
    clearTimeout(this.#forms.get(digest));
    return this.#forms.delete(digest);
  }

  #count(site: string): void {
    if (this.#refused.size < MAX_REFUSED_SITES || this.#refused.has(site))
      this.#refused.set(site, (this.#refused.get(site) ?? 0) + 1);
  }
}

function digestOf(frameId: string, url: string): string {
  return createHash('sha256').update(`${frameId} ${url}`).digest('base64');
}

/** A URL as the user is asked about it: without its query, which may hold the data that the page wants to send away. */
function withoutQuery(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}`.slice(0, 500) : '';
}
