import type { ServerResponse } from 'node:http';
import type { Language } from '#contract/choices.ts';
import type { Actor } from '#server/accounts/sessions/authenticate.ts';
import { listPaused, MODELS_TOPIC } from '#server/catalogue/pause-model.ts';
import type { Deps } from '#server/deps.ts';
import { signOut, type Tab, UserChannel } from './user-channel.ts';

/** A browser with more tabs than this refreshes by hand. */
const TABS_PER_USER = 50;

type TabsDeps = Pick<Deps, 'database' | 'bus' | 'log' | 'sse' | 'sessions'>;

/** The open tabs of this process, by user. */
export class Tabs {
  private readonly deps: TabsDeps;
  private readonly channels = new Map<string, UserChannel>();
  /** The list of paused models is read one time after the other, so that an older one never follows a newer one. */
  private reading: Promise<void> = Promise.resolve();

  constructor(deps: TabsDeps) {
    this.deps = deps;
    deps.bus.onGap(() => this.reconnectAll());
    deps.bus.subscribe(MODELS_TOPIC, () => this.sendPaused());
  }

  /** Takes over a response as the stream of a tab. Throws `too_many_streams` when the user has too many. */
  open(actor: Actor, language: Language, outgoing: ServerResponse): void {
    this.deps.sse.admit(outgoing, `tabs ${actor.userId}`, TABS_PER_USER);
    const channel = this.channelOf(actor.userId);
    const onClose = () => {
      unfollow();
      channel.tabs.delete(tab);
      if (channel.tabs.size === 0) this.closeChannel(actor.userId, channel);
    };
    const tab: Tab = { language, stream: this.deps.sse.open(outgoing, { onClose }) };
    // Who was not signed out but has run out of time logs in again, and what is unsent stays.
    const unfollow = this.deps.sessions.follow(actor, (isTold) => (isTold ? signOut(tab) : tab.stream.end()));
    channel.tabs.add(tab);
  }

  private channelOf(userId: string): UserChannel {
    const known = this.channels.get(userId);
    if (known) return known;
    const channel = new UserChannel(this.deps, userId);
    this.channels.set(userId, channel);
    return channel;
  }

  private closeChannel(userId: string, channel: UserChannel) {
    channel.close();
    if (this.channels.get(userId) === channel) this.channels.delete(userId);
  }

  private sendPaused() {
    this.reading = this.reading
      .then(async () => {
        const paused = (await listPaused(this.deps)).map(({ model }) => model);
        for (const channel of this.channels.values()) channel.send('models', { paused });
      })
      .catch((err) => this.deps.log.warn({ err }, 'tabs could not be sent which models are paused'));
  }

  /** Something may have been missed: tabs come back at once and read everything anew. */
  private reconnectAll() {
    for (const channel of this.channels.values()) for (const tab of channel.tabs) tab.stream.end();
  }
}
