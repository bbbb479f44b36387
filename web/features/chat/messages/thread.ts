import type { Message } from '#contract/chat.ts';

/** One exchange as shown: the message and its siblings, all under the same parent, oldest first. */
export interface Turn {
  message: Message;
  siblings: readonly Message[];
}

/** Which child is shown under a parent (`''` is the beginning), where the reader chose one. */
export type Choices = Readonly<Record<string, string>>;

/**
 * The branch of a conversation that is on screen, oldest first: from the beginning downwards the chosen child, else the one
 * that leads to the newest message. `messages` are sorted by time; a parent that is not loaded counts as the beginning.
 */
export function threadOf(messages: readonly Message[], choices: Choices): Turn[] {
  const known = new Map(messages.map((message) => [message.id, message]));
  const children = new Map<string, Message[]>();
  for (const message of messages) {
    const group = children.get(parentKey(message));
    if (group) group.push(message);
    else children.set(parentKey(message), [message]);
  }
  const newest = newestBelow(messages);
  const turns: Turn[] = [];
  let group = children.get(rootKey(messages, known));
  while (group) {
    const message = pick(group, choices, newest);
    turns.push({ message, siblings: group });
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

/** The key of `message` in `Choices`. */
export function parentKey(message: Message): string {
  return message.parentId ?? '';
}

function rootKey(messages: readonly Message[], known: ReadonlyMap<string, Message>): string {
  let message = messages.at(-1);
  while (message) {
    const parent = known.get(parentKey(message));
    if (!parent) return parentKey(message);
    message = parent;
  }
  return '';
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
