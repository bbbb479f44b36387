import type { OfferedFile } from '#contract/message/parts.ts';
import type { SignedCall } from '#server/chat/upstream/transport/upstream.ts';
import { cleanFileName } from '#server/files/uploads/upload-rules.ts';
import { cleanText } from '#server/platform/clean-text.ts';

/** What a provider says of an action that it asks for. */
export type Decision = 'go' | 'ask' | 'block';

/** A call of a model as it is carried out. */
export interface BrowserCall {
  id: string;
  name: string;
  args: Record<string, unknown>;
  intent: string;
  decision: Decision;
  /** Why the provider wants the user asked. */
  explanation: string;
}

const MAX_INTENT = 500;
const MAX_EXPLANATION = 1_000;
const MAX_ARGS = 4_000;
/** Characters of the name of an action at most; the host of the browser refuses a longer one. */
const MAX_NAME = 100;
/** Characters of a secret at least: a shorter text occurs in too much that is not secret. */
const MIN_SECRET = 3;
/** The actions that type, and the argument that holds the text. */
const TYPED: Readonly<Record<string, string>> = {
  type: 'text',
  type_text_at: 'text',
  press_key: 'key',
  key_down: 'key',
  key_up: 'key',
  hotkey: 'keys',
  key_combination: 'keys',
};
const MASK = '•••';
/** The spellings of sets of secrets, of which none loses one: they are as they were while the size is. */
const known = new WeakMap<ReadonlySet<string>, { size: number; spellings: string[] }>();

/** Reads a call of a model. What the provider adds to the arguments for us is taken out of them. */
export function readCall({ id, name, args }: SignedCall): BrowserCall {
  const parsed: unknown = JSON.parse(args);
  const { intent, safety_decision: safety, ...own } = asRecord(parsed);
  const { decision, explanation } = asRecord(safety);
  return {
    id,
    name: name.slice(0, MAX_NAME),
    args: own,
    intent: textOf(intent, MAX_INTENT),
    decision: readDecision(safety === undefined || safety === null ? 'regular' : decision),
    explanation: textOf(explanation, MAX_EXPLANATION),
  };
}

/** Treats an unknown safety decision as `block`: we do not overrule the provider. */
function readDecision(decision: unknown): Decision {
  if (decision === 'require_confirmation') return 'ask';
  return decision === 'regular' || decision === 'allow' || decision === 'allowed' ? 'go' : 'block';
}

/** The form of a call that is stored and shown. `isSensitive`: the typed text is left out; `secrets` are masked wherever they occur. */
export function showCall(
  { name, args, intent }: Pick<BrowserCall, 'name' | 'args' | 'intent'>,
  isSensitive: boolean,
  secrets: ReadonlySet<string>,
): { args: string; intent: string } {
  const typed = TYPED[name];
  const shown = isSensitive && typed !== undefined && typed in args ? { ...args, [typed]: MASK } : args;
  const text = writeMasked(shown, secrets);
  return { args: text.length <= MAX_ARGS ? text : '{}', intent: maskSecrets(intent, secrets) };
}

/** The offered files that the model, its user and the tables may see: those whose URL contains no secret. */
export function showOffered(files: readonly OfferedFile[], secrets: ReadonlySet<string>): OfferedFile[] {
  return files
    .filter(({ url }) => maskSecrets(url, secrets) === url)
    .map((file) => ({ ...file, name: cleanFileName(maskSecrets(file.name, secrets)) }));
}

/** The texts that a call types into fields: the whole text, and each line, since Enter may lead to another field. */
export function typedIn({ name, args }: Pick<BrowserCall, 'name' | 'args'>): string[] {
  const typed = args[TYPED[name] ?? ''];
  return typeof typed === 'string' ? [typed, ...typed.split(/[\r\n]+/)] : [];
}

/** A text typed into a field that takes a secret, as a secret; null where it is too short to distinguish from other text. */
export function secretOf(typed: string): string | null {
  const secret = typed.trim();
  return secret.length >= MIN_SECRET ? secret : null;
}

/** A JSON value as text, with the secrets in it masked. */
export function writeMasked(value: object, secrets: ReadonlySet<string>): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'string' ? maskSecrets(each, secrets) : each,
  );
}

/** Masks secrets in a text, also as a URL may spell them. No secret may be taken out of `secrets` between two calls. */
export function maskSecrets(text: string, secrets: ReadonlySet<string>): string {
  return spellingsOf(secrets).reduce((masked, spelling) => masked.replaceAll(spelling, MASK), text);
}

/** The secrets as they were typed, in a path, in a form, and as typed into a query; the longest first. */
function spellingsOf(secrets: ReadonlySet<string>): string[] {
  const former = known.get(secrets);
  if (former?.size === secrets.size) return former.spellings;
  const spellings = [...secrets].flatMap((secret) => {
    const inPath = encodeURIComponent(secret.toWellFormed());
    const inForm = new URLSearchParams({ secret }).toString().slice('secret='.length);
    const raw = new URL(`http://host/?${secret.replaceAll('#', '%23')}`).search.slice(1);
    return [secret, inPath, inForm, raw].filter((spelling) => spelling !== '');
  });
  const sorted = [...new Set(spellings)].toSorted((one, other) => other.length - one.length);
  known.set(secrets, { size: secrets.size, spellings: sorted });
  return sorted;
}

/** A URL without its query and hash: after a secret was typed on a page, all that is typed there is treated as one. */
export function pageOf(url: string): string {
  return url.split(/[?#]/)[0] ?? '';
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function textOf(value: unknown, limit: number): string {
  return typeof value === 'string' ? cleanText(value.slice(0, limit)) : '';
}
