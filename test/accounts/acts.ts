import type { TestClient } from '../client.ts';
import type { Account, Door } from './model.ts';
import { RuleBroken, STEP_MS } from './model.ts';
import { codeOf } from './second-factor.ts';
import { VirtualAuthenticator } from './virtual-authenticator.ts';
import { type Browser, type Identity, refusalOf, sessionOf, type World, withoutSession } from './world.ts';

const TOTP_STEP_MS = 30_000;

const bodyOf = async <T>(response: Response) => (await response.json()) as T;

/** How a person fares at a door: in an account, before its second step, or refused. */
export type Entry = { in: string } | { step: true } | { refused: string };

async function entryOf(response: Response): Promise<Entry> {
  if (!response.ok) return { refused: await refusalOf(response) };
  const body = await bodyOf<{ user?: { id: string }; twoFactor?: true }>(response);
  if (body.twoFactor) return { step: true };
  return { in: body.user?.id ?? '' };
}

/** Whose session a client has; null for no one's. */
export async function userOf(client: TestClient): Promise<string | null> {
  const session = await bodyOf<{ user: { id: string } } | null>(await client.get('/api/auth/get-session'));
  return session?.user.id ?? null;
}

export const tryPassword = async (client: TestClient, email: string, password: string) =>
  entryOf(await client.post('/api/auth/sign-in/email', { email, password }));

/** A code that the app shows next; a code is good once, so time passes. */
export function nextCode(world: World, totp: string): string {
  world.app.clock.pass(TOTP_STEP_MS);
  return codeOf(totp, world.now);
}

export const tryCode = async (client: TestClient, code: string) =>
  entryOf(await client.post('/api/auth/second-factor', { code }));

export async function tryPasskey(client: TestClient, passkey: VirtualAuthenticator): Promise<Entry> {
  const { challenge } = await bodyOf<{ challenge: string }>(await client.post('/api/auth/passkey/options'));
  return entryOf(await client.post('/api/auth/passkey', { passkey: passkey.answer(challenge) }));
}

export const tryKey = async (client: TestClient, key: string) =>
  (await client.request('/v1/models', { headers: { authorization: `Bearer ${key}` } })).ok;

/** Comes back from Google; where that led. */
async function comeBack(client: TestClient, callback: string): Promise<Entry> {
  const before = sessionOf(client.cookie);
  const location = (await client.get(callback)).headers.get('location') ?? '';
  const outcome = /[?&]google=(\w+)/.exec(location)?.[1];
  if (outcome === 'second_step') return { step: true };
  const user = sessionOf(client.cookie) === before ? null : await userOf(client);
  return user === null ? { refused: outcome ?? location } : { in: user };
}

export async function tryGoogle(world: World, client: TestClient, { choice }: Identity): Promise<Entry> {
  return comeBack(client, await world.app.google.leave(client, {}, choice));
}

/** Opens an account with a password. */
export async function signUp(world: World, browser: Browser, email: string): Promise<void> {
  const password = world.fresh('password');
  const entry = await entryOf(await browser.client.post('/api/auth/sign-up/email', { email, password }));
  if (!('in' in entry)) return;
  const account = world.model.open(entry.in, email, false);
  world.keep(world.model.add('password', browser.who, account), { text: password });
  world.enter(browser, account);
  await world.readMail(account);
  world.count('sign up');
}

/** The stranger comes to know the password of an account whose owner has proved the mailbox. */
export function learnPassword(world: World): void {
  const isKnown = ({ account }: Door) =>
    world.doors('stranger', 'password').some((door) => door.account === account && door.state !== 'shut');
  const door = world
    .doors('owner', 'password')
    .findLast((one) => one.state === 'open' && one.account.proved && !isKnown(one));
  if (!door) return;
  world.keep(world.model.copy(door, 'stranger'), { ...world.secret(door) });
  world.count('learn the password');
}

/** A browser passed the first factor: it is in, or has a step. */
function firstFactorPassed(world: World, browser: Browser, door: Door, entry: Entry): void {
  if ('step' in entry) {
    if (door.state === 'shut') throw new RuleBroken(`a step by a ${door.kind} although ${door.why}`);
    world.keep(world.model.add('step', browser.who, door.account, { freshUntil: world.now + STEP_MS }), {
      browser,
      // Without its session, which would end when the step is tried.
      cookie: withoutSession(browser.client.cookie),
    });
    world.count(`${door.kind}, then a second step`);
  }
  if ('in' in entry) {
    if (world.account(entry.in) !== door.account) throw new RuleBroken(`a ${door.kind} led elsewhere`);
    world.model.used(door);
    if (world.model.factorOf(door)?.state === 'open') throw new RuleBroken('no second step was asked for');
    world.enter(browser, door.account);
    world.count(`sign in by ${door.kind}`);
  }
}

export async function signInByPassword(world: World, browser: Browser, door: Door): Promise<void> {
  const { address } = door.account;
  if (address === null) return;
  const entry = await tryPassword(browser.client, address, world.secret(door).text ?? '');
  firstFactorPassed(world, browser, door, entry);
}

/** Takes the second step of a browser by the app, or by a recovery code. */
export async function finishStep(world: World, browser: Browser, byRecovery: boolean): Promise<void> {
  const steps = world.doors(browser.who, 'step').filter((step) => world.secret(step).browser === browser);
  const step = steps.at(-1);
  const factor =
    step && world.doors(browser.who, 'factor').findLast(({ account }) => account === step.account);
  if (!step || !factor) return;
  const secret = world.secret(factor);
  const code = byRecovery ? secret.recoveryCodes?.pop() : nextCode(world, secret.totp ?? '');
  if (code === undefined) return;
  const entry = await tryCode(browser.client, code);
  if (!('in' in entry)) return;
  world.model.used(step);
  world.model.used(factor);
  world.model.close(step, 'it was taken');
  world.enter(browser, step.account);
  world.count(byRecovery ? 'second step by a recovery code' : 'second step by an app');
}

export async function signInByPasskey(world: World, browser: Browser, door: Door): Promise<void> {
  const { passkey } = world.secret(door);
  if (!passkey) return;
  const entry = await tryPasskey(browser.client, passkey);
  if ('in' in entry) firstFactorPassed(world, browser, door, entry);
}

/** Leaves for Google to sign in or up, and comes back at once. */
export async function signInByGoogle(world: World, browser: Browser, identity: Identity): Promise<void> {
  arriveFromGoogle(world, browser, identity, await tryGoogle(world, browser.client, identity));
  await world.readMail(world.model.at(identity.choice.email) ?? { id: '', address: null, proved: false });
}

/** What follows from where Google led a person. */
export function arriveFromGoogle(world: World, browser: Browser, identity: Identity, entry: Entry): void {
  if ('refused' in entry) return;
  const { model } = world;
  const { email } = identity.choice;
  const linked = world
    .doors(browser.who, 'google')
    .find((door) => door.state !== 'shut' && world.secret(door).google === identity);
  const known =
    'in' in entry ? model.accounts.find(({ id }) => id === entry.in) : (linked?.account ?? model.at(email));
  if (linked && linked.account === known) {
    firstFactorPassed(world, browser, linked, entry);
    return;
  }
  if (known && (known.address !== email || !identity.speaks))
    throw new RuleBroken(
      `the ${browser.who} came in by a Google account that is no way into ${known.address}`,
    );
  const account = known ?? model.open('in' in entry ? entry.in : '', email, identity.speaks);
  if (identity.speaks) model.proveMailbox(account, browser.who);
  const door = world.keep(model.add('google', browser.who, account), { google: identity });
  firstFactorPassed(world, browser, door, entry);
}

/** Connects a Google account to the account that a browser is in; `halfway` stays at Google. */
export async function connectGoogle(world: World, browser: Browser, identity: Identity, halfway: boolean) {
  const { session } = browser;
  if (!session) return;
  const query = { purpose: 'link', returnTo: '/profile' };
  const callback = await world.app.google.leave(browser.client, query, identity.choice).catch(() => null);
  if (callback === null) return;
  const flow = world.model.add('flow', browser.who, session.account, { session });
  world.keep(flow, { browser, callback, google: identity });
  if (!halfway) await returnFromGoogle(world, flow);
}

/** The browser that went to Google comes back, now. */
export async function returnFromGoogle(world: World, flow: Door): Promise<void> {
  const { browser, callback, google } = world.secret(flow);
  if (!browser || !callback || !google || flow.state === 'shut' || !flow.session) return;
  world.model.close(flow, 'it came back');
  const location = (await browser.client.get(callback)).headers.get('location');
  if (location !== '/profile') return;
  world.model.used(flow.session);
  const known = world
    .doors(browser.who, 'google')
    .find((door) => world.secret(door).google === google && door.state !== 'shut');
  if (known) return;
  const door = world.keep(world.model.add('google', browser.who, flow.account), { google });
  if (browser.session) world.model.mayChangeCredential(flow.account, browser.session);
  await world.readNotice(door);
  world.count('connect Google');
}

/** Disconnects the newest Google account of the account that a browser is in. */
export async function disconnectGoogle(world: World, browser: Browser): Promise<void> {
  const { session, client } = browser;
  if (!session) return;
  const list = await client.get('/api/me/sign-ins');
  if (!list.ok) return;
  const { signIns } = await bodyOf<{ signIns: { id: string | null; account: string }[] }>(list);
  const last = signIns.findLast(({ id }) => id !== null);
  if (!last || !(await client.delete(`/api/me/sign-ins/${last.id}`)).ok) return;
  world.model.changedBy(session, world.now);
  const door = world.model
    .doorsOf(session.account)
    .find(
      (one) =>
        one.kind === 'google' &&
        one.state !== 'shut' &&
        world.secret(one).google?.choice.email === last.account,
    );
  if (door) world.model.close(door, 'it was disconnected');
  world.model.mayChangeCredential(session.account, session);
  world.count('disconnect Google');
}

/** A way in changed in a browser: it must have been in and fresh, and everybody else is out. */
function changed(world: World, session: Door, act: string): void {
  world.model.changedBy(session, world.now);
  world.model.changeCredential(session.account, session);
  world.count(act);
}

export async function setPassword(world: World, browser: Browser): Promise<void> {
  const { session, client } = browser;
  if (!session) return;
  const known = world
    .doors(browser.who, 'password')
    .findLast(({ account, state }) => account === session.account && state !== 'shut');
  const newPassword = world.fresh('password');
  const currentPassword = known && world.secret(known).text;
  if (
    !(await client.post('/api/me/password', { newPassword, ...(currentPassword ? { currentPassword } : {}) }))
      .ok
  )
    return;
  world.model.used(session);
  if (!currentPassword) world.model.changedBy(session, world.now);
  world.model.changeCredential(session.account, session);
  const password = world.model.add('password', browser.who, session.account);
  world.keep(password, { text: newPassword });
  world.forgetBrowsers(session.account);
  await world.readNotice(password);
  world.count(known ? 'change the password' : 'set a first password');
}

/** Makes a passkey; `halfway` leaves it to `finishPasskey`. */
export async function addPasskey(world: World, browser: Browser, halfway: boolean): Promise<void> {
  const { session, client } = browser;
  if (!session) return;
  const response = await client.post('/api/me/passkeys/options');
  if (!response.ok) return;
  const { challenge } = await bodyOf<{ challenge: string }>(response);
  const passkey = new VirtualAuthenticator({ origin: world.app.config.publicUrl });
  const flow = world.model.add('flow', browser.who, session.account, { session });
  world.keep(flow, { browser, passkey, text: challenge });
  if (!halfway) await finishPasskey(world, flow);
}

export async function finishPasskey(world: World, flow: Door): Promise<void> {
  const { browser, passkey, text = '' } = world.secret(flow);
  if (!browser || !passkey || flow.state === 'shut' || !flow.session) return;
  world.model.close(flow, 'it was finished');
  const answer = passkey.register(text);
  const response = await browser.client.post('/api/me/passkeys', { name: 'a passkey', answer });
  if (!response.ok) return;
  changed(world, flow.session, 'add a passkey');
  const { id } = await bodyOf<{ id: string }>(response);
  await world.readNotice(world.keep(world.model.add('passkey', browser.who, flow.account), { passkey, id }));
}

export async function removePasskey(world: World, browser: Browser, door: Door): Promise<void> {
  const { session, client } = browser;
  if (!session || door.account !== session.account) return;
  if (!(await client.delete(`/api/me/passkeys/${world.secret(door).id}`)).ok) return;
  changed(world, session, 'remove a passkey');
  world.model.close(door, 'it was removed');
}

export async function turnOnFactor(world: World, browser: Browser): Promise<void> {
  const { session, client } = browser;
  if (!session) return;
  const started = await client.post('/api/me/second-factor/enrolment');
  if (!started.ok) return;
  const { secret: totp } = await bodyOf<{ secret: string }>(started);
  const former = world.model
    .doorsOf(session.account)
    .find(({ kind, state }) => kind === 'factor' && state !== 'shut');
  const stood = former?.state;
  const finished = await client.post('/api/me/second-factor', { code: nextCode(world, totp) });
  if (!finished.ok) return;
  changed(world, session, 'turn a second factor on');
  const { recoveryCodes } = await bodyOf<{ recoveryCodes: string[] }>(finished);
  const first = former?.first ?? former;
  const factor = world.model.add('factor', browser.who, session.account, { first });
  world.keep(factor, { totp, recoveryCodes });
  if (stood === undefined) await world.readNotice(factor);
  else if (world.notices) await readMoveNotice(world, session.account, stood);
}

/** The notice of a move to another app names nothing; whether it was one is not known of a factor that may have been off. */
async function readMoveNotice(world: World, account: Account, former: Door['state']): Promise<void> {
  if (former === 'open') await world.readMail(account);
  else await world.app.dropMails();
}

export async function turnOffFactor(world: World, browser: Browser): Promise<void> {
  const { session, client } = browser;
  const factor =
    session &&
    world.model.doorsOf(session.account).find(({ kind, state }) => kind === 'factor' && state !== 'shut');
  if (!session || !(await client.delete('/api/me/second-factor')).ok || !factor) return;
  if (factor.state === 'either') world.model.mayChangeCredential(session.account, session);
  else changed(world, session, 'turn a second factor off');
  world.model.close(factor, 'it was turned off');
}

export async function renewRecoveryCodes(world: World, browser: Browser): Promise<void> {
  const { session, client } = browser;
  if (!session) return;
  const response = await client.post('/api/me/second-factor/recovery-codes');
  if (!response.ok) return;
  changed(world, session, 'renew recovery codes');
  const { recoveryCodes } = await bodyOf<{ recoveryCodes: string[] }>(response);
  const factor = world.model
    .doorsOf(session.account)
    .find(({ kind, state }) => kind === 'factor' && state !== 'shut');
  if (factor) world.keep(factor, { ...world.secret(factor), recoveryCodes });
}

export async function createKey(world: World, browser: Browser): Promise<void> {
  const { session, client } = browser;
  if (!session) return;
  const response = await client.post('/api/keys', { name: 'a key' });
  if (!response.ok) return;
  world.model.changedBy(session, world.now);
  const { id, key } = await bodyOf<{ id: string; key: string }>(response);
  await world.readNotice(world.keep(world.model.add('key', browser.who, session.account), { id, text: key }));
  world.count('create a key');
}

export async function revokeKey(world: World, browser: Browser, door: Door): Promise<void> {
  const { session, client } = browser;
  if (!session || door.account !== session.account) return;
  if (!(await client.delete(`/api/keys/${world.secret(door).id}`)).ok) return;
  world.model.used(session);
  world.model.close(door, 'it was revoked');
  world.count('revoke a key');
}

/** Proves again in a signed-in browser to be the one. */
export async function confirmIdentity(world: World, browser: Browser): Promise<void> {
  const { session, client, who } = browser;
  if (!session) return;
  const mine = (kind: Door['kind']) =>
    world.doors(who, kind).findLast(({ account, state }) => account === session.account && state !== 'shut');
  const factor = mine('factor');
  const password = mine('password');
  const google = mine('google');
  if (!factor && !password) return google && confirmByGoogle(world, browser, session, google);
  const proof = factor
    ? { code: nextCode(world, world.secret(factor).totp ?? '') }
    : { password: password ? world.secret(password).text : '' };
  if ((await client.post('/api/me/confirm', proof)).ok) confirmed(world, browser, session);
}

async function confirmByGoogle(world: World, browser: Browser, session: Door, door: Door): Promise<void> {
  const { google } = world.secret(door);
  if (!google) return;
  const query = { purpose: 'confirm', returnTo: '/profile' };
  const callback = await world.app.google.leave(browser.client, query, google.choice).catch(() => null);
  const back = callback && (await browser.client.get(callback)).headers.get('location');
  if (back === '/profile') confirmed(world, browser, session);
}

function confirmed(world: World, browser: Browser, session: Door): void {
  world.model.used(session);
  const renewed = world.model.confirm(session, world.now);
  browser.session = world.keep(renewed, { cookie: sessionOf(browser.client.cookie), browser });
  for (const one of world.streams) if (one.session === session) one.session = renewed;
  world.count('confirm identity');
}
