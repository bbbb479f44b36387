import type { AnswerPart } from '#contract/message/parts.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import type { Bus } from '#server/platform/database/bus.ts';
import { readParts } from '../message-store/message-parts.ts';
import { findMessages, type MessageRow } from '../message-store/store.ts';
import { type LogPart, selectEvents } from './event-store.ts';
import { Feed, type FeedEvent, PartEvent, PieceEvent } from './feed.ts';

/** How long a follower waits at most for events of another process when no notification comes. */
const POLL_MS = 1_000;
const ROWS = 200;
/** How long the events of an answer are kept after several readers had them at once: more readers may follow. */
const KEEP_MS = 5_000;

/** Topic of the messages whose log has moved on: `{ ids }`. */
const EVENTS_TOPIC = 'events';
/** Ids in one notification, which takes 8,000 bytes: a longer one would be refused with all that is sent beside it. */
const IDS_AT_ONCE = 200;

/** Publishes that the logs of messages have moved on, or that they have ended; however many they are. */
export function publishEvents(bus: Bus, ids: readonly string[]): void {
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
    bus.publish(EVENTS_TOPIC, { ids: ids.slice(from, from + IDS_AT_ONCE) });
}

/** Feeds made from the event log, one for all readers of a message: of answers that another process runs, and of those that are over. */
export class RemoteFeeds {
  private readonly deps: Pick<BaseDeps, 'database' | 'bus' | 'log'>;
  private readonly keepMs: number;
  private readonly mirrors = new Map<string, Mirror>();
  private readonly due = new Set<string>();
  private reading: Promise<void> | null = null;
  private readonly timer: NodeJS.Timeout;
  private readonly unsubscribe: () => void;

  constructor(deps: RemoteFeeds['deps'], keepMs = KEEP_MS) {
    this.deps = deps;
    this.keepMs = keepMs;
    this.timer = setInterval(() => this.wake([...this.mirrors.keys()]), POLL_MS).unref();
    this.unsubscribe = deps.bus.subscribe(EVENTS_TOPIC, ({ ids }) => {
      if (this.mirrors.size > 0 && Array.isArray(ids)) this.wake(ids);
    });
  }

  close() {
    clearInterval(this.timer);
    this.unsubscribe();
  }

  /** The feed of a message that this process does not run: from the log, and kept up with it while a follower watches. */
  async open({ id, userId }: FollowedMessage): Promise<Feed> {
    const known = this.find({ id, userId });
    if (known) return known;
    const feed: Feed = new Feed(() => {
      if (this.mirrors.get(id)?.feed === feed) this.mirrors.delete(id);
    });
    const mirror = { id, userId, feed };
    const release = feed.watch(() => {});
    this.mirrors.set(id, mirror);
    try {
      while ((await this.read([mirror])).length > 0);
    } catch (error) {
      feed.lose();
      throw error;
    } finally {
      if (feed.isLost) this.mirrors.delete(id);
      setImmediate(release);
    }
    return feed;
  }

  /** The feed of a message of the user that is open here already; it is kept a little longer. */
  find({ id, userId }: FollowedMessage): Feed | null {
    const known = this.mirrors.get(id);
    if (known?.userId !== userId) return null;
    setTimeout(
      known.feed.watch(() => {}),
      this.keepMs,
    ).unref();
    return known.feed;
  }

  private wake(ids: string[]) {
    for (const id of ids) if (this.mirrors.get(id)?.feed.ending === null) this.due.add(id);
    if (this.due.size === 0 || this.reading) return;
    this.reading = this.readDue()
      .catch((err) => this.deps.log.warn({ err }, 'the event log could not be read; trying again'))
      .finally(() => {
        this.reading = null;
        this.wake([]);
      });
  }

  private async readDue() {
    const batch: Mirror[] = [];
    for (const id of this.due) {
      const mirror = this.mirrors.get(id);
      if (mirror) batch.push(mirror);
    }
    this.due.clear();
    for (const id of await this.read(batch)) this.due.add(id);
    for (const { id, feed } of batch) if (feed.isLost) this.mirrors.delete(id);
  }

  /** Brings feeds up to the log; returns the messages of which there is more. */
  private async read(batch: Mirror[]): Promise<string[]> {
    const places = batch.map(({ id, feed }) => ({ messageId: id, after: feed.events.length }));
    const parts = await selectEvents(this.deps.database.sql, places, ROWS);
    const byMessage = Map.groupBy(parts, (part) => part.messageId);
    const unfinished: string[] = [];
    const ended: Mirror[] = [];
    for (const one of batch) {
      const rows = byMessage.get(one.id);
      const before = one.feed.events.length;
      if (rows) copyEvents(one.feed, rows);
      // Behind a gap nothing is taken: reading on would find the same rows for ever.
      if (!rows) one.feed.lose();
      else if (rows.length >= ROWS && one.feed.events.length > before) unfinished.push(one.id);
      else if (rows[0]?.isEnded) ended.push(one);
    }
    await this.finish(ended);
    return unfinished;
  }

  private async finish(ended: Mirror[]) {
    if (ended.length === 0) return;
    const ids = ended.map(({ id }) => id);
    const messages = await findMessages(this.deps.database.sql, ids);
    for (const { id, feed } of ended) {
      const message = messages.find((one) => one.id === id);
      if (message) endFeed(feed, message);
      else feed.lose();
    }
  }
}

export interface FollowedMessage {
  id: string;
  userId: string;
}

interface Mirror extends FollowedMessage {
  feed: Feed;
}

/** Adds the events of rows that the feed does not have. A process that was taken for dead may have written beyond the end. */
function copyEvents(feed: Feed, parts: LogPart[]) {
  const before = feed.events.length;
  const added: FeedEvent[] = [];
  for (const { firstSeq, events, endSeq } of parts) {
    for (const [index, [type, data]] of (events ?? []).entries()) {
      const seq = (firstSeq ?? 0) + index;
      const isNext = seq === before + added.length + 1 && seq < (endSeq ?? Number.POSITIVE_INFINITY);
      if (isNext) added.push(readEvent(type, data));
    }
  }
  if (added.length > 0) feed.append(added);
}

/** Most events are pieces of text, which keep that alone. */
function readEvent(type: string, data: unknown): FeedEvent {
  const isPiece = type === 'text' || type === 'reasoning';
  return isPiece
    ? new PieceEvent(type, (data as { text: string }).text)
    : { type, data: JSON.stringify(data) };
}

function eventOf(part: AnswerPart): FeedEvent {
  return part.kind === 'text' || part.kind === 'reasoning'
    ? new PieceEvent(part.kind, part.text)
    : new PartEvent(part);
}

/** Ends a feed; one whose log is gone, in whole or in part, says the whole text in one event, or each part in one. */
function endFeed(feed: Feed, message: MessageRow) {
  const isComplete = feed.events.length + 1 >= (message.endSeq ?? 1);
  if (!isComplete && feed.events.length === 0) {
    feed.isWhole = true;
    const parts = readParts(message.output, message.response) ?? [{ kind: 'text', text: message.response }];
    feed.append(parts.filter((part) => part.kind !== 'text' || part.text !== '').map(eventOf));
  }
  feed.end(message);
}
