import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

const FOLDER = new URL('../../deploy/kubernetes/', import.meta.url);
const KUSTOMIZATION = 'kustomization.yaml';

/** What a manifest says; only what all kinds have is known of it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

interface SchemaCheck {
  (data: unknown): boolean;
  errors?: { instancePath: string; message?: string; keyword: string }[] | null;
}

/** The files of `deploy/kubernetes` that have manifests. */
export function manifestFiles(): string[] {
  return readdirSync(FOLDER).filter((name) => name !== KUSTOMIZATION);
}

/** The text of a file of `deploy/kubernetes`. */
export function manifestText(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8');
}

/** The documents of a text. Throws where it is no YAML, or a name stands twice. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text, { strict: true, uniqueKeys: true }).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}

/** What is wrong with a manifest by Kubernetes' own schema of its kind, fields that it does not have included; none: it fits. */
export async function manifestFaults(manifest: Manifest): Promise<string[]> {
  const check = await readCheck(manifest);
  const unread = new Set<string>();
  const isValid = check(watchReads(manifest, '', unread));
  const errors = isValid
    ? []
    : (check.errors ?? []).map(
        ({ instancePath, keyword, message }) => `${instancePath}: ${message ?? keyword}`,
      );
  return [...errors, ...[...unread].map((path) => `${path}: not in the schema`)];
}

/** Kubernetes publishes its schemas as OpenAPI; `kubernetes-models` has a check made of each. */
async function readCheck({ apiVersion, kind }: Manifest): Promise<SchemaCheck> {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse();
  const words = ['io', 'k8s', 'api', group.split('.')[0] ?? '', version, kind];
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const module: { validate: SchemaCheck } = await import(
    /* @vite-ignore */ `kubernetes-models/_schemas/${name}`
  );
  return module.validate;
}

/** `value`, noting in `unread` the fields that nobody reads: the checks let unknown fields pass, and do not look at them. */
function watchReads<T>(value: T, path: string, unread: Set<string>): T {
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([key, one]) => {
    unread.add(`${path}/${key}`);
    return [key, watchReads(one, `${path}/${key}`, unread)] as const;
  });
  const copy = Array.isArray(value) ? inner.map(([, one]) => one) : Object.fromEntries(inner);
  return new Proxy(copy, {
    get(target, key) {
      unread.delete(`${path}/${String(key)}`);
      return Reflect.get(target, key);
    },
  }) as T;
}
