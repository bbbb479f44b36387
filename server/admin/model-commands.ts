import type { Deps } from '#server/deps.ts';
import { done, type Outcome, order, type Run } from './act-commands.ts';
import { listModels } from './models/list-models.ts';
import { previewPause } from './models/preview-pause.ts';
import { previewPrice } from './models/preview-price.ts';
import type { CommandName } from './parse-command.ts';

/** Commands that show, pause and resume models, and change their prices. */
export const MODEL_COMMANDS = {
  models: showModels,
  'pause-model': pauseModel,
  'resume-model': resumeModel,
  'set-price': setPrice,
  'withdraw-price': withdrawPrice,
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

/** Says what it would do; `--apply` does it. */
async function setPrice(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const [model = '', credits = ''] = command.positionals;
  const change = { model, cost: Number(credits), from: command.from ?? '' };
  const { effects, price } = await previewPrice(deps, change);
  if (command.apply) await order(deps, command, { act: 'set_price', ...change });
  return done([
    command.apply
      ? `${change.from} 起 ${model} 每条 ${credits} Credits。From ${change.from} a message to ${model} costs ${credits} credits.`
      : '价格还没有改；加上 --apply 执行。The price is not changed yet: --apply does it.',
    { title: '影响 Effect', rows: effects.map(({ what, before, after }) => ({ what, before, after })) },
    {
      title: '最近 30 天 The last 30 days',
      rows: [
        {
          answers: price.answers,
          margin_usd: price.margin / 1e6,
          at_this_price_usd: price.marginThen / 1e6,
          users_24h: price.users,
        },
      ],
    },
  ]);
}

async function withdrawPrice(...[deps, command]: Parameters<Run>): Promise<Outcome> {
  const [model = ''] = command.positionals;
  const from = command.from ?? '';
  await order(deps, command, { act: 'withdraw_price', model, from });
  return done([`${model} 定于 ${from} 的价格已撤回。The price of ${model} from ${from} on is withdrawn.`]);
}
