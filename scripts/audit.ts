import { checkAdvisories } from './audit/check-advisories.ts';
import { isAllowed } from './audit/licence-rules.ts';
import { listShipped, type ShippedPackage } from './audit/list-shipped.ts';

const FINE = 0;
const FOUND = 1;
/** Nothing bad was found, but no source of advisories could be reached. */
const UNCHECKED = 3;

const root = process.cwd();

/** Prints which licences ship and how often; answers whether all of them may. */
function reportLicences(): boolean {
  const shipped = listShipped(root);
  const refused = shipped.filter(({ name, licence }) => !isAllowed(name, licence));
  console.log(`许可证 Licences: ${shipped.length} 个包随产品发布 packages ship`);
  for (const [licence, packages] of byLicence(shipped)) {
    const count = (where: ShippedPackage['where']) => packages.filter((one) => one.where === where).length;
    console.log(`  ${licence}: ${packages.length} (server ${count('server')}, browser ${count('browser')})`);
  }
  for (const { name, version, licence, where } of refused)
    console.error(`  不允许 Not allowed: ${name}@${version} (${where}): ${licence ?? '没有说明 says none'}`);
  return refused.length === 0;
}

function byLicence(shipped: readonly ShippedPackage[]): [string, ShippedPackage[]][] {
  const groups = Map.groupBy(shipped, ({ licence }) => licence ?? '没有说明 says none');
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

async function reportAdvisories(): Promise<number> {
  console.log('\n安全公告 Advisories (npm audit)');
  const result = await checkAdvisories(root, process.env);
  if (result.state === 'none') {
    console.log('  没有公告涉及随产品发布的包。No advisory concerns what ships.');
    return FINE;
  }
  if (result.state === 'found') {
    for (const line of result.lines) console.error(`  ${line}`);
    return FOUND;
  }
  console.error(
    result.isMissing
      ? '  未检查：该软件源没有公告服务。请对有此服务的软件源再运行一次。\n  Not checked: this registry has no advisory service. Run it again with one that has.'
      : '  未检查：软件源没有回答。Not checked: the registry gave no answer.',
  );
  console.error(`  npm: ${result.said}`);
  return UNCHECKED;
}

const areAllowed = reportLicences();
const advisories = await reportAdvisories();
process.exitCode = areAllowed ? advisories : FOUND;
