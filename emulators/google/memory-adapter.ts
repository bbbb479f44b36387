import type { Adapter, AdapterPayload } from 'oidc-provider';

type Store = Map<string, { payload: AdapterPayload; until: number }>;

const MAX_KEPT = 5_000;

/** Where the OpenID provider keeps sessions, codes and tokens: in memory, the latest five thousand. Returns what it makes its adapters by. */
export function memoryAdapter(): (model: string) => Adapter {
  const store: Store = new Map();
  return (model) => adapterOf(model, store);
}

function adapterOf(model: string, store: Store): Adapter {
  const keyOf = (id: string) => `${model}:${id}`;
  const find = (key: string) => {
    const kept = store.get(key);
    return kept && kept.until > Date.now() ? kept.payload : undefined;
  };
  const findWhere = (fits: (payload: AdapterPayload) => boolean) => {
    const keys = [...store.keys()].filter((key) => key.startsWith(`${model}:`));
    return keys.map(find).find((payload) => payload && fits(payload));
  };
  return {
    async upsert(id, payload, expiresIn) {
      store.delete(keyOf(id));
      store.set(keyOf(id), { payload, until: Date.now() + (expiresIn || 3600) * 1000 });
      for (const key of store.keys()) {
        if (store.size <= MAX_KEPT) break;
        store.delete(key);
      }
    },
    find: async (id) => find(keyOf(id)),
    findByUid: async (uid) => findWhere((payload) => payload.uid === uid),
    findByUserCode: async (userCode) => findWhere((payload) => payload.userCode === userCode),
    async consume(id) {
      const payload = find(keyOf(id));
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      store.delete(keyOf(id));
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of store) if (payload.grantId === grantId) store.delete(key);
    },
  };
}
