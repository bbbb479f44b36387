import type { Message } from '#contract/chat.ts';
import { type KnownMessages, parentKey } from './message-cache.ts';

/** One exchange as shown: the message, and the ids of all under its parent that are known of, oldest first. */
export interface Turn {
  message: Message;
  siblings: readonly string[];
}

/** Which child is shown under a parent (`parentKey`), where the reader chose one. */
export type Choices = Readonly<Record<string, string>>;

/**
 * The part of a branch that is on screen, from above to below: around the message `anchor`, else up to the newest one. It begins
 * where nothing above is loaded. Downwards it takes the chosen child, else the one that leads to the newest message.
 */
export function threadOf(
  { messages, siblings }: Pick<KnownMessages, 'messages' | 'siblings'>,
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
    turns.push({ message, siblings: siblingIds(group, siblings[parentKey(message)] ?? []) });
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

/** The siblings that the server named, with those loaded that it left out, being too old, or did not know yet. */
function siblingIds(group: readonly Message[], named: readonly string[]): string[] {
  const ids = group.map(({ id }) => id);
  const last = ids.findLastIndex((id) => named.includes(id));
  const others = (part: readonly string[]) => part.filter((id) => !named.includes(id));
  return [...others(ids.slice(0, Math.max(0, last))), ...named, ...others(ids.slice(last + 1))];
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
