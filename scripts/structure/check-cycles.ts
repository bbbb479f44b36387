import type { Problem, SourceFile } from './source-file.ts';

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
  return problems;
}
