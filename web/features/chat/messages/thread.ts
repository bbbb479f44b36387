import type { Message } from '#contract/chat.ts';
import { type KnownMessages, parentKey, type Siblings } from './message-cache.ts';

/** One exchange as shown: the message, and those under its parent. */
export interface Turn {
  message: Message;
  siblings: Siblings;
}

const ALONE: Siblings = { ids: [], older: 0, newer: 0 };

/** Which child is shown under a parent (`parentKey`), where the reader chose one. */
export type Choices = Readonly<Record<string, string>>;

/**
 * The part of a branch that is on screen, from above to below: around the message `anchor`, else up to the newest one. It begins
 * where nothing above is loaded. Downwards it takes the chosen child, else the one that leads to the newest message.
 */
export function threadOf(
  { messages, siblings, around }: Pick<KnownMessages, 'messages' | 'siblings' | 'around'>,
  choices: Choices,
  anchor: string | null,
): Turn[] {
  const known = new Map(messages.map((message) => [message.id, message]));
  const children = new Map<string, Message[]>();
  for (const message of messages) {
    const group = children.get(parentKey(message));
    if (group) group.push(message);
    else children.set(parentKey(message), [message]);
  }
  const newest = newestBelow(messages);
  const turns: Turn[] = [];
  const start = known.get(anchor ?? '') ?? messages.at(-1);
  let group = start && children.get(rootKey(start, known));
  while (group) {
    const message = pick(group, choices, newest);
    turns.push({
      message,
      siblings: withLoaded(group, message, around[message.id] ?? siblings[parentKey(message)] ?? ALONE),
    });
    group = children.get(message.id);
  }
  return turns;
}

/** The choices that lead from the beginning of what is loaded down to one message. */
export function choicesTo(messages: readonly Message[], messageId: string): Choices {
  const known = new Map(messages.map((message) => [message.id, message]));
  const choices: Record<string, string> = {};
  for (let message = known.get(messageId); message; message = known.get(parentKey(message))) {
    choices[parentKey(message)] = message.id;
  }
  return choices;
}

function rootKey(start: Message, known: ReadonlyMap<string, Message>): string {
  let top = start;
  for (let parent = known.get(parentKey(top)); parent; parent = known.get(parentKey(top))) top = parent;
  return parentKey(top);
}

/** The siblings that the server named, with those loaded that it did not know yet; what lies beyond the named ones is counted. */
function withLoaded(group: readonly Message[], shown: Message, { ids, older, newer }: Siblings): Siblings {
  const loaded = group.map(({ id }) => id);
  const last = loaded.findLastIndex((id) => ids.includes(id));
  const others = (part: readonly string[]) => part.filter((id) => !ids.includes(id));
  const before = older > 0 ? [] : others(loaded.slice(0, Math.max(0, last)));
  const after = others(loaded.slice(last + 1)).filter((id) => newer === 0 || id === shown.id);
  return { ids: [...before, ...ids, ...after], older, newer };
}

/** For each message, the place in time of the newest one below it or itself; a child always comes after its parent. */
function newestBelow(messages: readonly Message[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (let place = messages.length - 1; place >= 0; place--) {
    const message = messages[place];
    if (!message) continue;
    const own = newest.get(message.id) ?? place;
    newest.set(message.id, own);
    const parent = parentKey(message);
    newest.set(parent, Math.max(newest.get(parent) ?? -1, own));
  }
  return newest;
}

function pick(group: readonly Message[], choices: Choices, newest: ReadonlyMap<string, number>): Message {
  const [first, ...others] = group as [Message, ...Message[]];
  const chosen = group.find((message) => choices[parentKey(message)] === message.id);
  if (chosen) return chosen;
  return others.reduce(
    (best, message) => ((newest.get(message.id) ?? 0) > (newest.get(best.id) ?? 0) ? message : best),
    first,
  );
}
