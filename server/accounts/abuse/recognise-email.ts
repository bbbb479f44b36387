import type { Deps } from '#server/deps.ts';
import { neighbourhoodOf } from '#server/platform/client-ip.ts';
import type { DailyShare, NewUser } from '../users/identity-store.ts';
import { isKnownMailDomain } from './known-mail-domains.ts';
import { hashDomain, hashEmail, hashNetwork } from './normalise-email.ts';

/** What an address says about the free credits of its account. */
export type EmailFacts = Pick<NewUser, 'emailHash' | 'freeWithheld' | 'domainShare'>;

/** Which mailbox an address is, whether it is there to stay, and whether its domain is one where mailboxes can be opened at will. */
export async function recogniseEmail({ config }: Pick<Deps, 'config'>, email: string): Promise<EmailFacts> {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const { knownDomains, perDomainAndDay } = config.freeMonths;
  const isKnown = isKnownMailDomain(domain) || knownDomains.includes(domain);
  return {
    emailHash: hashEmail(config.authSecret, email),
    freeWithheld: (await isDisposable(domain)) ? 'disposable' : null,
    domainShare: isKnown
      ? null
      : { hash: hashDomain(config.authSecret, await registeredDomain(domain)), perDay: perDomainAndDay },
  };
}

/** What accounts of the network around an IP address are given together while their addresses are not proved. */
export function shareOfNetwork({ config }: Pick<Deps, 'config'>, ip: string): DailyShare {
  const hash = hashNetwork(config.authSecret, neighbourhoodOf(ip));
  return { hash, perDay: config.freeMonths.perNetworkAndDay };
}

/** True when the domain, or one above it, is on the shipped list of services that give addresses away for minutes. */
async function isDisposable(domain: string): Promise<boolean> {
  const { disposableEmailBlocklist } = await import('disposable-email-domains-js');
  const listed = disposableEmailBlocklist();
  const labels = domain.split('.');
  const domains = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
  return domains.some((each) => listed.includes(each));
}

/** The registered domain, by the public suffix list: its owner has every domain below it. */
async function registeredDomain(domain: string): Promise<string> {
  const { getDomain } = await import('tldts-icann');
  return getDomain(domain) ?? domain;
}
