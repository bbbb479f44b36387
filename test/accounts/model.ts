/** The owner reads the mail of the addresses in question; the stranger does not, but may have been first. */
export type Person = 'owner' | 'stranger';

/** `factor`: an app with its recovery codes. `step`: a sign-in that waits for it. `flow`: Google, or a new passkey, half done. */
export type Kind =
  | 'password'
  | 'google'
  | 'passkey'
  | 'key'
  | 'session'
  | 'factor'
  | 'step'
  | 'flow'
  | 'reset link'
  | 'verification link'
  | 'change link'
  | 'sign-in link'
  | 'notice link';

export interface Account {
  id: string;
  /** Null: it is deleted. */
  address: string | null;
  /** Has the holder of the mailbox shown to be the one who is in. */
  proved: boolean;
  /** The address that is to follow, and which sides have agreed. */
  change?: { to: string; asker: Person; old: boolean; new: boolean } | undefined;
}

/** Something by which a person may get into an account. `either`: the rules do not say whether it still leads there. */
export interface Door {
  kind: Kind;
  holder: Person;
  account: Account;
  state: 'open' | 'shut' | 'either';
  /** Which rule said so. */
  why: string;
  /** Of a session: until when a proof of identity counts. Of a flow: the session that began it. */
  freshUntil?: number;
  session?: Door;
  /** Of an app that took the place of another one: the first of them. */
  first?: Door | undefined;
  /** Of the link of a notice: what the notice was about. */
  about?: Door | undefined;
}

const ONE_OF_A_KIND: readonly Kind[] = ['password', 'factor'];
/** What ends when a credential changes. */
const ENDED: readonly Kind[] = ['session', 'step', 'reset link'];
/** What opens an account by itself, beside the password. */
export const WAYS: readonly Kind[] = ['passkey', 'google', 'key'];
const FRESH_MS = 10 * 60_000;
/** How long a sign-in waits for its second step. */
export const STEP_MS = 10 * 60_000;

/** Of several apps that took each other's place the first one. */
const firstOf = (door: Door | undefined) => door?.first ?? door;

/** Something happened that the rules forbid. */
export class RuleBroken extends Error {}

/** The rules of accounts: who has which way in after what happened. It is given what succeeded, and objects to what must not have. */
export class AccountsModel {
  readonly accounts: Account[] = [];
  readonly doors: Door[] = [];

  /** A person opened an account; `proved` where Google speaks for the mailbox. */
  open(id: string, address: string, proved: boolean): Account {
    if (this.at(address)) throw new RuleBroken(`${address} has two accounts`);
    const account = { id, address, proved };
    this.accounts.push(account);
    return account;
  }

  /** The account of an address. */
  at(address: string): Account | undefined {
    return this.accounts.find((account) => account.address === address);
  }

  /** A person has a way in from now on; a password or an app takes the place of the one before. */
  add(kind: Kind, holder: Person, account: Account, more: Partial<Door> = {}): Door {
    if (ONE_OF_A_KIND.includes(kind)) this.shut(account, `another ${kind}`, (door) => door.kind === kind);
    const door: Door = { kind, holder, account, state: 'open', why: 'it was set up', ...more };
    this.doors.push(door);
    return door;
  }

  /** A session begins, which is a fresh proof of who sits there. */
  signIn(holder: Person, account: Account, now: number): Door {
    return this.add('session', holder, account, { freshUntil: now + FRESH_MS });
  }

  /** The holder proved again to be the one: the token of the session is another one, and fresh; what was begun in it goes on. */
  confirm(session: Door, now: number): Door {
    this.close(session, 'its token rotated');
    const renewed = this.signIn(session.holder, session.account, now);
    for (const door of this.doors) if (door.session === session) door.session = renewed;
    return renewed;
  }

  /** A person holds the mailbox of an account, and shows it: whatever an unproved opener left is over. */
  proveMailbox(account: Account, prover: Person): void {
    if (account.proved) return;
    account.proved = true;
    if (account.change?.asker !== prover) this.endChange(account, 'somebody else proved the mailbox');
    for (const door of this.doorsOf(account)) {
      if (door.holder !== prover) this.close(door, 'somebody else proved the mailbox');
      else if (door.state === 'open') door.state = 'either';
    }
  }

  /**
   * A password, second factor, passkey or address changed: whoever is in elsewhere is out, and reset links asked for before lead
   * nowhere. As long as no one has proved the mailbox, they stay: whoever opened the account must not take them from its owner.
   */
  changeCredential(account: Account, kept: Door | null): void {
    this.shut(
      account,
      'a credential changed',
      (door) => ['session', 'step'].includes(door.kind) && door !== kept,
    );
    if (account.proved) this.shut(account, 'a credential changed', ({ kind }) => kind === 'reset link');
  }

  /** Something changed of which the rules do not say whether it ends what others have. */
  mayChangeCredential(account: Account, kept: Door): void {
    for (const door of this.doorsOf(account))
      if (ENDED.includes(door.kind) && door.state === 'open' && door !== kept) door.state = 'either';
  }

  /** A person has come to know what another person holds. */
  copy(door: Door, holder: Person): Door {
    const copied: Door = { kind: door.kind, holder, account: door.account, state: door.state, why: door.why };
    this.doors.push(copied);
    return copied;
  }

  /** A new password by the link of a mail; passkeys, Google accounts and keys go unless the owner keeps them. */
  reset(account: Account, prover: Person, isKept: (door: Door) => boolean): Door {
    this.proveMailbox(account, prover);
    this.changeCredential(account, null);
    this.endChange(account, 'the password was reset');
    this.shut(account, 'the password was reset', (door) => WAYS.includes(door.kind) && !isKept(door));
    return this.add('password', prover, account);
  }

  /** “This was not me”, of a notice: what it was about goes, the password, and whoever is in. */
  disown(account: Account, prover: Person, about: Door | undefined): void {
    this.proveMailbox(account, prover);
    this.changeCredential(account, null);
    this.endChange(account, 'its notice was disowned');
    const isMeant = (door: Door) =>
      door === about || (door.kind === 'factor' && door.first !== undefined && door.first === firstOf(about));
    const why = 'its notice was disowned';
    this.shut(account, why, (door) => door.kind === 'password' || isMeant(door));
  }

  /** Both sides agreed to another address; whoever is in has it. */
  changeAddress(account: Account, to: string, kept: Door | null): void {
    if (this.at(to)) throw new RuleBroken(`${to} has two accounts`);
    this.endChange(account, 'the address changed');
    account.address = to;
    account.proved = true;
    this.shut(account, 'the address changed', ({ kind }) =>
      ['verification link', 'notice link'].includes(kind),
    );
    this.changeCredential(account, kept);
  }

  /** A change of address is over; its links lead nowhere. */
  endChange(account: Account, why: string): void {
    account.change = undefined;
    this.shut(account, why, ({ kind }) => kind === 'change link');
  }

  /** Every other browser is signed out, by its user. */
  endOtherSessions(kept: Door): void {
    this.shut(kept.account, 'signed out elsewhere', (door) => door.kind === 'session' && door !== kept);
  }

  /** The account is gone with all that led there; its address is free. */
  delete(account: Account): void {
    account.address = null;
    this.shut(account, 'the account was deleted', () => true);
  }

  close(door: Door, why: string): void {
    door.state = 'shut';
    door.why = why;
  }

  /** May a person get in by this, alone or with the second factor that is on. Null: the rules do not say. */
  mayEnter(door: Door): boolean | null {
    if (door.state === 'shut') return false;
    const factor = this.factorOf(door);
    if (factor && factor.holder !== door.holder && factor.state === 'open') return false;
    return door.state === 'open' && factor?.state !== 'either' ? true : null;
  }

  /** The second factor that this door asks for. */
  factorOf(door: Door): Door | undefined {
    if (!['password', 'google', 'step'].includes(door.kind)) return undefined;
    return this.doorsOf(door.account).find(({ kind, state }) => kind === 'factor' && state !== 'shut');
  }

  /** A person got in, or did something that only one who is in can do. */
  used(door: Door): void {
    if (this.mayEnter(door) === false)
      throw new RuleBroken(`the ${door.kind} of the ${door.holder} was good, although ${door.why}`);
  }

  /** A person changed what the account is opened by: they are in, and have proved lately to be the one. */
  changedBy(session: Door, now: number): void {
    this.used(session);
    if ((session.freshUntil ?? 0) <= now)
      throw new RuleBroken(`the ${session.holder} changed a way in without a fresh proof`);
  }

  doorsOf(account: Account): Door[] {
    return this.doors.filter((door) => door.account === account);
  }

  private shut(account: Account, why: string, which: (door: Door) => boolean): void {
    for (const door of this.doorsOf(account)) if (door.state !== 'shut' && which(door)) this.close(door, why);
  }
}
