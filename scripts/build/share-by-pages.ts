import { join } from 'node:path';
import type { RouteConfigEntry } from '@react-router/dev/routes';

/** What the bundler tells of modules. */
interface Modules {
  getModuleInfo(id: string): { importedIds: string[]; isEntry: boolean } | null;
}

/** Every page loads these. */
const OF_ALL = ['entry.client.tsx', 'root.tsx'];
/** The part of all pages that makes one file worth its weight to the others. */
const SHARE = 0.5;

/**
 * Names the one file of all modules that at least half of the pages load; the bundler adds what these need of packages. Many small
 * files compress badly, and a file for all that some pages load weighs on the others. Lazy parts do not count: what only they load is
 * in none of the pages. Style sheets stay where they were: a lazy part that shares the file would load them once more.
 */
export function shareByPages(name: string, routes: RouteConfigEntry[], folder: string) {
  const pages = pagesOf(routes, OF_ALL).map((files) => files.map((file) => join(folder, file)));
  let counts: Map<string, number> | undefined;
  return (id: string, modules: Modules): string | null => {
    counts ??= countPages(pages, modules);
    const isShared = (counts.get(id) ?? 0) >= pages.length * SHARE;
    return isShared && !id.endsWith('.css') && !modules.getModuleInfo(id)?.isEntry ? name : null;
  };
}

/** The files of each page's routes, from the outermost. */
function pagesOf(routes: RouteConfigEntry[], above: string[]): string[][] {
  return routes.flatMap(({ file, children = [] }) => {
    const files = [...above, file];
    return children.length === 0 ? [files] : pagesOf(children, files);
  });
}

/** How many pages load each of our modules. */
function countPages(pages: string[][], modules: Modules): Map<string, number> {
  const counts = new Map<string, number>();
  for (const files of pages) {
    const loaded = new Set(files);
    for (const id of loaded) {
      for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) {
        if (!imported.includes('/node_modules/')) loaded.add(imported);
      }
    }
    for (const id of loaded) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
