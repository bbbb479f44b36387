import type { CDPSession, Protocol } from 'puppeteer-core';
import type { OfferedFile } from '#contract/message/parts.ts';
import { siteOf, type TestHosts } from './site-rules.ts';

/** Offered files of one run, and of one of its sites, so that there is room for the others. Further ones are ignored. */
const MAX_OFFERED = 10;
const MAX_OF_SITE = 5;
const MAX_NAME = 300;
const MAX_URL = 2_000;

/** Records the files that pages of a run offer for download; none is downloaded. */
export class OfferedFiles {
  readonly #session: CDPSession;
  readonly #allowed: ReadonlySet<string>;
  readonly #testHosts: TestHosts;
  readonly #byGuid = new Map<string, OfferedFile>();
  readonly #isNew = new Set<OfferedFile>();

  /** `session` is that of the whole browser, `allowed` the sites that the run may use. */
  constructor(session: CDPSession, allowed: ReadonlySet<string>, testHosts: TestHosts) {
    this.#session = session;
    this.#allowed = allowed;
    this.#testHosts = testHosts;
  }

  async start(): Promise<void> {
    this.#session.on('Browser.downloadWillBegin', (event) => this.#note(event));
    this.#session.on('Browser.downloadProgress', ({ guid, totalBytes }) => {
      const offered = this.#byGuid.get(guid);
      // A page may announce any length.
      if (offered && Number.isSafeInteger(totalBytes) && totalBytes > 0) offered.bytes = totalBytes;
    });
    await this.#session.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
  }

  /** The files that are new since the last call. */
  take(): OfferedFile[] {
    const taken = [...this.#isNew];
    this.#isNew.clear();
    return taken;
  }

  #note({ guid, url, suggestedFilename }: Protocol.Browser.DownloadWillBeginEvent): void {
    const site = this.#siteOf(url);
    const noted = [...this.#byGuid.values()];
    if (site === null || noted.some((each) => each.url === url) || noted.length >= MAX_OFFERED) return;
    if (noted.filter((each) => each.site === site).length >= MAX_OF_SITE) return;
    const offered = { name: suggestedFilename.slice(0, MAX_NAME), bytes: null, site, url };
    this.#byGuid.set(guid, offered);
    this.#isNew.add(offered);
  }

  /**
   * The site of the URL of an offered file; null where the site is not allowed, and for a URL from which the file cannot be downloaded
   * again: of the page itself, or too long.
   */
  #siteOf(address: string): string | null {
    const url = URL.parse(address);
    const isTest = url !== null && Object.hasOwn(this.#testHosts, url.hostname);
    const isFit = url?.protocol === 'https:' || (url?.protocol === 'http:' && isTest);
    if (!isFit || url.port !== '' || address.length > MAX_URL) return null;
    const site = siteOf(address, this.#testHosts);
    return site !== null && this.#allowed.has(site) ? site : null;
  }
}
