import fc from 'fast-check';
import * as acts from './acts.ts';
import * as mail from './mail-acts.ts';
import type { Door, Person } from './model.ts';
import type { Browser, World } from './world.ts';

/** One thing that a person does; nothing happens where it cannot be. Its name is what a failed run prints. */
export type Step = ((world: World) => Promise<void>) & { toString(): string };

type Act = (world: World, browser: Browser, n: number) => Promise<void>;

const QUICK_MS = 1_000;

/** The n-th of a person's doors of a kind, counted from the newest. */
const pick = (world: World, who: Person, kind: Door['kind'], n: number) => {
  const doors = world.doors(who, kind);
  return doors[doors.length - 1 - (n % Math.max(1, doors.length))];
};
const withDoor =
  (
    kind: Door['kind'],
    act: (world: World, browser: Browser, door: Door, n: number) => Promise<unknown>,
  ): Act =>
  async (world, browser, n) => {
    const door = pick(world, browser.who, kind, n);
    if (door) await act(world, browser, door, n);
  };
const google = (world: World, { who }: Browser, n: number) => {
  const { googles } = world.people[who];
  return googles[n % googles.length] ?? { choice: { email: '' }, speaks: false };
};
const keeping = (n: number): mail.Keeping => (['proposed', 'own', 'all'] as const)[n % 3] ?? 'proposed';
const flows: Act = withDoor('flow', (world, _browser, flow) =>
  world.secret(flow).callback ? acts.returnFromGoogle(world, flow) : acts.finishPasskey(world, flow),
);

/** What anybody does in a browser; `n` chooses among what they have. */
const ACTS: Record<string, [weight: number, act: Act]> = {
  'sign in by password': [
    5,
    withDoor('password', async (world, browser, door, n) => {
      await acts.signInByPassword(world, browser, door);
      if (n % 3 > 0) await acts.finishStep(world, browser, n % 2 === 0);
    }),
  ],
  'sign in by Google': [
    1,
    (world, browser, n) => acts.signInByGoogle(world, browser, google(world, browser, n)),
  ],
  'sign in by passkey': [4, withDoor('passkey', acts.signInByPasskey)],
  'take the second step': [3, (world, browser, n) => acts.finishStep(world, browser, n % 3 === 0)],
  'confirm identity': [2, acts.confirmIdentity],
  'set a password': [2, acts.setPassword],
  'connect Google': [
    1,
    (world, browser, n) => acts.connectGoogle(world, browser, google(world, browser, n), n % 4 === 0),
  ],
  'disconnect Google': [2, acts.disconnectGoogle],
  'add a passkey': [4, (world, browser, n) => acts.addPasskey(world, browser, n % 4 === 0)],
  'remove a passkey': [2, withDoor('passkey', acts.removePasskey)],
  'go on with what is half done': [2, flows],
  'turn a second factor on': [4, acts.turnOnFactor],
  'turn the second factor off': [2, acts.turnOffFactor],
  'renew the recovery codes': [2, acts.renewRecoveryCodes],
  'create a key': [2, acts.createKey],
  'revoke a key': [1, withDoor('key', acts.revokeKey)],
  'ask for a verification': [1, mail.askVerification],
  'open a verification link': [
    2,
    withDoor('verification link', (world, browser, door) => mail.openVerification(world, browser, door)),
  ],
  'open a verification link with a password': [
    2,
    withDoor('verification link', (world, browser, door, n) =>
      mail.openVerification(world, browser, door, pick(world, browser.who, 'password', n >> 2)),
    ),
  ],
  'say that it was not me': [1, withDoor('verification link', mail.disown)],
  'ask for a reset': [2, (world, browser) => mail.askReset(world, browser, world.contested)],
  'open a reset link': [
    3,
    withDoor('reset link', (world, browser, door, n) => mail.openReset(world, browser, door, keeping(n))),
  ],
  'open a link of a change': [4, withDoor('change link', mail.openChangeLink)],
  'take a change back': [1, mail.cancelChange],
  'sign out': [1, mail.signOut],
  'sign out elsewhere': [2, mail.signOutElsewhere],
  'revoke a session': [1, withDoor('session', mail.revokeSession)],
  'delete the account': [1, mail.deleteAccount],
  'follow an answer': [1, mail.followAnswer],
};

/** What begins without a session; everything else is done where a person is signed in. */
const OUTSIDE = /^(sign (in|up)|open|ask for a reset|take the second|say|guess|go on)/;

const step = (who: Person, name: string, act: Act): fc.Arbitrary<Step> =>
  fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 11 })).map(([at, n]) => {
    const run = async (world: World) => {
      const [own, other] = at === 0 ? world.people[who].browsers : world.people[who].browsers.toReversed();
      const browser = !OUTSIDE.test(name) && own?.session?.state !== 'open' ? other : own;
      if (!browser) return;
      world.app.clock.pass(QUICK_MS);
      await act(world, browser, n);
    };
    return Object.assign(run, { toString: () => `${who} ${at}: ${name} (${n})` });
  });

const stepsOf = (who: Person, names: Record<string, [number, Act]>) =>
  Object.entries(names).map(([name, [weight, act]]) => ({ weight, arbitrary: step(who, name, act) }));

const signUp: Act = (world, browser) => acts.signUp(world, browser, world.contested);
const signUpOwn: Act = (world, browser) =>
  acts.signUp(world, browser, world.people[browser.who].mailboxes.at(-1) ?? '');

const ofOwner = stepsOf('owner', {
  ...ACTS,
  'sign up': [2, signUp],
  'ask for another address': [
    1,
    (world, browser) => mail.askChange(world, browser, world.people.owner.mailboxes[1] ?? ''),
  ],
});
const ofStranger = stepsOf('stranger', {
  ...ACTS,
  'sign up at the owner’s address': [2, signUp],
  'sign up': [1, signUpOwn],
  'ask for another address': [
    2,
    (world, browser, n) =>
      mail.askChange(
        world,
        browser,
        n % 2 === 0 ? world.contested : (world.people.stranger.mailboxes[0] ?? ''),
      ),
  ],
});
const time: fc.Arbitrary<Step> = fc.constantFrom(11, 70, 60 * 25).map((minutes) => {
  const run = async (world: World) => world.app.clock.pass(minutes * 60_000);
  return Object.assign(run, { toString: () => `${minutes} minutes pass` });
});
const guesses = step('stranger', 'guess passwords from six networks', (world) =>
  mail.guessPasswords(world, world.contested, 6),
);

const named = (who: Person, name: string, act: Act) => step(who, name, act);

const readNotices: Step = Object.assign(
  async (world: World) => {
    world.notices = true;
  },
  { toString: () => 'notices are read' },
);

/** How a run begins: who was first. */
export const OPENINGS = {
  'a stranger was first': named('stranger', 'sign up at the owner’s address', signUp),
  'the owner was first': named('owner', 'sign up', signUp),
};

const strangers = fc.oneof(...ofStranger);
const owners = fc.oneof(...ofOwner);
const proofs = fc.oneof(
  named('owner', 'ask for a reset and use it', async (world, browser, n) => {
    await mail.askReset(world, browser, world.contested);
    const link = pick(world, 'owner', 'reset link', 0);
    if (link) await mail.openReset(world, browser, link, keeping(n));
    const password = pick(world, 'owner', 'password', 0);
    if (password) await acts.signInByPassword(world, browser, password);
    await acts.finishStep(world, browser, false);
  }),
  named('owner', 'sign in by Google', (world, browser) =>
    acts.signInByGoogle(world, browser, google(world, browser, 0)),
  ),
  named('owner', 'open the newest verification link', (world, browser) =>
    withDoor('verification link', (world, browser, door) => mail.openVerification(world, browser, door))(
      world,
      browser,
      0,
    ),
  ),
);

const any = fc.oneof(
  { weight: 10, arbitrary: owners },
  { weight: 4, arbitrary: strangers },
  { weight: 1, arbitrary: time },
);
const several = (steps: fc.Arbitrary<Step>, maxLength: number) => fc.array(steps, { maxLength, size: 'max' });
const joined = (...parts: fc.Arbitrary<Step[]>[]) => fc.tuple(...parts).map((lists) => lists.flat());

/** A person opens an account with the contested address and settles in; then perhaps the owner proves the mailbox; then anything. */
export function runsOf(opening: keyof typeof OPENINGS): fc.Arbitrary<Step[]> {
  const first = opening === 'a stranger was first' ? strangers : owners;
  return joined(
    OPENINGS[opening].map((one) => [one]),
    several(first, 5),
    several(proofs, 1),
    several(any, 12),
  );
}

/** A thief learns the password of an account whose owner has proved the mailbox, and adds what they can; the owner reads notices. */
export function runsOfThief(): fc.Arbitrary<Step[]> {
  const learn = named('stranger', 'learn the password', async (world) => acts.learnPassword(world));
  const enter = named('stranger', 'sign in by password', withDoor('password', acts.signInByPassword));
  const settle = stepsOf('stranger', {
    'sign in by password': [1, withDoor('password', acts.signInByPassword)],
    'add a passkey': [2, (world, browser) => acts.addPasskey(world, browser, false)],
    'connect Google': [
      1,
      (world, browser, n) => acts.connectGoogle(world, browser, google(world, browser, n), false),
    ],
    'turn a second factor on': [3, acts.turnOnFactor],
    'set a password': [1, acts.setPassword],
    'create a key': [1, acts.createKey],
  });
  const deny = named(
    'owner',
    'open a notice: it was not me',
    withDoor('notice link', (world, browser, door, n) => mail.openNotice(world, browser, door, keeping(n))),
  );
  const between = fc.oneof(
    { weight: 4, arbitrary: any },
    { weight: 4, arbitrary: fc.oneof(...settle) },
    { weight: 1, arbitrary: learn },
    { weight: 1, arbitrary: deny },
  );
  return joined(
    fc.constant([readNotices]),
    OPENINGS['the owner was first'].map((one) => [one]),
    proofs.map((one) => [one]),
    several(owners, 3),
    fc.tuple(learn, enter),
    fc.array(fc.oneof(...settle), { minLength: 1, maxLength: 5, size: 'max' }),
    several(between, 6),
  );
}

/** An account changes its address to one that its opener may not have, by the links of mails that a person opens. */
export function runsOfChanges(): fc.Arbitrary<Step[]> {
  const opened = (who: Person) =>
    named(who, 'open a link of a change', withDoor('change link', mail.openChangeLink));
  const wish = (who: Person, other: number) =>
    named(who, 'ask for another address', (world, browser) =>
      mail.askChange(
        world,
        browser,
        other === 0 ? world.contested : (world.people[who].mailboxes[other] ?? ''),
      ),
    );
  const stranger = fc.tuple(
    named('stranger', 'sign up', signUpOwn),
    wish('stranger', 0),
    opened('stranger'),
    opened('owner'),
  );
  const owner = fc.tuple(
    named('owner', 'sign up', signUp),
    wish('owner', 1),
    opened('owner'),
    opened('owner'),
  );
  const mixed = fc
    .oneof(stranger, owner)
    .chain(([open, ask, ...links]) =>
      joined(
        fc.constant([open]),
        several(any, 4),
        fc.constant([ask]),
        several(any, 2),
        fc.constant(links),
        several(any, 8),
      ),
    );
  return mixed;
}

/** A person tries to shut the owner out by wrong guesses. */
export function runsOfGuesses(): fc.Arbitrary<Step[]> {
  return joined(
    OPENINGS['the owner was first'].map((one) => [one]),
    several(owners, 5),
    guesses.map((one) => [one]),
    several(any, 4),
  );
}
