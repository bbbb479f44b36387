import { setTimeout as sleep } from 'node:timers/promises';
import type { TestClient } from '../client.ts';
import { WAIT_TIMEOUT_MS } from '../patient.ts';
import {
  arriveFromGoogle,
  type Entry,
  finishPasskey,
  nextCode,
  returnFromGoogle,
  tryCode,
  tryGoogle,
  tryKey,
  tryPasskey,
  tryPassword,
  userOf,
} from './acts.ts';
import {
  askReset,
  openChangeLink,
  openNotice,
  openReset,
  openVerification,
  trustByMail,
} from './mail-acts.ts';
import { type Account, type Door, RuleBroken } from './model.ts';
import { Browser, type World } from './world.ts';

const QUARTER_MS = 16 * 60_000;
const QUICK_MS = 60_000;

/**
 * What must be true after any run: every door that anybody ever had leads where the rules say and nowhere else; the owner gets in by
 * the mailbox, whatever a stranger did; and then the stranger is out.
 */
export async function judge(world: World): Promise<void> {
  const isStep = ({ kind }: Door) => kind === 'step';
  await tryDoors(world, world.model.doors.filter(isStep));
  await tryDoors(
    world,
    world.model.doors.filter((door) => !isStep(door)),
  );
  await expectStreams(world);
  for (const address of world.people.owner.mailboxes) await recover(world, address);
}

/** The owner takes the account back by a mail, sets a new password and signs in; afterwards no one else has a way in. */
async function recover(world: World, address: string): Promise<void> {
  const account = world.model.at(address);
  if (!account) return;
  const browser = new Browser('owner', world.app.visit(world.network(50), 'Mozilla/5.0 Safari/605'));
  const open = new Set(world.model.doorsOf(account).filter(({ state }) => state !== 'shut'));
  const isReset = async () => {
    const notice = noticeOfThief(world, account);
    if (notice) return openNotice(world, browser, notice, 'proposed');
    await askReset(world, browser, address);
    const link = world
      .doors('owner', 'reset link')
      .findLast((door) => door.account === account && door.state === 'open');
    return link !== undefined && (await openReset(world, browser, link, 'proposed'));
  };
  if (!(await isReset())) {
    world.app.clock.pass(QUARTER_MS);
    if (!(await isReset())) throw new RuleBroken('the owner of the mailbox cannot reset the password');
  }
  const strangers = world.model.doorsOf(account).filter((door) => door.holder === 'stranger');
  const left = strangers.find(({ kind, state }) => state !== 'shut' && kind !== 'flow');
  if (left) throw new RuleBroken(`the rules leave a ${left.kind} to the stranger after a reset`);
  const password = world.doors('owner', 'password').findLast((door) => door.account === account);
  if (password) await expectEntry(world, password);
  await tryDoors(
    world,
    [...open].filter(({ state }) => state === 'shut'),
  );
  await expectStreams(world);
}

/** The notice of a second factor that the stranger has turned on, with which no reset lets the owner in. */
function noticeOfThief(world: World, account: Account): Door | undefined {
  const isOn = world.model
    .doorsOf(account)
    .some(({ kind, holder, state }) => kind === 'factor' && holder === 'stranger' && state === 'open');
  const isOfThief = ({ kind, holder }: Door) => kind === 'factor' && holder === 'stranger';
  const notices = world.doors('owner', 'notice link').filter((door) => door.account === account);
  return isOn
    ? notices.findLast(({ state, about }) => state === 'open' && about && isOfThief(about))
    : undefined;
}

async function tryDoors(world: World, doors: Door[]): Promise<void> {
  for (const door of doors) await expectEntry(world, door);
}

/** Tries a door as its holder would, and compares with the rules. */
async function expectEntry(world: World, door: Door): Promise<void> {
  const expected = world.model.mayEnter(door);
  if (expected === null) return;
  const entered = await attempts[door.kind](world, door);
  if (entered !== null) world.count(`${expected ? 'open' : 'shut'} ${door.kind} tried`);
  if (entered === null || entered === expected) return;
  const { kind, holder, account, why } = door;
  const where = account.address ?? 'a deleted account';
  throw new RuleBroken(
    entered
      ? `the ${holder} is let into ${where} by a ${kind} although ${why}`
      : `the ${holder} is shut out of ${where}: the ${kind} is refused, although ${why}`,
  );
}

/** Null: it cannot be known. */
type Attempt = (world: World, door: Door) => Promise<boolean | null>;

const attempts: Record<Door['kind'], Attempt> = {
  password: async (world, door) => {
    const { address } = door.account;
    const { text = '' } = world.secret(door);
    if (address === null) return null;
    const clients = devices(world, door).slice(0, door.state === 'shut' ? 1 : 2);
    for (const client of clients) {
      const entry = await tryPassword(client, address, text);
      if (await passes(world, client, door, entry)) return true;
    }
    return (await byMail(world, door, clients[0])) && expectStranger(world, door);
  },
  google: async (world, door) => {
    const { google } = world.secret(door);
    const [client] = devices(world, door);
    if (!google || !client) return null;
    const browser = new Browser(door.holder, client);
    const entry = await tryGoogle(world, client, google);
    if (door.state === 'shut') arriveFromGoogle(world, browser, google, entry);
    return door.state === 'shut' ? null : passes(world, client, door, entry);
  },
  passkey: async (world, door) => {
    const { passkey } = world.secret(door);
    const [client] = devices(world, door);
    return passkey && client ? passes(world, client, door, await tryPasskey(client, passkey)) : null;
  },
  key: async (world, door) => {
    const [client] = devices(world, door);
    return client ? tryKey(client, world.secret(door).text ?? '') : null;
  },
  session: async (world, door) => {
    const client = world.app.visit(world.network(51), 'Mozilla/5.0', world.secret(door).cookie);
    return (await userOf(client)) === door.account.id;
  },
  step: async (world, door) => {
    const factor = factorOf(world, door);
    if (!factor || (door.freshUntil ?? 0) < world.now + QUICK_MS) return null;
    const client = world.app.visit(world.network(51), 'Mozilla/5.0', world.secret(door).cookie);
    const entry = await tryCode(client, nextCode(world, world.secret(factor).totp ?? ''));
    return 'in' in entry;
  },
  // An app that another one replaced, at the password of the same person, who has not typed too many wrong codes lately.
  factor: async (world, door) => {
    world.app.clock.pass(QUARTER_MS);
    const password = world.doors(door.holder, 'password').findLast((one) => one.account === door.account);
    const [client] = devices(world, door);
    const { totp = '', recoveryCodes = [] } = world.secret(door);
    if (door.state !== 'shut' || password?.state !== 'open' || !client) return null;
    const entry = await tryPassword(client, door.account.address ?? '', world.secret(password).text ?? '');
    if (!('step' in entry)) return null;
    return (
      'in' in (await tryCode(client, nextCode(world, totp))) ||
      'in' in (await tryCode(client, recoveryCodes[0] ?? 'AAAAA-AAAAA'))
    );
  },
  flow: async (world, door) => {
    if (door.state !== 'open') return null;
    if (world.secret(door).callback) await returnFromGoogle(world, door);
    else await finishPasskey(world, door);
    return null;
  },
  'reset link': async (world, door) =>
    door.state === 'shut' ? openReset(world, visitor(world, door), door, 'proposed') : null,
  'verification link': async (world, door) => {
    if (door.state !== 'shut') return null;
    await openVerification(world, visitor(world, door), door);
    return false;
  },
  'sign-in link': async () => null,
  'notice link': async (world, door) =>
    door.state === 'shut' ? openNotice(world, visitor(world, door), door, 'proposed') : null,
  'change link': async (world, door) => {
    if (door.state !== 'shut') return null;
    await openChangeLink(world, visitor(world, door), door);
    return false;
  },
};

/** Tries a password again, after a link of a mail said that it is not a stranger who guesses. */
async function byMail(world: World, door: Door, client: TestClient | undefined): Promise<boolean> {
  const { address } = door.account;
  if (!client || address === null || !world.people[door.holder].mailboxes.includes(address)) return false;
  if (door.state === 'shut' || !(await trustByMail(world, client, door.account))) return false;
  return passes(world, client, door, await tryPassword(client, address, world.secret(door).text ?? ''));
}

/** A browser that has signed in before needs no mail, whatever others have tried. */
function expectStranger(world: World, door: Door): true {
  if (world.people[door.holder].browsers.some(({ known }) => known.has(door.account)))
    throw new RuleBroken(`strangers shut the ${door.holder} out of a browser that had signed in before`);
  return true;
}

/** The browsers of a person, in which no one is signed in. */
function devices(world: World, { holder }: Door): TestClient[] {
  return world.people[holder].browsers.map((browser, at) => world.signedOut(browser, at));
}

function visitor(world: World, { holder }: Door): Browser {
  return new Browser(holder, world.app.visit(world.network(51), 'Mozilla/5.0'));
}

function factorOf(world: World, door: Door): Door | undefined {
  return world.doors(door.holder, 'factor').findLast(({ account }) => account === door.account);
}

/** Is a person in the account of the door after its first factor, and the second one where it is asked for. */
async function passes(world: World, client: TestClient, door: Door, entry: Entry): Promise<boolean> {
  if ('in' in entry) {
    const isOn = world.model.factorOf(door)?.state === 'open';
    if (isOn)
      throw new RuleBroken(`a ${door.kind} of the ${door.holder} is enough although a second factor is on`);
    return entry.in === door.account.id;
  }
  if (!('step' in entry)) return false;
  const factor = factorOf(world, door);
  if (!factor) return false;
  const second = await tryCode(client, nextCode(world, world.secret(factor).totp ?? ''));
  return 'in' in second && second.in === door.account.id;
}

/** An answer stops where its session is over, and nowhere else. */
async function expectStreams(world: World): Promise<void> {
  for (const { session, stream } of world.streams) {
    if (session.state === 'either') continue;
    let isOver = false;
    void stream.ended.then(() => {
      isOver = true;
    });
    const deadline = Date.now() + WAIT_TIMEOUT_MS;
    while (session.state === 'shut' && !isOver && Date.now() < deadline) await sleep(25);
    if (session.state === 'shut' && !isOver)
      throw new RuleBroken(`an answer of the ${session.holder} goes on although ${session.why}`);
    if (session.state === 'open' && isOver)
      throw new RuleBroken(`an answer of the ${session.holder} was cut off`);
  }
}
