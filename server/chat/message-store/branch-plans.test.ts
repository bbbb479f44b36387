import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPostgres } from '#server/platform/database/database.ts';
import { lineOf, type PlantedTree, plantTree, siblingsOf } from '#test/chat/conversation-tree.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { insertUser } from '#test/factories.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';
import { listBranch } from '../messages/list-branch.ts';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

type Asked = Partial<Record<'branch' | 'before' | 'after', string | undefined>>;

interface Statement {
  text: string;
  parameters: unknown[];
}

describe.each(POSTGRES_VERSIONS)(
  'a page of a branch among many short conversations on PostgreSQL %i',
  (version) => {
    let test: TestDatabase;
    /** One connection that plans without looking at the parameters, as a prepared statement comes to. */
    let sql: Sql;
    let userId: string;
    let short: PlantedTree;
    let long: PlantedTree;
    let wide: PlantedTree;
    let said: Statement[] = [];

    beforeAll(async () => {
      test = await createTestDatabase({ version });
      sql = connectPostgres(test.url, {
        max: 1,
        connection: { plan_cache_mode: 'force_generic_plan' },
        debug: (_, text, parameters: unknown[]) => said.push({ text, parameters }),
      });
      ({ userId } = await insertUser(sql));
      await plantShortOnes(sql, userId, 3_000);
      short = await plantTree(sql, userId, lineOf(100));
      long = await plantTree(sql, userId, lineOf(5_000));
      wide = await plantTree(sql, userId, siblingsOf(3_000));
      await sql`vacuum analyze messages`;
      await sql`analyze conversations`;
    });
    afterAll(async () => {
      await sql.end();
      await test.drop();
    });

    /** Reads a page, and looks then how PostgreSQL carries out each of its statements. */
    async function look(tree: PlantedTree, query: Asked) {
      said = [];
      const { branch = null, before = null, after = null } = query;
      const { conversationId } = tree;
      const asked = { conversationId, branch, before, after, limit: 50 };
      const page = await listBranch({ database: { ...test.database, sql } }, userId, asked);
      const statements = [...said];
      let blocks = 0;
      const ways = new Set<string>();
      for (const statement of statements) {
        const plan = await explain(sql, statement);
        blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        for (const node of nodesOf(plan)) {
          if (node['Relation Name'] || node['Node Type'].endsWith('Join')) ways.add(node['Node Type']);
        }
      }
      return { shown: page.messages.length, blocks, ways: [...ways].sort(), statements: statements.length };
    }

    const pages: [string, (tree: PlantedTree) => Asked][] = [
      ['the newest page', () => ({})],
      ['a jump to an early message', ({ ids }) => ({ branch: ids[10] })],
      ['the page below an early message', ({ ids }) => ({ branch: ids[10], after: ids[10] })],
      ['the page above a late message', ({ ids }) => ({ branch: ids.at(-20), before: ids.at(-20) })],
    ];

    it.each(pages)(
      '%s is found by indexes alone, with as little to read in 5,000 messages as in 100',
      async (_, query) => {
        const [small, large] = [await look(short, query(short)), await look(long, query(long))];
        expect(small.shown).toBe(50);
        expect(large.shown).toBe(50);
        expect(large.statements).toBeGreaterThan(3);
        expect(large.ways.filter((way) => !/^Index (Only )?Scan$/.test(way))).toEqual([]);
        expect(large.blocks).toBeLessThan(small.blocks * 1.5);
      },
    );

    it('nor does a message with 3,000 siblings need more than the 200 that are told', async () => {
      for (const id of [wide.ids[0], wide.ids[1], wide.ids[1_500], wide.ids[3_000]]) {
        const found = await look(wide, { branch: id });
        expect(found.ways.filter((way) => !/^Index (Only )?Scan$/.test(way))).toEqual([]);
        expect(found.blocks).toBeLessThan(500);
      }
    });
  },
);

async function plantShortOnes(sql: Sql, userId: string, count: number) {
  const ids = Array.from({ length: count }, () => randomUUID());
  await sql`
    insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
    select id, ${userId}, 'Talk', 'talk', now(), now() from unnest(${ids}::uuid[]) as id`;
  // A first message, an answer to it, and one beside that.
  for (const [conversations, parents] of [
    [ids, null],
    [ids, ids],
    [ids, ids],
  ] as const) {
    await sql`
      insert into messages (id, user_id, conversation_id, parent_id, model, content, response, status, cost, credits_used,
        owner, end_seq, created_at, ended_at)
      select case when parent is null then id else gen_random_uuid() end, ${userId}, id, parent, 'parley-flash', 'n',
             'yes', 'completed', 15, 15, id, 2, clock_timestamp(), clock_timestamp()
        from unnest(${[...conversations]}::uuid[], ${parents && [...parents]}::uuid[]) as t (id, parent)`;
  }
}

async function explain(sql: Sql, { text, parameters }: Statement): Promise<Plan> {
  const name = `p${randomUUID().replaceAll('-', '')}`;
  await sql.unsafe(`prepare ${name} as ${text}`);
  const values = parameters.map((value) => literal(value)).join(', ');
  const asked = `explain (analyze, buffers, format json) execute ${name}${values && `(${values})`}`;
  const [row] = await sql.unsafe<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(asked);
  await sql.unsafe(`deallocate ${name}`);
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('there is no plan');
  return plan;
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  return `'${String(value)}'`;
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
