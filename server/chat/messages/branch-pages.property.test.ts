import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BranchPage } from '#contract/chat.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { plantTree, type TreeNode } from '#test/chat/conversation-tree.ts';
import { runs, timeoutFor } from '#test/runs.ts';

const RUNS = runs(8, 125);

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ version: 15 });
});
afterAll(() => app.close());

const step = fc.record({
  shape: fc.constantFrom('deeper', 'deeper', 'deeper', 'beside', 'beside', 'anywhere', 'root'),
  where: fc.nat(1_000),
  /** Two messages of one moment happen where several tabs send at once. */
  later: fc.constantFrom(0, 1, 1, 1),
});
const tree = fc.array(step, { minLength: 1, maxLength: 40 }).map((steps) => {
  const nodes: TreeNode[] = [];
  for (const { shape, where, later } of steps) {
    const last = nodes.length - 1;
    const parent =
      last < 0 || shape === 'root'
        ? null
        : shape === 'anywhere'
          ? where % nodes.length
          : shape === 'beside'
            ? (nodes[last]?.parent ?? null)
            : last;
    nodes.push({ parent, at: (nodes[last]?.at ?? 0) + later });
  }
  return nodes;
});

interface Node {
  id: string;
  at: number;
  depth: number;
  /** From the first message down to this one. */
  way: Node[];
}

/** What the pages of a tree are, by lists of whole ways. */
function modelOf(nodes: readonly TreeNode[], ids: readonly string[]) {
  const all: Node[] = [];
  for (const [n, { parent, at }] of nodes.entries()) {
    const above = parent === null ? [] : (all[parent]?.way ?? []);
    const node: Node = { id: ids[n] ?? '', at, depth: above.length, way: [] };
    node.way = [...above, node];
    all.push(node);
  }
  const byId = (a: Node, b: Node) => (a.id < b.id ? -1 : 1);
  const parentOf = (node: Node) => node.way.at(-2);

  function leafOf(branch: string | null): Node | undefined {
    const through = branch ?? all.toSorted((a, b) => a.at - b.at || byId(a, b)).at(-1)?.id;
    return all
      .filter(({ way }) => way.some(({ id }) => id === through))
      .sort((a, b) => a.at - b.at || a.depth - b.depth || byId(a, b))
      .at(-1);
  }

  function page(query: Query) {
    const { branch, before, after, limit } = query;
    const leaf = leafOf(branch);
    const way = leaf?.way ?? [];
    let shown: Node[];
    let [older, newer] = [true, true];
    if (after !== null) {
      const from = way.findIndex(({ id }) => id === after) + 1;
      if (from === 0) return null;
      shown = way.slice(from, from + limit);
      newer = from + limit < way.length;
    } else if (before !== null) {
      const above = all.find(({ id }) => id === before)?.way.slice(0, -1) ?? [];
      shown = above.slice(-limit);
      older = shown.length < above.length;
    } else {
      const end = branch === null ? way.length : way.findIndex(({ id }) => id === branch) + 1;
      const below = way.slice(end, end + limit);
      const most = Math.max(branch === null ? limit : Math.ceil(limit / 2), limit - below.length);
      const above = way.slice(0, end).slice(-most);
      shown = [...above, ...below].slice(0, limit);
      older = shown[0] !== way[0];
      newer = shown.at(-1) !== leaf;
    }
    const siblings = shown.map((node) => [
      node.id,
      all
        .filter((one) => parentOf(one) === parentOf(node))
        .sort((a, b) => a.at - b.at || byId(a, b))
        .map(({ id }) => id),
    ]);
    return {
      messages: shown.map(({ id }) => id),
      olderCursor: older ? (shown[0]?.id ?? null) : null,
      newerCursor: newer ? (shown.at(-1)?.id ?? null) : null,
      leafId: leaf?.id,
      siblings: Object.fromEntries(siblings.filter(([, ids]) => (ids?.length ?? 0) > 1)),
      siblingsBeyond: {},
    };
  }
  return { page };
}

interface Query {
  branch: string | null;
  before: string | null;
  after: string | null;
  limit: number;
}

test(
  'any page of any tree is what a list of whole ways says, up, down and after a jump',
  async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.integer({ min: 1, max: 12 }), fc.nat(), async (nodes, limit, salt) => {
        const user = await app.signedIn();
        const { conversationId, ids } = await plantTree(app.database.database.sql, user.userId, nodes);
        const { page } = modelOf(nodes, ids);
        const other = (n: number) => ids[(n * 7 + salt) % ids.length] ?? '';
        const queries: Query[] = [
          { branch: null, before: null, after: null, limit },
          ...ids.flatMap((id, n) => [
            { branch: id, before: null, after: null, limit },
            { branch: id, before: other(n), after: null, limit },
            { branch: id, before: null, after: other(n), limit },
            { branch: null, before: null, after: id, limit },
          ]),
        ];
        for (const query of queries) {
          const search = new URLSearchParams({
            conversationId,
            branch: query.branch ?? 'newest',
            limit: String(limit),
          });
          if (query.before !== null) search.set('before', query.before);
          if (query.after !== null) search.set('after', query.after);
          const response = await user.get(`/api/messages?${search}`);
          const expected = page(query);
          expect(response.status, search.toString()).toBe(expected === null ? 404 : 200);
          if (expected === null) continue;
          const found = (await response.json()) as BranchPage;
          expect({ ...found, messages: found.messages.map(({ id }) => id) }, search.toString()).toEqual(
            expected,
          );
        }
      }),
      { numRuns: RUNS },
    );
  },
  timeoutFor(240_000),
);
