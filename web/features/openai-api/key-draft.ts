import type { ApiKey, ChangeKey } from '#contract/keys.ts';

export { MAX_KEY_NAME } from '#contract/limits.ts';

const CIDR = /^(\d{1,3}(\.\d{1,3}){3}\/\d{1,2}|[0-9a-f:.]*:[0-9a-f:.]*\/\d{1,3})$/i;

/** A key as its form holds it: texts, checked when it is sent. */
export interface KeyDraft {
  name: string;
  /** Null: every model. */
  models: string[] | null;
  monthlyCap: string;
  /** Networks, one a line. */
  addresses: string;
  /** `YYYY-MM-DD`: the last day it works, as the reader's calendar says; empty for no end. */
  lastDay: string;
}

export type DraftField = 'name' | 'models' | 'monthlyCap' | 'addresses' | 'lastDay';

export function draftOf(key: ApiKey | null): KeyDraft {
  return {
    name: key?.name ?? '',
    models: key?.models ?? null,
    monthlyCap: key?.monthlyCap ? String(key.monthlyCap) : '',
    addresses: key?.allowedAddresses?.join('\n') ?? '',
    lastDay: key?.expiresAt ? dayOf(key.expiresAt - 1) : '',
  };
}

/** What each field is called where it is sent. */
const SENT_AS = {
  name: 'name',
  models: 'models',
  monthlyCap: 'monthlyCap',
  addresses: 'allowedAddresses',
  lastDay: 'expiresAt',
} as const satisfies Record<DraftField, keyof ChangeKey>;

/**
 * What is sent for a draft, or the fields that are wrong; `now` in epoch milliseconds. Of a key that is there, only what differs from the
 * draft as it was `opened`: the rest may have changed since, and its last day is another moment in another time zone.
 */
export function readDraft(
  draft: KeyDraft,
  now: number,
  opened: KeyDraft | null = null,
): { key: ChangeKey } | { wrong: DraftField[] } {
  const name = draft.name.trim();
  const cap = draft.monthlyCap.trim();
  const networks = draft.addresses.split(/[\s,，]+/).filter((one) => one !== '');
  const expiresAt = draft.lastDay === '' ? null : endOfDay(draft.lastDay);
  const isWrong: Record<DraftField, boolean> = {
    name: name === '' || name.length > 80,
    models: draft.models?.length === 0,
    monthlyCap: cap !== '' && !/^[1-9]\d{0,5}$/.test(cap),
    addresses: networks.length > 20 || networks.some((one) => !CIDR.test(withBits(one))),
    lastDay: expiresAt !== null && !(expiresAt > now),
  };
  const isSent = (field: DraftField) => JSON.stringify(draft[field]) !== JSON.stringify(opened?.[field]);
  const sent = (Object.keys(SENT_AS) as DraftField[]).filter(isSent);
  const wrong = sent.filter((field) => isWrong[field]);
  if (wrong.length > 0) return { wrong };
  const key: ChangeKey = {
    name,
    models: draft.models,
    monthlyCap: cap === '' ? null : Number(cap),
    allowedAddresses: networks.length === 0 ? null : networks.map(withBits),
    expiresAt,
  };
  return { key: Object.fromEntries(sent.map((field) => [SENT_AS[field], key[SENT_AS[field]]])) };
}

/** A single address is the network of that address. */
function withBits(network: string): string {
  if (network.includes('/')) return network;
  return `${network}/${network.includes(':') ? 128 : 32}`;
}

function endOfDay(day: string): number {
  const end = new Date(`${day}T00:00:00`);
  return end.setDate(end.getDate() + 1);
}

function dayOf(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
