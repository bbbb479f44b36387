import type { CDPSession } from 'puppeteer-core';

/** Quality of JPEG and the largest size of a frame; nothing is sent while nothing moves. */
const FORMAT = { format: 'jpeg', quality: 50, maxWidth: 960, maxHeight: 600, everyNthFrame: 1 } as const;
/** The shortest time between two frames: 7 frames a second are 200 kB. */
const INTERVAL_MS = 150;

/** The live picture of a tab, as frames come. */
export class Screencast {
  readonly #send: (jpeg: string) => void;
  #session: CDPSession | null = null;

  constructor(send: (jpeg: string) => void) {
    this.#send = send;
  }

  async start(session: CDPSession): Promise<void> {
    if (this.#session === session) return;
    this.#session = session;
    session.on('Page.screencastFrame', ({ data, sessionId }) => {
      if (this.#session !== session) return;
      this.#send(data);
      const next = () => session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
      setTimeout(next, INTERVAL_MS);
    });
    await session.send('Page.startScreencast', FORMAT);
  }

  async stop(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    session?.removeAllListeners('Page.screencastFrame');
    await session?.send('Page.stopScreencast').catch(() => undefined);
  }

  /** Continues in another tab, if it is on. */
  async moveTo(session: CDPSession): Promise<void> {
    if (this.#session === null) return;
    await this.stop();
    await this.start(session);
  }
}
