import { readParts } from '#server/chat/message-store/message-parts.ts';
import type { Deps } from '#server/deps.ts';
import { type AnswerPlace, selectApiAnswers } from './export-store.ts';

const AT_ONCE = 20;

/** Every answer of the API that is kept for the user, with its parts where it is more than text. */
export async function* listApiAnswers(
  { database }: Pick<Deps, 'database'>,
  userId: string,
): AsyncGenerator<unknown> {
  let after: AnswerPlace | null = null;
  do {
    const page: Awaited<ReturnType<typeof selectApiAnswers>> = await selectApiAnswers(
      database.sql,
      userId,
      after,
      AT_ONCE,
    );
    yield* page.map(({ output, micros: _, ...answer }) => ({
      ...answer,
      parts: readParts(output, answer.answer),
    }));
    after = page.length < AT_ONCE ? null : (page.at(-1) ?? null);
  } while (after !== null);
}
