import { type Caller, type CallerOptions, createCaller } from '../call-provider.ts';
import type { Fields } from '../fields.ts';
import { ProviderError } from '../provider-error.ts';
import { type CalledProvider, statusError } from '../refusal.ts';

export interface BagelpayPage {
  items: Fields[];
  nextPage: number | null;
  lastPage: number;
}

/** BagelPay's API: the objects inside its envelope. Errors as `Caller`, among them those that `code` names inside HTTP 200. */
export interface BagelpayCaller {
  get(path: string): Promise<Fields>;
  post(path: string, body?: unknown): Promise<Fields>;
  /** One page of a list, counted from 1. */
  list(path: string, page: number): Promise<BagelpayPage>;
}

const PAGE_SIZE = 50;

export function createBagelpayCaller(options: CallerOptions): BagelpayCaller {
  const caller: Caller = createCaller(options);
  return {
    get: async (path) => dataOf(options, await caller.get(path)),
    post: async (path, body) => dataOf(options, await caller.post(path, body)),
    async list(path, page) {
      const listed = await caller.get(path, { pageNum: page, pageSize: PAGE_SIZE });
      const answer = checkCode(options, listed);
      if (!Array.isArray(answer.raw('items')))
        throw new ProviderError('bagelpay', 'malformed', 200, 'the list has no items');
      const items = answer.list('items');
      const total = answer.whole('total') ?? 0;
      const lastPage = Math.max(page, Math.ceil(total / PAGE_SIZE));
      return { items, lastPage, nextPage: items.length > 0 && page < lastPage ? page + 1 : null };
    },
  };
}

/** HTTP 200 says nothing: only `code` 200 is success. */
function checkCode(called: CalledProvider, answer: Fields): Fields {
  const code = answer.raw('code');
  if (code === 200 || code === '200') return answer;
  const status = Number(code);
  if (Number.isInteger(status) && status >= 400 && status < 600) throw statusError(called, status, answer);
  const message = answer.text('msg') ?? `code ${answer.text('code') ?? 'missing'}`;
  throw new ProviderError('bagelpay', code === undefined ? 'malformed' : 'refused', 200, message);
}

function dataOf(called: CalledProvider, answer: Fields): Fields {
  const data = checkCode(called, answer).object('data');
  if (!data.exists) throw new ProviderError('bagelpay', 'malformed', 200, 'the answer has no data');
  return data;
}
