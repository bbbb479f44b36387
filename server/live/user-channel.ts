import type { Language } from '#contract/choices.ts';
import type { LiveEvent } from '#contract/live.ts';
import { presentMessage } from '#server/chat/message-store/present.ts';
import { readMessage } from '#server/chat/messages/list-messages.ts';
import type { Deps } from '#server/deps.ts';
import { type BusPayload, userTopic } from '#server/platform/database/bus.ts';
import { type SseStream, sseFrame } from '#server/platform/sse.ts';

/** An open tab: the stream by which it receives changes. */
export interface Tab {
  language: Language;
  stream: SseStream;
}

type Message = Parameters<typeof presentMessage>[0];

/** Sends the tabs of one user what the bus publishes about the user. */
export class UserChannel {
  readonly tabs = new Set<Tab>();
  private readonly deps: Pick<Deps, 'database' | 'bus' | 'log'>;
  private readonly userId: string;
  private readonly unsubscribe: () => void;
  /** Messages of other processes are read one after the other, so that an older state never follows a newer one. */
  private reading: Promise<void> = Promise.resolve();

  constructor(deps: UserChannel['deps'], userId: string) {
    this.deps = deps;
    this.userId = userId;
    this.unsubscribe = deps.bus.subscribe(userTopic(userId), (payload, value) =>
      this.receive(payload, value),
    );
  }

  close() {
    this.unsubscribe();
  }

  private receive(payload: BusPayload, value: unknown) {
    const { type, ...data } = payload;
    if (type === 'message') this.receiveMessage(String(payload.id), value as Message | undefined);
    else if (type === 'conversation' || type === 'order') this.send(type, { [type]: data });
    else if (type === 'subscription') this.send(type, { subscription: 'planKey' in data ? data : null });
    else this.send(type as LiveEvent['type'], data);
  }

  private receiveMessage(id: string, message: Message | undefined) {
    if (message) return this.sendMessage(message);
    this.readLater(async () => {
      const found = await readMessage(this.deps, this.userId, id);
      if (found) this.sendMessage(found);
    });
  }

  private readLater(read: () => Promise<void>) {
    this.reading = this.reading.then(read).catch((err) => {
      this.deps.log.warn({ err }, 'news of another process could not be read; tabs read it anew');
      for (const tab of this.tabs) tab.stream.end();
    });
  }

  /** Sends each tab the message in its language. */
  private sendMessage(message: Message) {
    const frames = new Map<Language, Buffer>();
    for (const { language, stream } of this.tabs) {
      const frame =
        frames.get(language) ?? newsFrame('message', { message: presentMessage(message, language) });
      frames.set(language, frame);
      stream.write(frame);
    }
  }

  /** Sends the same to each tab. */
  send(type: LiveEvent['type'], data: object) {
    const frame = newsFrame(type, data);
    for (const { stream } of this.tabs) stream.write(frame);
  }
}

/** Sends a tab the end of its session, and closes it. */
export function signOut({ stream }: Tab): void {
  stream.write(newsFrame('signed_out', {}));
  stream.end();
}

/** Shared by all tabs, and bytes: a tab that does not read is written to until too many wait. */
function newsFrame(type: LiveEvent['type'], data: object): Buffer {
  return Buffer.from(sseFrame(type, JSON.stringify(data)));
}
