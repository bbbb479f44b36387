import type { ServerResponse } from 'node:http';
import type { Actor } from '#server/accounts/authenticate.ts';
import { listLiveSessions } from '#server/accounts/list-live-sessions.ts';
import type { Deps } from '#server/deps.ts';
import type { Language } from '#server/platform/translate.ts';
import { type Tab, UserChannel } from './user-channel.ts';

/** A browser with more tabs than this refreshes by hand. */
const TABS_PER_USER = 50;
/** A session that ended without anybody telling us is noticed within this time. */
const CHECK_MS = 30_000;

type TabsDeps = Pick<Deps, 'database' | 'clock' | 'bus' | 'log' | 'sse'>;

/** The open tabs of this process, by user. */
export class Tabs {
  private readonly deps: TabsDeps;
  private readonly channels = new Map<string, UserChannel>();
  private timer: NodeJS.Timeout | undefined;

  constructor(deps: TabsDeps) {
    this.deps = deps;
    deps.bus.onGap(() => this.reconnectAll());
  }

  /** Takes over a response as the stream of a tab. Throws `too_many_streams` when the user has too many. */
  open(actor: Actor, language: Language, outgoing: ServerResponse): void {
    this.deps.sse.admit(outgoing, `tabs ${actor.userId}`, TABS_PER_USER);
    const channel = this.channelOf(actor.userId);
    const onClose = () => {
      channel.tabs.delete(tab);
      if (channel.tabs.size === 0) this.closeChannel(actor.userId, channel);
    };
    const tab: Tab = {
      sessionId: actor.sessionId,
      language,
      stream: this.deps.sse.open(outgoing, { onClose }),
    };
    channel.tabs.add(tab);
  }

  private channelOf(userId: string): UserChannel {
    const known = this.channels.get(userId);
    if (known) return known;
    const channel = new UserChannel(this.deps, userId);
    this.channels.set(userId, channel);
    this.timer ??= setInterval(() => this.checkSessions(), CHECK_MS).unref();
    return channel;
  }

  private closeChannel(userId: string, channel: UserChannel) {
    channel.close();
    if (this.channels.get(userId) === channel) this.channels.delete(userId);
    if (this.channels.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Something may have been missed: tabs come back at once and read everything anew. */
  private reconnectAll() {
    for (const channel of this.channels.values()) for (const tab of channel.tabs) tab.stream.end();
  }

  private async checkSessions() {
    const tabs = [...this.channels.values()].flatMap((channel) => [...channel.tabs]);
    const sessionIds = [...new Set(tabs.map((tab) => tab.sessionId))];
    try {
      const live = await listLiveSessions(this.deps, sessionIds);
      for (const channel of this.channels.values()) channel.signOut((sessionId) => !live.has(sessionId));
    } catch (err) {
      this.deps.log.warn({ err }, 'the sessions of open tabs could not be checked; trying again');
    }
  }
}
