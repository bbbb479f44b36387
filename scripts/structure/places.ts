/** The domains of the server, from left to right: each may import only those before it. */
const DOMAINS = [
  'accounts',
  'catalogue',
  'credits',
  'billing',
  'files',
  'chat',
  'computer',
  'live',
  'openai-api',
  'personal-data',
  'admin',
] as const;

/** What a file of a domain is, by its name: style in CONTRIBUTING.md, words in vocabulary.ts. */
export type Kind = 'routes' | 'store' | 'rules' | 'jobs' | 'present' | 'use-case' | 'noun';

export interface Place {
  /** First folder: `contract`, `server`, `web`, …; `root` for files beside package.json. */
  area: string;
  /** `server/<part>` or `web/<part>`: a domain, `platform`, `pages`, …; null directly in the area. */
  part: string | null;
  /** The domain of `server/<domain>/…`, or the feature of `web/features/<feature>/…`. */
  domain: string | null;
  /** Base name without extensions. */
  name: string;
}

/** Says where a file lives; `path` is relative to the repository. */
export function placeOf(path: string): Place {
  const steps = path.split('/');
  const file = steps.at(-1) ?? '';
  const name = file.replace(/(\.(test|spec|bench|d))?\.(tsx?|mjs|json)$/, '');
  const area = steps.length > 1 ? (steps[0] ?? '') : 'root';
  const part = steps.length > 2 ? (steps[1] ?? null) : null;
  const domain = domainOf(area, part, steps);
  return { area, part, domain, name };
}

function domainOf(area: string, part: string | null, steps: string[]): string | null {
  if (area === 'server' && part && (DOMAINS as readonly string[]).includes(part)) return part;
  if (area === 'web' && part === 'features' && steps.length > 3) return steps[2] ?? null;
  return null;
}

/** How far to the right a server domain stands; -1 for anything else. */
export function rankOf(domain: string): number {
  return (DOMAINS as readonly string[]).indexOf(domain);
}

/** The folder a relative import may not leave: a domain, a feature, a part of the web, else the whole area. */
export function unitOf(path: string): string {
  const { area, part, domain } = placeOf(path);
  if (area === 'web' && part === 'features' && domain) return `web/features/${domain}`;
  if ((area === 'server' || area === 'web') && part) return `${area}/${part}`;
  return area;
}
