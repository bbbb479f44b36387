import { z } from 'zod';
import { type Brand, DEFAULT_BRAND } from '#contract/brand.ts';
import {
  CAPTCHA_PROVIDERS,
  type CaptchaProvider,
  LANGUAGES,
  type Language,
  PROVIDERS,
  type Provider,
} from '#contract/choices.ts';
import { MAX_PROMPT } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { GRACE_MS } from '#server/billing/facts/period-rules.ts';
import { Environment } from '#server/platform/environment.ts';
import {
  oneOf,
  readDomains,
  readSecret,
  readTestHosts,
  readUrl,
  readWhole,
} from '#server/platform/read-setting.ts';
import { findSecret, keepSecret } from '#server/platform/secret-file.ts';
import { type ComputerSettings, readComputerSettings } from './read-computer-settings.ts';
import { type DatabaseSettings, readDatabaseSettings } from './read-database-settings.ts';
import { type FileSettings, readFileSettings } from './read-file-settings.ts';
import { type ModelSettings, readModelSettings } from './read-model-settings.ts';
import { readServerSettings, type ServerSettings } from './read-server-settings.ts';
import { readTracingSettings } from './read-tracing-settings.ts';

/** Outside services that a stand-in of ours can play. */
export type EmulatedService = 'gemini' | Provider | 'mail' | 'google';

/** Prices of one provider are products there, made by the operator. */
export interface PaymentSettings {
  apiKey: string;
  baseUrl: string;
  /** Null: its webhook is closed, and only reconciliation brings news. */
  webhookSecret: string | null;
  products: Record<'gemini_basic' | 'gemini_pro', Record<'monthly' | 'annual', string>>;
}

/** The captcha service, and our account there. */
export interface CaptchaSettings {
  provider: CaptchaProvider;
  siteKey: string;
  secret: string;
  /** Null: the provider's own addresses. */
  baseUrl: string | null;
}

/** What a guess at a password costs an attacker with a copy of its hash. */
export interface HashingCosts {
  memoryKib: number;
}

/** All settings, parsed and frozen. Null: not configured. */
export interface Config extends ServerSettings, ModelSettings, DatabaseSettings {
  /** Empty: a program beside the server does not know it. */
  authSecret: string;
  hashing: HashingCosts;
  /** What has no key and is to be played by a stand-in; empty when `EMULATORS=off`. */
  emulate: readonly EmulatedService[];
  limits: {
    /** Longest prompt in UTF-16 code units. */
    prompt: number;
    /** Answers one user may have running at once. */
    runningPerUser: number;
    /** Messages of one user that may end without an answer in a day, for free, although the provider worked for them. */
    unansweredPerDay: number;
    unchargedPerDay: number;
    /** Most tokens one answer may have, thinking included, unless its route allows fewer. */
    outputTokens: number;
    /** Accounts that one network may open in an hour. */
    signUpsPerHour: number;
    /** Attempts to sign in that one network has in a minute. */
    signInsPerMinute: number;
    /** Requests that one user, or the network of a visitor, may send one process in a minute. */
    requestsPerMinute: number;
    /** Changes among them. */
    changesPerMinute: number;
    /** API requests that one user has in a minute, over all keys. */
    apiRequestsPerMinute: number;
  };
  files: FileSettings;
  computer: ComputerSettings;
  /** Names that addresses in API requests may use for ports of this machine, as `name: host:port`; none but in tests. */
  fetchTestHosts: Readonly<Record<string, string>>;
  shutdownDeadlineMs: number;
  /** How long a plan stays usable when its renewal is late. */
  graceMs: number;
  creem: PaymentSettings | null;
  bagelpay: PaymentSettings | null;
  google: { clientId: string; clientSecret: string; issuer: string } | null;
  mail: { smtpUrl: string; from: string } | null;
  captcha: CaptchaSettings | null;
  /** Days without use after which a session ends. */
  sessionIdleDays: number;
  freeMonths: {
    /** Free months that the addresses of one domain are given in a day, unless its mailboxes are a known service's. */
    perDomainAndDay: number;
    /** Free months that accounts of one network (an IPv4 /24, an IPv6 /48) are given in a day while their addresses are not proved. */
    perNetworkAndDay: number;
    /** Domains that count as such, beside those that are known to the product. */
    knownDomains: readonly string[];
  };
  /** Whether the credits of a password sign-up come only once its address is verified. */
  verifiedEmailRequired: boolean;
  brand: Brand;
  logLevel: string;
  metricsToken: string | null;
  /** Null: no traces are made. */
  tracing: ReturnType<typeof readTracingSettings>;
  operator: {
    /** Who is alerted when an operator is needed; the log has it in any case. */
    mail: string | null;
    webhook: string | null;
    /** In which language the operator is written to. */
    language: Language;
    /** Credits that one operator may give and take in a day without a second one. */
    creditsPerDay: number;
    /** Minor units that one operator may refund in a day without a second one. */
    refundMinorPerDay: number;
  };
}

/** OWASP ASVS 5.0, appendix C: the least for argon2id with two passes. */
const SAFE_HASHING_KIB = 19_456;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
/** What reads the settings: a server makes its secret where none is given and it may. */
const SERVER = { makesSecret: true };
const SECRET_NAME = 'auth-secret';

/**
 * Parses the environment, `MODELS_FILE` and `PROVIDER_PRICES_FILE` included, and makes the session secret in `DATA_DIR` where that is allowed.
 * A program beside the server makes none, and may not know it.
 * Throws `ConfigError` with every problem at once.
 */
export function loadConfig(values: Record<string, string | undefined>, { makesSecret } = SERVER): Config {
  const env = new Environment(values);
  const { server, isPublic } = readServerSettings(env);
  const mayMakeSecret = !(server.production && isPublic);
  const emulators = env.read(
    'EMULATORS',
    z.enum(['auto', 'off']),
    oneOf(['auto', 'off']),
    server.production && isPublic ? 'off' : 'auto',
  );
  const geminiApiKey = readSecret(env, 'GEMINI_API_KEY');
  const creem = readPayments(env, 'CREEM', 'https://api.creem.io');
  const bagelpay = readPayments(env, 'BAGELPAY', 'https://live.bagelpay.io');
  const brand = readBrand(env);
  const mail = readMail(env, brand);
  const google = readGoogle(env);
  const settings = {
    ...server,
    ...readDatabaseSettings(env),
    emulate: emulators === 'auto' ? keyless({ gemini: geminiApiKey, creem, bagelpay, mail, google }) : [],
    hashing: { memoryKib: readHashingMemory(env, server.production || isPublic) },
    ...readModelSettings(env, geminiApiKey),
    limits: {
      prompt: readWhole(env, 'PROMPT_LIMIT', 1, 1_000_000, MAX_PROMPT),
      runningPerUser: readWhole(env, 'MAX_RUNNING_PER_USER', 1, 1_000, 10),
      unansweredPerDay: readWhole(env, 'UNANSWERED_LIMIT', 1, 1_000_000, 30),
      unchargedPerDay: readWhole(env, 'UNCHARGED_LIMIT', 1, 1_000_000, 100),
      outputTokens: readWhole(env, 'MAX_OUTPUT_TOKENS', 1, 1_000_000, 16_384),
      signUpsPerHour: readWhole(env, 'SIGN_UP_LIMIT', 1, 1_000_000, isPublic ? 30 : 10_000),
      signInsPerMinute: readWhole(env, 'SIGN_IN_LIMIT', 1, 1_000_000, isPublic ? 30 : 10_000),
      requestsPerMinute: readWhole(env, 'REQUEST_LIMIT', 1, 10_000_000, isPublic ? 6_000 : 1_000_000),
      changesPerMinute: readWhole(env, 'CHANGE_LIMIT', 1, 1_000_000, isPublic ? 600 : 100_000),
      apiRequestsPerMinute: readWhole(env, 'API_REQUEST_LIMIT', 1, 1_000_000, isPublic ? 300 : 10_000),
    },
    files: readFileSettings(env),
    computer: readComputerSettings(env, isPublic),
    fetchTestHosts: readTestHosts(env, 'FETCH_TEST_HOSTS', isPublic),
    shutdownDeadlineMs: readWhole(env, 'SHUTDOWN_DEADLINE_MS', 0, 600_000, 20_000),
    graceMs: readWhole(env, 'PAYMENT_GRACE_DAYS', 0, 30, GRACE_MS / DAY_MS) * DAY_MS,
    creem,
    bagelpay,
    google,
    mail,
    captcha: readCaptcha(env),
    sessionIdleDays: readWhole(env, 'SESSION_IDLE_DAYS', 1, 30, 14),
    freeMonths: {
      perDomainAndDay: readWhole(env, 'FREE_MONTHS_PER_DOMAIN', 1, 1_000_000, isPublic ? 20 : 10_000),
      perNetworkAndDay: readWhole(env, 'FREE_MONTHS_PER_NETWORK', 1, 1_000_000, isPublic ? 20 : 10_000),
      knownDomains: readDomains(env, 'KNOWN_MAIL_DOMAINS'),
    },
    verifiedEmailRequired: readVerifiedEmailRequired(env, mail !== null || emulators === 'auto'),
    brand,
    logLevel: env.read('LOG_LEVEL', z.enum(LOG_LEVELS), oneOf(LOG_LEVELS), 'info'),
    metricsToken: readSecret(env, 'METRICS_TOKEN', 16),
    tracing: readTracingSettings(env),
    operator: {
      mail: env.read('OPERATOR_MAIL', z.email().nullable(), mailExpectation, null),
      webhook:
        env.text('OPERATOR_WEBHOOK') && readUrl(env, 'OPERATOR_WEBHOOK', 'https://alerts.example/parley'),
      language: env.read('OPERATOR_LANGUAGE', z.enum(LANGUAGES), oneOf(LANGUAGES), 'zh'),
      creditsPerDay: readWhole(env, 'OPERATOR_CREDITS_LIMIT', 0, 1_000_000_000, 10_000),
      refundMinorPerDay: readWhole(env, 'OPERATOR_REFUND_LIMIT', 0, 1_000_000_000, 20_000),
    },
  };
  const given = readAuthSecret(env, mayMakeSecret || !makesSecret);
  env.refuseProblems();
  const authSecret = given ?? (mayMakeSecret ? ownSecret(server.dataDir, makesSecret) : '');
  return deepFreeze({ ...settings, authSecret });
}

/** The secret in `DATA_DIR`; where there is none it is made, or empty where none is to be made. */
function ownSecret(dataDir: string, makesSecret: boolean): string {
  return makesSecret ? keepSecret(dataDir, SECRET_NAME) : (findSecret(dataDir, SECRET_NAME) ?? '');
}

function keyless(settings: Record<EmulatedService, unknown>): EmulatedService[] {
  return (['gemini', ...PROVIDERS, 'mail', 'google'] as const).filter((name) => settings[name] === null);
}

function readAuthSecret(env: Environment, mayBeMissing: boolean): string | null {
  const expected = {
    zh: '需要一个至少 32 个字符的随机值，可用 openssl rand -base64 32 生成',
    en: 'set a random value of at least 32 characters; openssl rand -base64 32 makes one',
  };
  const given = env.secret('AUTH_SECRET', z.string().min(32), expected);
  if (given === null && !mayBeMissing) env.report('AUTH_SECRET', null, expected);
  return given;
}

/** Less than what is safe is for tests only, where hashing would take most of the time. */
function readHashingMemory(env: Environment, isServing: boolean): number {
  const least = isServing ? SAFE_HASHING_KIB : 8;
  return readWhole(env, 'PASSWORD_HASH_MEMORY_KIB', least, 1_048_576, SAFE_HASHING_KIB);
}

function readPayments(env: Environment, prefix: string, defaultUrl: string): PaymentSettings | null {
  const apiKey = readSecret(env, `${prefix}_API_KEY`);
  const baseUrl = readUrl(env, `${prefix}_BASE_URL`, defaultUrl);
  const webhookSecret = readSecret(env, `${prefix}_WEBHOOK_SECRET`);
  const product = (plan: string) => {
    const name = `${prefix}_PRODUCT_${plan}`;
    const id = env.text(name);
    if (id === null && apiKey !== null) env.report(name, null, productExpectation(prefix));
    return id ?? '';
  };
  const products = {
    gemini_basic: { monthly: product('BASIC_MONTHLY'), annual: product('BASIC_ANNUAL') },
    gemini_pro: { monthly: product('PRO_MONTHLY'), annual: product('PRO_ANNUAL') },
  };
  return apiKey === null ? null : { apiKey, baseUrl, webhookSecret, products };
}

const productExpectation = (prefix: string) => ({
  zh: `已设置 ${prefix}_API_KEY，因此需要这个商品的 id`,
  en: `${prefix}_API_KEY is set, so the id of this product is needed`,
});

function readGoogle(env: Environment): Config['google'] {
  const clientId = env.text('GOOGLE_CLIENT_ID');
  const clientSecret = readSecret(env, 'GOOGLE_CLIENT_SECRET');
  const issuer = readUrl(env, 'GOOGLE_ISSUER', 'https://accounts.google.com');
  if (clientId !== null && clientSecret !== null) return { clientId, clientSecret, issuer };
  if (clientId === null && clientSecret === null) return null;
  env.report(clientId === null ? 'GOOGLE_CLIENT_ID' : 'GOOGLE_CLIENT_SECRET', null, {
    zh: 'GOOGLE_CLIENT_ID 与 GOOGLE_CLIENT_SECRET 需要同时设置',
    en: 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are needed together',
  });
  return null;
}

function readCaptcha(env: Environment): CaptchaSettings | null {
  const none = 'none';
  const choices = [...CAPTCHA_PROVIDERS, none] as const;
  const provider = env.read('CAPTCHA_PROVIDER', z.enum(choices), oneOf(CAPTCHA_PROVIDERS), none);
  const siteKey = env.text('CAPTCHA_SITE_KEY');
  const secret = readSecret(env, 'CAPTCHA_SECRET');
  const baseUrl = env.text('CAPTCHA_BASE_URL') && readUrl(env, 'CAPTCHA_BASE_URL', 'https://captcha.example');
  if (provider === none) return null;
  if (siteKey !== null && secret !== null) return { provider, siteKey, secret, baseUrl };
  env.report(siteKey === null ? 'CAPTCHA_SITE_KEY' : 'CAPTCHA_SECRET', null, {
    zh: '已设置 CAPTCHA_PROVIDER，因此需要 CAPTCHA_SITE_KEY 和 CAPTCHA_SECRET',
    en: 'CAPTCHA_PROVIDER is set, so CAPTCHA_SITE_KEY and CAPTCHA_SECRET are needed',
  });
  return null;
}

function readVerifiedEmailRequired(env: Environment, sendsMail: boolean): boolean {
  const choices = ['true', 'false'] as const;
  const required = env.read('VERIFIED_EMAIL_REQUIRED', z.enum(choices), oneOf(choices), 'false') === 'true';
  if (required && !sendsMail) {
    env.report('SMTP_URL', null, {
      zh: '已设置 VERIFIED_EMAIL_REQUIRED，因此需要能发邮件',
      en: 'VERIFIED_EMAIL_REQUIRED is set, so mail must be sent',
    });
  }
  return required;
}

const mailExpectation = { zh: '应为邮箱地址', en: 'give an e-mail address' };

function readMail(env: Environment, brand: Brand): Config['mail'] {
  const address = z.url({ protocol: /^smtps?$/ }).refine(isDecodable);
  const smtpUrl = env.secret('SMTP_URL', address, {
    zh: '应为邮件服务器地址，例如 smtps://用户:密码@主机:465，用户名和密码里的 % 要写成 %25',
    en: 'give the address of a mail server, such as smtps://user:password@host:465, with %25 for each % in user and password',
  });
  const from = env.text('MAIL_FROM') ?? `${brand.name} <${brand.supportEmail}>`;
  return smtpUrl === null ? null : { smtpUrl, from };
}

/** Whether each % of an address stands for a character, as the mailer reads its user and password. */
function isDecodable(address: string): boolean {
  try {
    return decodeURIComponent(address) !== '';
  } catch {
    return false;
  }
}

function readBrand(env: Environment): Brand {
  const slug = { zh: '应只含小写字母、数字和连字符', en: 'use lower-case letters, digits and hyphens' };
  return {
    ...DEFAULT_BRAND,
    name: env.text('BRAND_NAME') ?? DEFAULT_BRAND.name,
    nameZh: env.text('BRAND_NAME_ZH') ?? DEFAULT_BRAND.nameZh,
    slug: env.read('BRAND_SLUG', z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/), slug, DEFAULT_BRAND.slug),
    supportEmail: env.read('SUPPORT_EMAIL', z.email(), mailExpectation, DEFAULT_BRAND.supportEmail),
  };
}

/** The same object, which nothing can change any more, nor anything in it. */
function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) deepFreeze(part);
  }
  return Object.freeze(value);
}
