interface Position {
  nextPage: number | null;
  lastPage: number;
}

/**
 * The pages of a list, the one with its newest rows first. Providers do not document at which end they put new rows, so the times
 * of the first page show it: where they grow, the list is walked from its last page backwards.
 */
export async function* newestFirst<Page extends Position>(
  read: (page: number) => Promise<Page>,
  timesOf: (page: Page) => number[],
): AsyncGenerator<Page> {
  const first = await read(1);
  if (first.nextPage === null || !isGrowing(timesOf(first))) {
    yield first;
    let next = first.nextPage;
    while (next !== null) {
      const page: Page = await read(next);
      yield page;
      next = page.nextPage;
    }
    return;
  }
  for (let number = first.lastPage; number > 1; number -= 1) yield await read(number);
  yield first;
}

function isGrowing(all: readonly number[]): boolean {
  const times = all.filter(Number.isFinite);
  return (times[0] ?? 0) < (times.at(-1) ?? 0);
}
