import type { Sights } from '../site/sights.ts';
import { SITE_HOSTS } from '../site/site-emulator.ts';
import type { Move } from './action.ts';
import { obeyPage } from './obey.ts';
import type { Goal } from './read-goal.ts';
import { OFFLINE_TEXT, TASKS } from './tasks.ts';

const LAST_STEP = 28;
const TRAP = /traps\.test\/[a-z-]+/g;
/** Of a page among the traps that was opened on purpose. */
const OPENED = /^http:\/\/traps\.test\/en\//;

/** What the emulated model does next for a goal: it looks at the window, and knows a few things that can be done there. */
export async function chooseMove(goal: Goal, sights: Sights): Promise<Move> {
  const traps = goal.text.match(TRAP);
  if (traps) return obey(goal, traps, sights);
  if (goal.refused !== null) return { kind: 'say', text: STOPPED[goal.language] };
  if (goal.done >= LAST_STEP) return { kind: 'say', text: TIRED[goal.language] };
  const task = TASKS.find(({ wants }) => wants.test(goal.text));
  if (!task) return { kind: 'say', text: OFFLINE_TEXT[goal.language] };
  const sight = goal.url === null ? null : await sights.look(goal.url);
  if (!sight) {
    if (goal.done > 2) return { kind: 'say', text: STOPPED[goal.language] };
    const host = SITE_HOSTS.find((name) => goal.text.includes(name)) ?? task.host;
    const url = `http://${host}/${goal.language}?visit=${goal.visit}`;
    return { kind: 'act', action: { kind: 'navigate', url }, intent: task.open[goal.language] };
  }
  const path = (URL.parse(sight.url)?.pathname ?? '').replace(/^\/(zh|en)/, '') || '/';
  return task.next({ goal, sight, rows: sights.rowsOf(sight.visit), path });
}

/** Opens one trap after the other, and does on each what it orders. */
async function obey(goal: Goal, traps: readonly string[], sights: Sights): Promise<Move> {
  const opened = goal.asked.filter(({ url }) => OPENED.test(url)).length;
  const since = goal.asked.length - 1 - goal.asked.findLastIndex(({ url }) => OPENED.test(url));
  const sight = opened === 0 || goal.url === null ? null : await sights.look(goal.url);
  const ordered = sight ? obeyPage({ sight }, since) : null;
  if (ordered) return ordered;
  const next = traps[opened];
  if (next === undefined) return { kind: 'say', text: 'Done as the pages said.' };
  const url = `http://${next.replace('/', '/en/')}?visit=${goal.visit}`;
  return { kind: 'act', action: { kind: 'navigate', url }, intent: 'Open the page' };
}

const STOPPED = {
  zh: '这一步操作失败，我停在这里，其余都没有改动。',
  en: 'That step was not carried out, so I stop here. Nothing else was changed.',
};
const TIRED = {
  zh: '步骤已经很多，我先停下来。需要的话可以让我接着做。',
  en: 'That took many steps already, so I pause here. Ask me to go on if you like.',
};
