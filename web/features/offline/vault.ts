import { OFFLINE_KEY_COOKIE } from '#contract/choices.ts';
import { DATABASE } from './clear-device.ts';
import { conversationOf, messagesCopy } from './copy-names.ts';

/** Conversations that are kept; the ones opened longest ago go first. */
const MAX_CONVERSATIONS = 50;
/** Bytes of all conversations together, encrypted. */
const MAX_BYTES = 20_000_000;
const LOCK = 'lock';
const COPIES = 'copies';
const AGES = 'ages';

/** The half of the key that stays in this database, and whose copies it opens. */
interface Lock {
  id: string;
  /** A script can use it, and cannot read it. */
  half: CryptoKey;
  owner: Sealed;
}

interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

interface Copy extends Sealed {
  name: string;
  /** When it was kept last. */
  at: number;
  bytes: number;
}

/** What is sealed in a copy: whose it is, and what was kept. */
interface Content {
  owner: string;
  value: unknown;
}

/** Whose copies this page shows. Another tab of the browser may meanwhile have signed in another user. */
let reader: string | null = null;

/**
 * Makes the copies on this device those of one user: any others are deleted. False where nothing can be kept: without the
 * session's half of the key, without storage, or on an address that is not secure.
 */
export async function openVault(userId: string): Promise<boolean> {
  reader = userId;
  const cookie = readKeyCookie();
  if (cookie === null || !isSupported()) return false;
  const database = await openDatabase();
  try {
    const lock = await findLock(database);
    if (lock && (await unseal(await keyOf(lock, cookie), lock.owner)) === userId) return true;
    const half = await crypto.subtle.importKey('raw', randomBytes(32), 'HKDF', false, ['deriveKey']);
    const key = await keyOf({ half }, cookie);
    const fresh: Lock = { id: crypto.randomUUID(), half, owner: await seal(key, userId) };
    const change = database.transaction([LOCK, COPIES], 'readwrite');
    change.objectStore(COPIES).clear();
    change.objectStore(LOCK).put(fresh, LOCK);
    await ended(change);
    return true;
  } finally {
    database.close();
  }
}

/**
 * Keeps a copy for its owner, encrypted, in the place of the one that had its name, and deletes the oldest conversations beyond the
 * bounds. Does nothing while there is no vault of theirs, nor where it was deleted meanwhile.
 */
export async function keepCopy(owner: string, name: string, value: unknown): Promise<void> {
  await withLock(async (database, lock, key) => {
    if ((await unseal(key, lock.owner)) !== owner) return;
    const sealed = await seal(key, { owner, value } satisfies Content);
    const copy: Copy = { name, at: Date.now(), bytes: sealed.data.byteLength, ...sealed };
    const change = database.transaction([LOCK, COPIES], 'readwrite');
    const now = await answered<Lock | undefined>(change.objectStore(LOCK).get(LOCK));
    if (now?.id === lock.id) {
      change.objectStore(COPIES).put(copy);
      await deleteBeyondBounds(change.objectStore(COPIES));
    }
    await ended(change);
  });
}

/**
 * The copy of a name; undefined where there is none, or none that this session may open. A page that starts without a network
 * shows the copies of whoever has them, and those of no one else from then on.
 */
export async function readCopy<T>(name: string): Promise<T | undefined> {
  return withLock(async (database, _lock, key) => {
    const copies = database.transaction(COPIES).objectStore(COPIES);
    const copy = await answered<Copy | undefined>(copies.get(name));
    const content = copy && ((await unseal(key, copy)) as Content | undefined);
    if (!content?.owner) return undefined;
    reader ??= content.owner;
    return content.owner === reader ? (content.value as T) : undefined;
  });
}

/** Deletes the copy of a conversation. */
export async function deleteCopy(conversationId: string): Promise<void> {
  await withLock(async (database) => {
    const change = database.transaction(COPIES, 'readwrite');
    change.objectStore(COPIES).delete(messagesCopy(conversationId));
    await ended(change);
  });
}

/** The ids of the conversations that are kept. */
export async function listCopies(): Promise<string[]> {
  const names = await withLock((database) =>
    answered(database.transaction(COPIES).objectStore(COPIES).getAllKeys()),
  );
  return (names ?? []).map((name) => conversationOf(String(name))).filter((id) => id !== null);
}

async function withLock<T>(
  work: (database: IDBDatabase, lock: Lock, key: CryptoKey) => Promise<T>,
): Promise<T | undefined> {
  const cookie = readKeyCookie();
  if (cookie === null || !isSupported()) return undefined;
  const database = await openDatabase();
  try {
    const lock = await findLock(database);
    return lock && (await work(database, lock, await keyOf(lock, cookie)));
  } finally {
    database.close();
  }
}

function isSupported(): boolean {
  return 'indexedDB' in globalThis && 'subtle' in crypto;
}

/** The half that comes and goes with the session. */
function readKeyCookie(): string | null {
  const pairs = document.cookie.split('; ').map((pair) => pair.split('='));
  const pair = pairs.find(([name]) => name?.replace('__Host-', '') === OFFLINE_KEY_COOKIE);
  return pair?.[1] || null;
}

/** Both halves make the key of the copies. */
function keyOf({ half }: Pick<Lock, 'half'>, cookie: string): Promise<CryptoKey> {
  const salt = new TextEncoder().encode(cookie);
  const terms = { name: 'HKDF', hash: 'SHA-256', salt, info: new TextEncoder().encode('offline copies') };
  return crypto.subtle.deriveKey(terms, half, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
}

async function seal(key: CryptoKey, value: unknown): Promise<Sealed> {
  const iv = randomBytes(12);
  const text = new TextEncoder().encode(JSON.stringify(value));
  return { iv, data: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, text) };
}

/** Undefined where it is sealed by another key. */
async function unseal(key: CryptoKey, { iv, data }: Sealed): Promise<unknown> {
  const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data).catch(() => null);
  return text === null ? undefined : JSON.parse(new TextDecoder().decode(text));
}

function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(count));
}

function findLock(database: IDBDatabase): Promise<Lock | undefined> {
  return answered<Lock | undefined>(database.transaction(LOCK).objectStore(LOCK).get(LOCK));
}

/** Looks at ages and sizes alone, the newest first. */
async function deleteBeyondBounds(copies: IDBObjectStore): Promise<void> {
  let count = 0;
  let total = 0;
  const request = copies.index(AGES).openKeyCursor(null, 'prev');
  for (let cursor = await answered(request); cursor; cursor = await answered(request)) {
    const [, bytes] = cursor.key as [number, number];
    const name = String(cursor.primaryKey);
    if (conversationOf(name) !== null) {
      count += 1;
      total += bytes;
      if (count > MAX_CONVERSATIONS || total > MAX_BYTES) copies.delete(name);
    }
    cursor.continue();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(LOCK);
    request.result.createObjectStore(COPIES, { keyPath: 'name' }).createIndex(AGES, ['at', 'bytes']);
  };
  return answered(request).then((database) => {
    // A user signs out: nothing here may hold that up.
    database.onversionchange = () => database.close();
    return database;
  });
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function ended(change: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    change.oncomplete = () => resolve();
    change.onabort = () => reject(change.error);
  });
}
