import { createHash } from 'node:crypto';

/** A person with a Google account, as an ID token names them. */
export interface Person {
  /** 21 digits, as Google's. */
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
  /** The Workspace domain of the account; missing: the address is another provider's, or of Gmail. */
  hd?: string;
}

const MAX_KNOWN = 1_000;

/** Whom the chooser offers. */
export const PEOPLE: readonly Person[] = [
  personOf('lin.xiaoyu@gmail.test', '林晓雨', true),
  personOf('ada.marsh@gmail.test', 'Ada Marsh', true),
  personOf('sam.unverified@gmail.test', 'Sam Reed', false),
  personOf('robin.field@elsewhere.test', 'Robin Field', true, false),
];

/**
 * Who has an address; the same address is always the same person. `hosted`: their mailbox is Google's too, of the Workspace domain of
 * the address; one of Gmail has none.
 */
export function personOf(email: string, name: string, verified: boolean, hosted = true): Person {
  const digest = createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 24);
  const sub = `1${(BigInt(`0x${digest}`) % 10n ** 20n).toString().padStart(20, '0')}`;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const hd = hosted && domain !== 'gmail.com' ? { hd: domain } : {};
  return { sub, email, email_verified: verified, name, ...hd };
}

/** Everybody who has signed in, as they last were; the latest thousand. */
export class KnownPeople {
  private readonly bySub = new Map(PEOPLE.map((person) => [person.sub, person]));

  remember(person: Person) {
    this.bySub.delete(person.sub);
    this.bySub.set(person.sub, person);
    for (const sub of this.bySub.keys()) {
      if (this.bySub.size <= MAX_KNOWN) break;
      this.bySub.delete(sub);
    }
  }

  find(sub: string): Person | undefined {
    return this.bySub.get(sub);
  }
}
