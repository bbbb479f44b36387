import type { DisownedNotice, ResetOffer } from '#contract/accounts.ts';
import { draft } from '../chat/chat.ts';
import { createClient, type TestClient } from '../client.ts';
import { openEvents } from '../events.ts';
import { type Account, type Door, RuleBroken, WAYS } from './model.ts';
import { type Browser, sessionOf, type World } from './world.ts';

const linkOf = (world: World, door: Door) => {
  const { link } = world.secret(door);
  if (!link) throw new Error('a link without its mail');
  return link;
};

/** Asks for a mail that resets the password of whoever has an address; anybody may. */
export async function askReset(world: World, browser: Browser, email: string): Promise<void> {
  await browser.client.post('/api/auth/request-password-reset', { email });
  const account = world.model.at(email);
  if (account) await world.readMail(account);
}

/** What the owner keeps at a reset: what the page proposes, which is nothing that is new; what they know as theirs; or all. */
export type Keeping = 'proposed' | 'own' | 'all';

/** Sets a new password by the link of a mail; true: it was good. */
export async function openReset(
  world: World,
  browser: Browser,
  door: Door,
  keeping: Keeping,
): Promise<boolean> {
  const newPassword = world.fresh('password');
  const { token } = linkOf(world, door);
  const keep = await chooseKept(world, browser, door, keeping);
  const response = await browser.client.post('/api/auth/reset-password', { token, newPassword, keep });
  if (!response.ok) return false;
  world.model.used(door);
  const isKept = ({ holder }: Door) => keeping === 'all' || (keeping === 'own' && holder === browser.who);
  const password = world.model.reset(door.account, browser.who, isKept);
  world.forgetBrowsers(door.account);
  world.keep(password, { text: newPassword });
  world.model.close(door, 'it was used');
  await world.readNotice(password);
  world.count(keeping === 'proposed' ? 'reset' : `reset and keep ${keeping}`);
  return true;
}

/** The ids of what the owner keeps, from the list that the page shows. */
async function chooseKept(world: World, browser: Browser, door: Door, keeping: Keeping): Promise<string[]> {
  const { token } = linkOf(world, door);
  const answer = await browser.client.post('/api/auth/reset-password/offer', { token });
  if (!answer.ok) return [];
  const { ways } = (await answer.json()) as ResetOffer;
  if (keeping === 'proposed') return ways.filter(({ recent }) => !recent).map(({ id }) => id);
  const own = world.model
    .doorsOf(door.account)
    .filter(({ kind, holder }) => WAYS.includes(kind) && holder === browser.who)
    .flatMap((one) => [world.secret(one).id, world.secret(one).google?.choice.email]);
  return ways
    .filter(({ id, name }) => keeping === 'all' || own.includes(id) || own.includes(name))
    .map(({ id }) => id);
}

/** “This was not me”, by the link of a notice, and the new password that follows; true: it was good. */
export async function openNotice(
  world: World,
  browser: Browser,
  door: Door,
  keeping: Keeping,
): Promise<boolean> {
  const link = linkOf(world, door);
  const response = await browser.client.post('/api/auth/disown-notice', { token: link.token });
  if (!response.ok) return false;
  const { account, about } = door;
  world.model.used(door);
  world.model.disown(account, browser.who, about);
  world.model.close(door, 'it was used');
  world.forgetBrowsers(account);
  const { resetToken } = (await response.json()) as DisownedNotice;
  const reset = world.model.add('reset link', browser.who, account);
  world.keep(reset, { link: { ...link, page: 'reset-password', token: resetToken } });
  world.count(`disown ${about ? `the notice of a ${about.kind}` : 'a notice'}`);
  return openReset(world, browser, reset, keeping);
}

/** Has a link mailed by which a browser may try its password whatever others have tried, and opens it there. */
export async function trustByMail(world: World, client: TestClient, account: Account): Promise<boolean> {
  const email = account.address;
  if (email === null || !(await client.post('/api/auth/request-sign-in-link', { email })).ok) return false;
  await world.readMail(account);
  const door = world.model.doorsOf(account).findLast(({ kind }) => kind === 'sign-in link');
  if (!door) return false;
  world.count('a link for the sign-in');
  return (await client.post('/api/auth/open-sign-in-link', { token: linkOf(world, door).token })).ok;
}

export async function askVerification(world: World, browser: Browser): Promise<void> {
  if (!browser.session) return;
  if (!(await browser.client.post('/api/me/email/verification')).ok) return;
  world.model.used(browser.session);
  await world.readMail(browser.session.account);
}

/** Opens the link of a verification mail, with a password where one is given. */
export async function openVerification(
  world: World,
  browser: Browser,
  door: Door,
  password?: Door,
): Promise<void> {
  const { token } = linkOf(world, door);
  const typed = password ? { password: world.secret(password).text } : {};
  const response = await browser.client.post('/api/auth/verify-email', { token, ...typed });
  if (!response.ok) return;
  const { account } = door;
  world.model.used(door);
  const session = browser.session?.account === account ? browser.session : null;
  const own = session !== null && session.state !== 'shut';
  const known = password?.account === account && password.state !== 'shut';
  if (!own && !known)
    throw new RuleBroken(
      `a link verified the mailbox in a browser of the ${browser.who} that is not in the account`,
    );
  // A session that may have ended is there for certain only where no password opened the link.
  const isIn = own && (session.state === 'open' || !password);
  world.model.proveMailbox(account, browser.who);
  if (isIn) keepOpen(session);
  if (known && password) keepOpen(password);
  world.model.close(door, 'it was used');
  world.count('verify the address');
}

function keepOpen(door: Door): void {
  if (door.state === 'either') door.state = 'open';
}

/** Whoever reads a mail says that they did not open the account. */
export async function disown(world: World, browser: Browser, door: Door): Promise<void> {
  const { token } = linkOf(world, door);
  const response = await browser.client.post('/api/auth/disown-account', { token });
  if (!response.ok) return;
  world.model.used(door);
  world.model.proveMailbox(door.account, browser.who);
  world.count('say that it was not me');
}

/** Asks for another address. */
export async function askChange(world: World, browser: Browser, email: string): Promise<void> {
  const { session } = browser;
  if (!session) return;
  if (!(await browser.client.post('/api/me/email', { email })).ok) return;
  world.model.changedBy(session, world.now);
  world.model.endChange(session.account, 'another change was asked for');
  session.account.change = { to: email, asker: browser.who, old: false, new: false };
  await world.readMail(session.account);
  world.count('ask for another address');
}

/** A link to a new address proves it for the change of whoever opens it, if theirs is to that address, too. */
function meantBy({ session }: Browser, door: Door, name: string, to: string): Account {
  const isOwn = name !== 'stop' && session && session.state !== 'shut' && session.account.change?.to === to;
  return isOwn ? session.account : door.account;
}

/** Opens one of the links of a change of address. */
export async function openChangeLink(world: World, browser: Browser, door: Door): Promise<void> {
  const { name, token, to } = linkOf(world, door);
  const act = name === 'stop' ? 'stop-email-change' : 'confirm-email-change';
  const response = await browser.client.post(`/api/auth/${act}`, { token });
  if (!response.ok) return;
  const account = meantBy(browser, door, name, to);
  if (account === door.account && account.change?.to !== to) world.model.used(door);
  if (door.why === 'it was used') throw new RuleBroken('a link of a change was good twice');
  world.model.close(door, 'it was used');
  const { change } = account;
  if (!change) throw new RuleBroken('a change of address was agreed to that is over');
  if (name === 'stop') return world.model.endChange(account, 'it was stopped');
  const isNew = to === change.to;
  const own = browser.session?.account === account && browser.session.state !== 'shut';
  if (isNew && !own)
    throw new RuleBroken(`a link gave an account the mailbox of the ${door.holder} who is not in it`);
  change[isNew ? 'new' : 'old'] = true;
  if (change.old && change.new) world.model.changeAddress(account, change.to, own ? browser.session : null);
  world.count(change.old && change.new ? 'change the address' : 'agree to another address');
}

export async function cancelChange(world: World, browser: Browser): Promise<void> {
  if (!browser.session || !(await browser.client.delete('/api/me/email/change')).ok) return;
  world.model.used(browser.session);
  world.model.endChange(browser.session.account, 'it was taken back');
}

export async function signOut(world: World, browser: Browser): Promise<void> {
  const { session } = browser;
  if (!session) return;
  await browser.client.post('/api/auth/sign-out');
  world.model.close(session, 'it was signed out');
  browser.session = null;
  world.count('sign out');
}

/** Signs every other browser out. */
export async function signOutElsewhere(world: World, browser: Browser): Promise<void> {
  const { session } = browser;
  if (!session || !(await browser.client.delete('/api/sessions')).ok) return;
  world.model.used(session);
  world.model.endOtherSessions(session);
  world.count('sign out everywhere else');
}

/** Signs one other browser out, by the list of sessions. */
export async function revokeSession(world: World, browser: Browser, other: Door): Promise<void> {
  const { session } = browser;
  const { cookie } = world.secret(other);
  if (!session || other === session || other.account !== session.account || !cookie) return;
  const response = await world.app.visit(world.network(52), 'x', cookie).get('/api/auth/get-session');
  const shown = (await response.json()) as { session: { id: string } } | null;
  if (!shown || !(await browser.client.delete(`/api/sessions/${shown.session.id}`)).ok) return;
  world.model.used(session);
  world.model.close(other, 'it was revoked');
  world.count('revoke a session');
}

export async function deleteAccount(world: World, browser: Browser): Promise<void> {
  const { session } = browser;
  if (!session) return;
  const { account } = session;
  if (!(await browser.client.post('/api/me/delete', { email: account.address })).ok) return;
  world.model.changedBy(session, world.now);
  world.model.delete(account);
  world.count('delete the account');
}

/** Tries wrong passwords at an address, from networks enough to be past every limit. */
export async function guessPasswords(world: World, email: string, networks: number): Promise<void> {
  for (let network = 0; network < networks; network += 1) {
    const client = world.app.visit(world.network(200 + network), 'curl/8');
    for (let left = 9; left > 0; left -= 1)
      await client.post('/api/auth/sign-in/email', { email, password: `guess ${left}` });
  }
  world.count('guess passwords');
}

/** Follows an answer that is being made, over a connection of its own. */
export async function followAnswer(world: World, browser: Browser): Promise<void> {
  const { session, client } = browser;
  if (!session) return;
  const message = draft();
  if (!(await client.post('/api/messages', message)).ok) return;
  world.model.used(session);
  const direct = createClient({
    url: world.app.url,
    origin: world.app.config.publicUrl,
    cookie: sessionOf(client.cookie),
  });
  const stream = await openEvents(direct, `/api/messages/${message.id}/events`);
  world.streams.push({ session, stream });
  world.count('follow an answer');
}
