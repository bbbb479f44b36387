import { createHmac, hkdfSync } from 'node:crypto';

/** How a mailbox of a service is spelled; what is left out stays as it is. */
interface Spelling {
  /** The one domain that stands for all of them. */
  domain?: string;
  /** The one spelling of the part before the @, which has no `+tag` any more. */
  name?: (name: string) => string;
}

const GOOGLE: Spelling = { domain: 'gmail.com', name: (name) => name.replaceAll('.', '') };
const PROTON: Spelling = { domain: 'proton.me', name: (name) => name.replace(/[._-]/g, '') };
const ICLOUD: Spelling = { domain: 'icloud.com' };
const YANDEX: Spelling = { domain: 'yandex.ru', name: (name) => name.replaceAll('-', '.') };
/** A disposable address of Yahoo is `name-keyword`; no account has a hyphen in its own name. */
const YAHOO: Spelling = { name: (name) => name.split('-')[0] || name };

const SPELLINGS: readonly (readonly [domains: readonly string[], spelling: Spelling])[] = [
  // https://support.google.com/mail/answer/7436150
  [['gmail.com', 'googlemail.com'], GOOGLE],
  // https://proton.me/support/addresses-and-aliases
  [['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], PROTON],
  // https://support.apple.com/en-us/102533
  [['icloud.com', 'me.com', 'mac.com'], ICLOUD],
  // https://yandex.com/support/id/authorization/login.html
  [
    ['yandex.ru', 'ya.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua', 'yandex.com.tr', 'narod.ru'],
    YANDEX,
  ],
];
/** https://help.yahoo.com/kb/SLN28815.html */
const YAHOO_DOMAIN = /^(yahoo(\.com?)?\.[a-z]{2,3}|yahoo\.com|ymail\.com|rocketmail\.com|myyahoo\.com)$/;
/** `anything@name.fastmail.com` reaches `name@fastmail.com`: https://www.fastmail.help/hc/en-us/articles/360060591053 */
const FASTMAIL = /^(?:.+\.)?([^.]+)\.(fastmail\.(?:com|fm))$/;

/**
 * The mailbox behind an address, whatever it is written like: lower case, without a `+tag` (as Outlook, Fastmail and most others have
 * it), and as the service that has it reads it. For comparing only, never for sending to.
 */
export function normaliseEmail(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  if (at < 1) return address;
  const domain = address.slice(at + 1);
  const name = address.slice(0, at);
  const [, user, service] = FASTMAIL.exec(domain) ?? [];
  if (user && service) return `${user}@${service}`;
  const plain = name.split('+')[0] || name;
  const spelling = spellingOf(domain);
  return `${spelling.name?.(plain) || plain}@${spelling.domain ?? domain}`;
}

function spellingOf(domain: string): Spelling {
  if (YAHOO_DOMAIN.test(domain)) return YAHOO;
  return SPELLINGS.find(([domains]) => domains.includes(domain))?.[1] ?? {};
}

/** What is kept of an address to know it again: 32 bytes, keyed by the server's secret, so that no list of addresses reveals whose. */
export function hashEmail(secret: string, email: string): Buffer {
  return keyedHash(secret, 'parley address grants', normaliseEmail(email));
}

/** The same of the domain of an address. */
export function hashDomain(secret: string, domain: string): Buffer {
  return keyedHash(secret, 'parley domain grants', domain);
}

/** The same of a network, as `neighbourhoodOf` spells it. */
export function hashNetwork(secret: string, network: string): Buffer {
  return keyedHash(secret, 'parley network grants', network);
}

function keyedHash(secret: string, purpose: string, value: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  return createHmac('sha256', key).update(value).digest();
}
