import { Hono } from 'hono';
import { actPreviewRequestSchema, actRequestSchema, decisionSchema } from '#contract/admin/acts.ts';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { requireName } from '#server/platform/clean-text.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import { parseId } from '#server/platform/http/parse-id.ts';
import { answerProvider } from '../billing-records/answer-provider.ts';
import { requireConfirmedOperator, requireOperator } from '../operators/require-operator.ts';
import { closeProposal } from './close-proposal.ts';
import { listProposals } from './list-proposals.ts';
import { previewAct } from './preview-act.ts';
import { requestAct } from './request-act.ts';

/** What operators do: each act on a fresh proof, under an id that its browser chose. */
export function actRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .post('/api/admin/acts/preview', async (c) => {
      const operator = await requireOperator(deps, c);
      const { act } = await parseBody(c, actPreviewRequestSchema);
      return answerProvider(c, () => previewAct(deps, operator, act));
    })
    .post('/api/admin/acts', async (c) => {
      const operator = await requireConfirmedOperator(deps, c);
      const request = await parseBody(c, actRequestSchema);
      const reason = requireName(request.reason, 'reason');
      return answerProvider(c, () => requestAct(deps, operator, { ...request, reason }));
    })
    .get('/api/admin/proposals', async (c) => {
      const operator = await requireOperator(deps, c);
      return c.json({ proposals: await listProposals(deps, operator) });
    })
    .post('/api/admin/proposals/:id', async (c) => {
      const operator = await requireConfirmedOperator(deps, c);
      const { decision } = await parseBody(c, decisionSchema);
      return answerProvider(c, () => closeProposal(deps, operator, parseId(c), decision));
    });
}
