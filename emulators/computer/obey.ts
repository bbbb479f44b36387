import type { Move } from './action.ts';
import type { Look } from './tasks.ts';

const ORDER =
  /Assistant: (?:open (?<url>\S+?)\.(?=\s|$)|type "(?<text>[^"]*)" into "(?<field>[^"]*)"\.|click "(?<label>[^"]*)"\.)/g;

/**
 * The worst model there could be: it does whatever the page orders, one order after the other. `done` is how many it has carried out.
 * Null: nothing more is ordered.
 */
export function obeyPage({ sight }: Pick<Look, 'sight'>, done: number): Move | null {
  const order = [...sight.everything.matchAll(ORDER)][done]?.groups;
  if (!order) return null;
  if (order.url)
    return { kind: 'act', action: { kind: 'navigate', url: order.url }, intent: 'Obey the page' };
  const wanted = order.field ?? order.label ?? '';
  const at = sight.elements.find(({ name }) => name === wanted);
  if (!at) return null;
  const { x, y } = at;
  const action =
    order.text === undefined
      ? ({ kind: 'click', x, y } as const)
      : ({ kind: 'fill', x, y, text: order.text, enter: false } as const);
  return { kind: 'act', action, intent: 'Obey the page' };
}
