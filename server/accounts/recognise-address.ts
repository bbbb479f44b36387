import type { Deps } from '#server/deps.ts';
import type { NewUser } from './identity-store.ts';
import { hashAddress } from './normalise-address.ts';

/** What an address says about the free credits of whoever has it: which mailbox it is, and whether it is there to stay. */
export async function recogniseAddress(
  { config }: Pick<Deps, 'config'>,
  email: string,
): Promise<Pick<NewUser, 'addressHash' | 'freeWithheld'>> {
  return {
    addressHash: hashAddress(config.authSecret, email),
    freeWithheld: (await isDisposable(email)) ? 'disposable' : null,
  };
}

/** Is its domain, or one above it, on the shipped list of services that give addresses away for minutes. */
async function isDisposable(email: string): Promise<boolean> {
  const { disposableEmailBlocklist } = await import('disposable-email-domains-js');
  const listed = disposableEmailBlocklist();
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  const domains = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
  return domains.some((domain) => listed.includes(domain));
}
