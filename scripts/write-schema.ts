import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '#server/db/migrate.ts';
import { connectPostgres } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { describeSchema } from './schema/describe-schema.ts';
import { CHOICES } from './schema/distribution/choices.ts';
import { describeDistribution, replaceDistribution } from './schema/distribution/describe-distribution.ts';
import { planDistribution } from './schema/distribution/plan-distribution.ts';
import { readRelations } from './schema/distribution/read-relations.ts';

const FILE = fileURLToPath(new URL('../server/db/schema.sql', import.meta.url));
const SCALING = fileURLToPath(new URL('../docs/scaling.md', import.meta.url));

/** Writes `server/db/schema.sql` and the last part of `docs/scaling.md` from a database that is made for it. */
async function main() {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-schema-'));
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  try {
    await migrate(postgres.url);
    const sql = connectPostgres(postgres.url, { max: 1 });
    writeFileSync(FILE, await sql.begin(describeSchema));
    const part = describeDistribution(planDistribution(await sql.begin(readRelations), CHOICES));
    writeFileSync(SCALING, replaceDistribution(readFileSync(SCALING, 'utf8'), part));
    await sql.end();
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
console.log(`写好了 Written: ${FILE}, ${SCALING}`);
