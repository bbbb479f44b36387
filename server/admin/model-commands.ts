import type { Deps } from '#server/deps.ts';
import { done, type Outcome, order, type Run } from './act-commands.ts';
import { listModels } from './models/list-models.ts';
import { previewPause } from './models/preview-pause.ts';
import type { CommandName } from './parse-command.ts';

/** Commands that show, pause and resume models. */
export const MODEL_COMMANDS = {
  models: showModels,
  'pause-model': pauseModel,
  'resume-model': resumeModel,
} satisfies Partial<Record<CommandName, Run>>;

async function showModels(deps: Deps): Promise<Outcome> {
  const { models } = await listModels(deps);
  const rows = models.map(({ id, cost, laterCosts, tiers, pausedAt, upstreams }) => ({
    model: id,
    credits: cost,
    plans: tiers.join(' '),
    later_credits: laterCosts.map((later) => `${later.cost} from ${later.from}`).join(', '),
    upstreams: upstreams.map(({ provider, model }) => `${model}@${provider}`).join(' '),
    paused_since: pausedAt === null ? null : new Date(pausedAt),
  }));
  return done([{ title: '模型 Models', rows }]);
}

/** Says whom it concerns; `--apply` does it. */
async function pauseModel(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const [model = ''] = command.positionals;
  const { users, running, others } = (await previewPause(deps, model)).pause;
  if (command.apply) await order(deps, command, { act: 'pause_model', model });
  return done([
    command.apply
      ? `${model} 已暂停，不再接受新消息。${model} is paused: nothing new can be sent to it.`
      : `${model} 还没有暂停；加上 --apply 执行。${model} is not paused yet: --apply does it.`,
    { title: '影响 Effect', rows: [{ users_24h: users, running }] },
    {
      title: '还可以用的其他模型 Other models that can be used',
      rows: others.map(({ tier, models }) => ({ plan: tier, models: models.map(({ en }) => en).join(', ') })),
    },
  ]);
}

async function resumeModel(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const [model = ''] = command.positionals;
  await order(deps, command, { act: 'resume_model', model });
  return done([`${model} 已恢复。${model} can be asked again.`]);
}
