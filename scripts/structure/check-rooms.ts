import { arrowsOf, arrowsUp } from '../measure/rooms.ts';
import { placeOf } from './places.ts';
import type { Problem, SourceFile } from './source-file.ts';

const MAX_FILES = 20;

/** Rooms (folders): how many source files one holds, and that arrows between the rooms of a domain run one way. Tests do not count. */
export function checkRooms(files: SourceFile[]): Problem[] {
  const source = files.filter((file) => !file.isTest);
  return [...roomSizes(source), ...[...new Set(source.flatMap(domainOf))].flatMap(arrowFaults(source))];
}

function roomSizes(source: SourceFile[]): Problem[] {
  const sizes = Map.groupBy(source, ({ path }) => roomOf(path));
  return [...sizes].flatMap(([room, { length }]) => {
    if (room === '.' || length <= MAX_FILES) return [];
    const text = `${length} source files, the limit is ${MAX_FILES}; give what belongs together a folder named by a noun of the domain`;
    return [{ rule: 'room-size', path: room, line: null, text }];
  });
}

function arrowFaults(source: SourceFile[]) {
  return (domain: string): Problem[] => {
    const inDomain = (path: string) => (path.startsWith(`${domain}/`) ? roomOf(path) : null);
    return arrowsUp(arrowsOf(source, inDomain)).map(({ from, to }) => {
      const file = source.find(
        ({ path, imports }) =>
          roomOf(path) === from && imports.some(({ target }) => target !== null && roomOf(target) === to),
      );
      const text = `${from} -> ${to} (${file?.path}) closes a circle of rooms; move the file, or what both need, to a room beneath both`;
      return { rule: 'room-arrows', path: domain, line: null, text };
    });
  };
}

/** The domain that a file belongs to, or the part of the server: what holds rooms. */
function domainOf({ path }: SourceFile): string[] {
  const { area, part, domain } = placeOf(path);
  if (area === 'server' && part) return [`server/${part}`];
  return area === 'web' && domain ? [`web/features/${domain}`] : [];
}

function roomOf(path: string): string {
  return path.split('/').slice(0, -1).join('/') || '.';
}
