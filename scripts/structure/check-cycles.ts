import type { Problem, SourceFile } from './source-file.ts';

/** Composes the parts of a process, so that what it is made of may not even name its type. */
const COMPOSED = 'server/deps.ts';

/** Circular imports among files, by what is loaded at run time (`import type` is erased and may point back). */
export function checkCycles(files: SourceFile[]): Problem[] {
  const paths = new Set(files.map((file) => file.path));
  const edges = new Map(
    files.map((file) => [
      file.path,
      file.imports.flatMap(({ target, typeOnly }) =>
        target && !typeOnly && paths.has(target) ? [target] : [],
      ),
    ]),
  );
  const done = new Set<string>();
  const problems: Problem[] = [];
  const visit = (path: string, trail: string[]) => {
    const back = trail.indexOf(path);
    if (back >= 0) {
      const circle = [...trail.slice(back), path].join(' -> ');
      const text = `circular import ${circle}; move what both need into a third file, or pass it as a parameter`;
      problems.push({ rule: 'cycles', path, line: null, text });
      return;
    }
    if (done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return [...problems, ...checkComposed(files)];
}

/** Files that COMPOSED is made of and that import it, `import type` counted. */
function checkComposed(files: SourceFile[]): Problem[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const beneath = new Set<string>();
  const visit = (path: string) => {
    for (const { target } of byPath.get(path)?.imports ?? []) {
      if (target === null || target === COMPOSED || beneath.has(target)) continue;
      beneath.add(target);
      visit(target);
    }
  };
  visit(COMPOSED);
  const text = `${COMPOSED} is made of this file; take \`BaseDeps\`, or name the few things it needs`;
  return [...beneath]
    .filter((path) => byPath.get(path)?.imports.some(({ target }) => target === COMPOSED))
    .map((path) => ({ rule: 'cycles', path, line: null, text }));
}
