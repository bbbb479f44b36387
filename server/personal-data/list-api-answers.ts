import { readParts } from '#server/chat/tree/message-parts.ts';
import type { Deps } from '#server/deps.ts';
import { selectApiAnswers } from './export-store.ts';

const AT_ONCE = 20;

/** Every answer of the API that is kept for the user, with its parts where it is more than text. */
export async function* listApiAnswers(
  { database }: Pick<Deps, 'database'>,
  userId: string,
): AsyncGenerator<unknown> {
  let after: string | null = null;
  do {
    const page = await selectApiAnswers(database.sql, userId, after, AT_ONCE);
    yield* page.map(({ output, ...answer }) => ({ ...answer, parts: readParts(output, answer.answer) }));
    after = page.length < AT_ONCE ? null : (page.at(-1)?.id ?? null);
  } while (after !== null);
}
