import { useCallback, useMemo, useState } from 'react';
import type { CatalogueModel } from '#contract/catalogue.ts';
import { MAX_STEPS } from '#contract/limits.ts';
import type { PictureOptions, PictureSize, SendOptions } from '#contract/message/quotes.ts';

export type SearchMode = NonNullable<SendOptions['search']>;

/** What an answer may do besides being written, as its reader chose, and the way to change that. */
export interface ChosenOptions {
  chosen: SendOptions;
  choose: (change: Partial<SendOptions>) => void;
}

const KEY = 'chat.options';
/** So many conversations are remembered, the last ones. */
const KEPT = 100;

/** What answers of a conversation may do: as chosen last on this device, else as its `last` message was sent. */
export function useAnswerOptions(conversationId: string, last: SendOptions | undefined): ChosenOptions {
  const [own, setOwn] = useState<SendOptions | undefined>(() => readAll()[conversationId]);
  const chosen = own ?? last ?? NOTHING;
  const choose = useCallback(
    (change: Partial<SendOptions>) => {
      const next = { ...chosen, ...change };
      setOwn(next);
      const { [conversationId]: _, ...others } = readAll();
      write(Object.fromEntries([...Object.entries(others).slice(1 - KEPT), [conversationId, next]]));
    },
    [conversationId, chosen],
  );
  return useMemo(() => ({ chosen, choose }), [chosen, choose]);
}

const NOTHING: SendOptions = {};

/** What of the chosen goes to a model: only what it can do; undefined where that is nothing. */
export function optionsFor(
  model: CatalogueModel | undefined,
  { search = 'off', code, effort, picture, computer }: SendOptions,
): SendOptions | undefined {
  if (!model) return undefined;
  if (model.pictures) return { picture: pictureFor(model.pictures, picture) };
  const { tools, efforts } = model;
  const options: SendOptions = {
    ...(tools.search && search !== 'off' ? { search } : {}),
    ...(tools.code && code ? { code } : {}),
    ...(effort && efforts.includes(effort) ? { effort } : {}),
    ...(model.computer === 'browser' && model.coveredSteps && computer
      ? { computer: { steps: stepsFor(model.coveredSteps, computer.steps) } }
      : {}),
  };
  return Object.keys(options).length > 0 ? options : undefined;
}

/** How many steps of a browser can be allowed beforehand, where the price of the message covers so many. */
export function stepCounts(covered: number): number[] {
  return [1, 2, 3].map((times) => times * covered).filter((count) => count <= MAX_STEPS);
}

/** The one of them that has at least the `chosen` steps, or the most. */
export function stepsFor(covered: number, chosen = covered): number {
  const counts = stepCounts(covered);
  return counts.find((count) => count >= chosen) ?? counts.at(-1) ?? covered;
}

/** The picture that a model makes, as chosen where it can; without a shape the model finds one, an edit keeps that of its picture. */
export function pictureFor(
  { ratios, sizes }: NonNullable<CatalogueModel['pictures']>,
  { ratio, size }: PictureOptions = {},
): PictureOptions & { size: PictureSize } {
  return {
    ...(ratio && ratios.includes(ratio) ? { ratio } : {}),
    size: size && sizes.includes(size) ? size : (sizes[0] ?? '1K'),
  };
}

/** Whether the options may cost something beyond the message itself. */
export function mayCost(options: SendOptions | undefined): boolean {
  const search = options?.search ?? 'off';
  return search !== 'off' || options?.picture !== undefined || options?.computer !== undefined;
}

/** Forgets the choices of this device: for signing out. */
export function clearAnswerOptions(): void {
  write({});
}

function readAll(): Record<string, SendOptions> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, SendOptions>;
  } catch {
    return {};
  }
}

function write(all: Record<string, SendOptions>): void {
  try {
    if (Object.keys(all).length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // Storage is forbidden: the choice lives as long as the page.
  }
}
