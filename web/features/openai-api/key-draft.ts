import type { ApiKey, CreateKey } from '#contract/keys.ts';

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

/** What is sent for a draft, or the fields that are wrong; `now` in epoch milliseconds. */
export function readDraft(draft: KeyDraft, now: number): { key: CreateKey } | { wrong: DraftField[] } {
  const name = draft.name.trim();
  const cap = draft.monthlyCap.trim();
  const networks = draft.addresses.split(/[\s,，]+/).filter((one) => one !== '');
  const expiresAt = draft.lastDay === '' ? null : endOfDay(draft.lastDay);
  const wrong: DraftField[] = [];
  if (name === '' || name.length > 80) wrong.push('name');
  if (draft.models?.length === 0) wrong.push('models');
  if (cap !== '' && !/^[1-9]\d{0,5}$/.test(cap)) wrong.push('monthlyCap');
  if (networks.length > 20 || networks.some((one) => !CIDR.test(withBits(one)))) wrong.push('addresses');
  if (expiresAt !== null && !(expiresAt > now)) wrong.push('lastDay');
  if (wrong.length > 0) return { wrong };
  return {
    key: {
      name,
      models: draft.models,
      monthlyCap: cap === '' ? null : Number(cap),
      allowedAddresses: networks.length === 0 ? null : networks.map(withBits),
      expiresAt,
    },
  };
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
