import type { SourceFile } from '../structure/source-file.ts';

/** A room is a folder; an arrow says that a file of `from` imports one of `to`. */
export interface Arrow {
  from: string;
  to: string;
  imports: number;
}

/** The arrows between the rooms of the source files; `import type` counts, because it is read too. Tests do not. */
export function arrowsOf(files: SourceFile[], roomOf: (path: string) => string | null): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const file of files.filter((one) => !one.isTest)) {
    const from = roomOf(file.path);
    for (const { target } of file.imports) {
      const to = target === null ? null : roomOf(target);
      if (from === null || to === null || from === to) continue;
      const key = `${from} ${to}`;
      const arrow = arrows.get(key) ?? { from, to, imports: 0 };
      arrows.set(key, arrow);
      arrow.imports += 1;
    }
  }
  return [...arrows.values()];
}

/**
 * The arrows that run up when the rooms are laid in the order in which the fewest imports do, found by the greedy order of Eades,
 * Lin and Smyth (1993). None: the rooms can be read from top to bottom.
 */
export function arrowsUp(arrows: Arrow[]): Arrow[] {
  const order = orderOf(arrows);
  const place = new Map(order.map((room, index) => [room, index]));
  return arrows.filter(({ from, to }) => (place.get(from) ?? 0) > (place.get(to) ?? 0));
}

function orderOf(arrows: Arrow[]): string[] {
  const rooms = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  const first: string[] = [];
  const last: string[] = [];
  while (rooms.size > 0) {
    const balance = balanceOf(rooms, arrows);
    const sink = [...rooms].find((room) => balance.get(room)?.out === 0);
    const source = [...rooms].find((room) => balance.get(room)?.in === 0);
    const room = sink ?? source ?? mostOutward(rooms, balance);
    if (sink) last.unshift(room);
    else first.push(room);
    rooms.delete(room);
  }
  return [...first, ...last];
}

type Balance = Map<string, { in: number; out: number }>;

function balanceOf(rooms: Set<string>, arrows: Arrow[]): Balance {
  const balance: Balance = new Map([...rooms].map((room) => [room, { in: 0, out: 0 }]));
  for (const { from, to, imports } of arrows) {
    const start = balance.get(from);
    const end = balance.get(to);
    if (!start || !end) continue;
    start.out += imports;
    end.in += imports;
  }
  return balance;
}

function mostOutward(rooms: Set<string>, balance: Balance): string {
  const surplus = (room: string) => (balance.get(room)?.out ?? 0) - (balance.get(room)?.in ?? 0);
  return [...rooms].reduce((best, room) => (surplus(room) > surplus(best) ? room : best));
}
