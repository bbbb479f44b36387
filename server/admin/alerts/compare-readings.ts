/** A counter's name and value. */
type Reading = readonly (readonly [name: string, value: number])[];

/**
 * Gives a function that takes readings of counters, and says by how much each grew over the last `count` readings; what did not grow
 * is left out. Before the first reading all were zero, as the counters of a process that starts.
 */
export function compareReadings(count: number): (now: Reading) => Map<string, number> {
  const kept: Map<string, number>[] = [new Map()];
  return (now) => {
    kept.push(new Map(now));
    if (kept.length > count + 1) kept.shift();
    const first = kept[0];
    const grown = now.map(([name, value]) => [name, value - (first?.get(name) ?? 0)] as const);
    return new Map(grown.filter(([, value]) => value > 0));
  };
}
