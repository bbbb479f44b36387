import { Hono } from 'hono';
import type { Language } from '#contract/choices.ts';
import { type Kept, keepSchema } from '#contract/message/computer.ts';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { presentFile } from '#server/files/state/present-file.ts';
import { type KeptFile, listKept } from '#server/files/uploads/keep-file.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { languageOf } from '#server/platform/translate.ts';
import { readRun } from '../control/read-run.ts';
import { keepShown } from './keep-shown.ts';

/** Routes by which a user keeps files of a browser run. */
export function keptRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .get('/api/messages/:id/kept', async (c) => {
      const { userId } = requireActor(c);
      const messageId = parseId(c);
      await readRun(deps, userId, messageId);
      const kept = await listKept(deps, userId, messageId);
      return c.json({ kept: kept.map((file) => presentKept(file, languageOf(c))) });
    })
    .post('/api/messages/:id/kept', async (c) => {
      const { userId } = requireActor(c);
      const messageId = parseId(c);
      await readRun(deps, userId, messageId);
      const kept = await keepShown(deps, userId, messageId, await parseBody(c, keepSchema));
      return c.json(presentKept(kept, languageOf(c)));
    });
}

function presentKept(file: KeptFile, language: Language): Kept {
  return { key: file.keptKey, file: presentFile(file, language) };
}
