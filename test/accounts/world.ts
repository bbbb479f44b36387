import type { TestClient } from '../client.ts';
import type { OpenEvents } from '../events.ts';
import type { AccountsApp } from './app.ts';
import type { Choice } from './google.ts';
import type { MailedLink } from './mailed-links.ts';
import { type Account, AccountsModel, type Door, type Person, RuleBroken } from './model.ts';
import type { VirtualAuthenticator } from './virtual-authenticator.ts';

/** What whoever holds a door has in their hands. */
export interface Secret {
  /** A password, a key, the token of a link. */
  text?: string;
  /** As the product names it in paths. */
  id?: string;
  /** What a browser sends. */
  cookie?: string;
  passkey?: VirtualAuthenticator;
  google?: Identity;
  /** Of an app. */
  totp?: string;
  recoveryCodes?: string[];
  link?: MailedLink;
  /** Where Google sends a browser back to. */
  callback?: string;
  browser?: Browser;
}

/** A Google account; `speaks`: is Google the one to say whose the mailbox is. */
export interface Identity {
  choice: NonNullable<Choice>;
  speaks: boolean;
}

/** A browser of a person, and the session in it. */
export class Browser {
  readonly who: Person;
  readonly client: TestClient;
  session: Door | null = null;
  /** Accounts that this browser has signed in to since their password was last reset. */
  readonly known = new Set<Account>();

  constructor(who: Person, client: TestClient) {
    this.who = who;
    this.client = client;
  }
}

export interface Someone {
  who: Person;
  /** Addresses whose mail they read. */
  mailboxes: string[];
  browsers: Browser[];
  googles: Identity[];
}

/**
 * Where the contested address is. At Gmail and in a domain of Workspace, Google speaks for the mailbox; elsewhere it does not, and it
 * is the stranger who has a Google account with that address.
 */
export const DOMAINS = ['gmail.com', 'workspace.example', 'mail.example'] as const;
export type Domain = (typeof DOMAINS)[number];

/** By which mails the owner is notified of a new way in. */
const NOTICES: Partial<Record<Door['kind'], string[]>> = {
  passkey: ['passkey_added'],
  google: ['google_connected'],
  key: ['api_key_created'],
  factor: ['second_factor_on'],
  password: ['password_set', 'password_changed'],
};

let worlds = 0;

/** One run: an owner and a stranger with their browsers, mailboxes and Google accounts, the product, and the model of it. */
export class World {
  readonly app: AccountsApp;
  readonly model = new AccountsModel();
  readonly people: Record<Person, Someone>;
  readonly secrets = new Map<Door, Secret>();
  /** Answers that are followed in a session. */
  readonly streams: { session: Door; stream: OpenEvents }[] = [];
  /** What has happened, by act: how often it succeeded. */
  readonly tally: Map<string, number>;
  /** Are notices read, beside mails that a person asked for. */
  notices = false;
  private readonly run: number;
  private made = 0;

  constructor(app: AccountsApp, tally: Map<string, number>, domain: Domain) {
    worlds += 1;
    this.run = worlds;
    this.app = app;
    this.tally = tally;
    const own = `run${worlds}-${app.config.port}`;
    const address = (name: string, domain: string) => `${name}.${own}@${domain}`;
    const contested = address('owner', domain);
    const later = address('later', 'gmail.com');
    const strange = address('stranger', 'gmail.com');
    const google = (email: string): Identity => {
      const hosted = !email.endsWith('@mail.example');
      return { choice: { email, name: email, hosted }, speaks: hosted };
    };
    const names = google(contested);
    const browsers = (who: Person, first: number) =>
      ['Firefox/140.0', 'Chrome/140.0'].map(
        (agent, at) => new Browser(who, app.visit(this.network(first + at), `Mozilla/5.0 ${agent}`)),
      );
    this.people = {
      owner: {
        who: 'owner',
        mailboxes: [contested, later],
        browsers: browsers('owner', 1),
        googles: [names.speaks ? names : google(later)],
      },
      stranger: {
        who: 'stranger',
        mailboxes: [strange],
        browsers: browsers('stranger', 101),
        googles: [google(strange), ...(names.speaks ? [] : [names])],
      },
    };
  }

  /** The address that both want. */
  get contested(): string {
    return this.people.owner.mailboxes[0] ?? '';
  }

  get now(): number {
    return this.app.clock.now().getTime();
  }

  /** A network of this run. */
  network(n: number): string {
    return `10.${(this.run >> 8) & 255}.${this.run & 255}.${n}`;
  }

  /** Something that no one else has. */
  fresh(word: string): string {
    this.made += 1;
    return `${word} ${this.made}`;
  }

  secret(door: Door): Secret {
    return this.secrets.get(door) ?? {};
  }

  keep(door: Door, secret: Secret): Door {
    this.secrets.set(door, secret);
    return door;
  }

  count(act: string): void {
    this.tally.set(act, (this.tally.get(act) ?? 0) + 1);
  }

  /** The doors of a person of a kind, the oldest first. */
  doors(who: Person, kind: Door['kind']): Door[] {
    return this.model.doors.filter((door) => door.holder === who && door.kind === kind);
  }

  /** The account that the product names. */
  account(id: string): Account {
    const account = this.model.accounts.find((one) => one.id === id);
    if (!account) throw new RuleBroken(`there is an account ${id} that nobody opened`);
    return account;
  }

  /** A person is in now; the browser has the session, and the one that it had is over. */
  enter(browser: Browser, account: Account): Door {
    if (browser.session) this.model.close(browser.session, 'its browser signed in anew');
    const session = this.model.signIn(browser.who, account, this.now);
    browser.session = session;
    browser.known.add(account);
    return this.keep(session, { cookie: sessionOf(browser.client.cookie), browser });
  }

  /** No one's browser is trusted for an account any more. */
  forgetBrowsers(account: Account): void {
    for (const { browsers } of Object.values(this.people))
      for (const one of browsers) one.known.delete(account);
  }

  /** Reads the notice of what was set up just now. */
  async readNotice(door: Door): Promise<void> {
    if (this.notices) await this.readMail(door.account, door);
  }

  /**
   * Reads the mail that has come; its links are good for the account that a person asked about just now, and that of a notice for what
   * was set up.
   */
  async readMail(account: Account, about?: Door): Promise<void> {
    for (const link of await this.app.takeMails(this)) {
      const reader = Object.values(this.people).find(({ mailboxes }) => mailboxes.includes(link.to));
      if (!reader) throw new RuleBroken(`a mail went to ${link.to}`);
      const kinds = {
        'reset-password': 'reset link',
        'verify-email': 'verification link',
        'confirm-email': 'change link',
        'sign-in-link': 'sign-in link',
        'not-me': 'notice link',
      } as const;
      const kind = kinds[link.page as keyof typeof kinds];
      const isMeant = about !== undefined && NOTICES[about.kind]?.includes(link.template);
      const whose = kind === 'notice link' ? (this.model.at(link.to) ?? account) : account;
      this.keep(this.model.add(kind, reader.who, whose, isMeant ? { about } : {}), { link });
    }
  }

  /** A browser of the same person on the same device, in which no one is signed in. */
  signedOut(browser: Browser, at: number): TestClient {
    const kept = withoutSession(browser.client.cookie)
      .split('; ')
      .filter((pair) => !pair.includes('second_step='));
    return this.app.visit(
      this.network(browser.who === 'owner' ? 1 + at : 101 + at),
      'Mozilla/5.0 Firefox/140.0',
      kept.join('; '),
    );
  }
}

/** The session among the cookies of a browser. */
export function sessionOf(cookies: string): string {
  return cookies.split('; ').find((pair) => pair.includes('session_token=')) ?? '';
}

/** The cookies of a browser but that of its session. */
export function withoutSession(cookies: string): string {
  return cookies
    .split('; ')
    .filter((pair) => !pair.includes('session_token='))
    .join('; ');
}

/** The code of a refusal. */
export async function refusalOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { error?: { code?: string } } | null;
  return body?.error?.code ?? `status ${response.status}`;
}
