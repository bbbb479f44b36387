import type { Kind } from './places.ts';

/** Roles that may stand alone (`store`) or behind a noun (`event-store`). */
const ROLES: readonly Kind[] = ['routes', 'store', 'rules', 'jobs'];

/** A use case is named by its verb; a new verb is added here on purpose, so that one act has one word. */
const VERBS = new Set(
  `answer apply authenticate cancel change claim clear close compare compose confirm count create delete disown export finish follow generate grant hash
  index keep limit link list match merge move normalise open parse pause present preview process project prove publish quote read receive recognise
  reconcile record refund renew replay request require reset restore resume revoke run seal search send sign start stop take
  verify watch`.split(/\s+/),
);

/** Nouns of a domain beyond the closed vocabulary, each with the reason why no verb phrase says it better. */
export const NOUNS: Record<string, string> = {
  'server/accounts/abuse/captcha-providers.ts': 'a table: the captcha services and their addresses',
  'server/accounts/google/google-client.ts': 'the wire to Google, OpenID Connect by a library',
  'server/accounts/abuse/known-mail-domains.ts':
    'a table: services at which mailboxes cannot be opened without end',
  'server/accounts/sessions/live-sessions.ts':
    'a part with a life of its own: the sessions this process saw just now',
  'server/accounts/secrets/proof-cookie.ts': 'the form of the cookies of those who are not signed in yet',
  'server/accounts/secrets/session-cookie.ts': 'the form of the cookie, signed and read in one place',
  'server/catalogue/models.ts': 'a table: the models of the specification',
  'server/catalogue/plans.ts': 'a table: the plans and prices of the specification',
  'server/catalogue/upstream-chains.ts': 'a table: which upstream models answer for a catalogue model',
  'server/catalogue/upstream-prices.ts': 'a table: what upstream models cost, with the days from which',
  'server/catalogue/extra-prices.ts':
    'a table: what messages cost beyond their model, with the days from which',
  'server/billing/facts/provider-snapshot.ts': 'a table: all observed facts of the providers, merged',
  'server/files/reading/run-reader.ts': 'a program: what the process that reads a file runs',
  'server/chat/message-store/message-parts.ts':
    'the form of the parts of a message, stored and read in one place',
  'server/chat/message-store/publish-news.ts': 'several small notices of one kind, on the bus',
  'server/chat/generation/answer-pictures.ts':
    'a part with a life of its own: the pictures of one answer, each stored before what follows it',
  'server/chat/generation/coalescer.ts': 'a part with a life of its own: the timer that merges tokens',
  'server/chat/generation/feed.ts': 'a part with a life of its own: the numbered events of one answer',
  'server/chat/generation/generation.ts': 'a part with a life of its own: all answers of this process',
  'server/chat/generation/remote-feeds.ts': 'a part with a life of its own: answers of other processes',
  'server/chat/generation/reaper.ts': 'a part with a life of its own: closes what a dead process left',
  'server/chat/generation/replay-queue.ts':
    'a part with a life of its own: which reader of a long answer is next',
  'server/chat/generation/run.ts': 'a part with a life of its own: one answer under way',
  'server/chat/generation/thinking-time.ts': 'a small part of a run: how long its model thought each time',
  'server/chat/generation/writer.ts': 'a part with a life of its own: the event log',
  'server/files/storage/file-storage.ts': 'a seam: what keeps the contents of files, and its four calls',
  'server/files/storage/s3-storage.ts': 'the wire to S3, signed by a library',
  'server/files/storage/database-storage.ts': 'the same four calls over rows of PostgreSQL',
  'server/computer/client/host-client.ts': 'the wire to the browser host: a child process, or a socket',
  'server/computer/driving/browser-queue.ts': 'a part with a life of its own: whose turn it is',
  'server/computer/driving/browser-runs.ts': 'a part with a life of its own: the browsers of this process',
  'server/computer/driving/drive.ts': 'a part with a life of its own: a model and its browser, step by step',
  'server/computer/driving/run-watchdog.ts': 'a part with a life of its own: what ends a wait early',
  'server/computer/driving/system-text.ts': 'a text: the instructions of a model that drives a browser',
  'server/computer/runs/live-run.ts': 'a part with a life of its own: one run, and its waiting for its user',
  'server/computer/runs/run-deps.ts': 'a type: what the rooms of a run share',
  'server/computer/runs/screen.ts': 'a part with a life of its own: the live picture of one run',
  'server/admin/act-commands.ts': 'a table: the commands that change something, each a few lines over an act',
  'server/admin/model-commands.ts': 'a table: the commands for models, each a few lines over an act',
  'server/admin/people-commands.ts':
    'a table: the commands that show users and the product’s work, each a few lines over a use case',
  'server/admin/money-commands.ts':
    'a table: the commands that show orders and disputes, each a few lines over a use case',
  'server/live/tabs.ts': 'a part with a life of its own: the open tabs of this process',
  'server/live/user-channel.ts': 'a part with a life of its own: what the tabs of one user receive',
};

/** Folders whose files are named after outside things rather than after our acts. */
const OPEN_FOLDERS: Record<string, string> = {
  'server/billing/providers':
    'adapters: a folder for each payment provider, a file for each concern of its wire',
  'server/chat/upstream':
    'adapters: files for the choice of a route, the dialects of the providers, and the transport',
  'server/computer/host': 'a program of its own, by its parts: what drives a browser behind walls',
  'server/db': 'the schema, SQL functions by domain, and migrations by number',
};

/** Words that say nothing about what is inside, as a whole name or as the last word of one. */
export const EMPTY_WORDS = [
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'index',
  'types',
  'misc',
  'shared',
];

/** What a file of a server domain is; null when its name is outside the vocabulary. `path` without tests' suffix. */
export function kindOf(path: string, name: string): Kind | null {
  if (NOUNS[path]) return 'noun';
  for (const role of ROLES) if (name === role || name.endsWith(`-${role}`)) return role;
  if (name === 'present' || name.startsWith('present-')) return 'present';
  if (isVerb(name.split('-')[0] ?? '')) return 'use-case';
  return null;
}

/** Whether the word is one of the verbs that a use case may be named by. */
export function isVerb(word: string): boolean {
  return VERBS.has(word);
}

/** True in a folder of OPEN_FOLDERS. */
export function isOpenFolder(path: string): boolean {
  return Object.keys(OPEN_FOLDERS).some((folder) => path.startsWith(`${folder}/`));
}
