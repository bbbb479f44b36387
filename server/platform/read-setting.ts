import { z } from 'zod';
import type { Environment } from './environment.ts';

/** Domains with commas between them. */
export function readDomains(env: Environment, name: string): string[] {
  const domains = z
    .string()
    .toLowerCase()
    .transform((text) => text.split(',').map((each) => each.trim()))
    .pipe(z.array(z.hostname()));
  const expected = {
    zh: '应为用英文逗号分开的域名，例如 school.example,company.example',
    en: 'give domains with commas between them, such as school.example,company.example',
  };
  return env.read(name, domains, expected, []);
}

/** A whole number within bounds. */
export function readWhole(
  env: Environment,
  name: string,
  min: number,
  max: number,
  fallback: number,
): number {
  const schema = z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));
  const expected = { zh: `应为 ${min} 到 ${max} 的整数`, en: `give a whole number from ${min} to ${max}` };
  return env.read(name, schema, expected, fallback);
}

/** An absolute http(s) URL, without a slash at its end. */
export function readUrl(env: Environment, name: string, fallback: string): string {
  const schema = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));
  const expected = {
    zh: `应为 http 或 https 地址，例如 ${fallback}`,
    en: `give an http or https URL, such as ${fallback}`,
  };
  return env.read(name, schema, expected, fallback);
}

/**
 * Names for tests and for trying a product offline, with the ports of this machine that they stand for: `shop.test=127.0.0.1:4000,…`.
 * Refused on a public address: they would open this machine to every user.
 */
export function readTestHosts(env: Environment, name: string, isPublic: boolean): Record<string, string> {
  const pair = z.string().regex(/^[a-z0-9.-]+\.test=[a-z0-9.-]+:\d{1,5}$/);
  const pairs = z
    .string()
    .transform((text) => text.split(',').map((each) => each.trim()))
    .pipe(isPublic ? z.array(pair).max(0) : z.array(pair));
  const expected = {
    zh: '仅用于测试和离线体验，公开地址上必须留空；例如 shop.test=127.0.0.1:4000',
    en: 'for tests and trying it offline, empty on a public address; such as shop.test=127.0.0.1:4000',
  };
  const given = env.read(name, pairs, expected, []);
  return Object.fromEntries(given.map((each) => each.split('=')));
}

/** A secret without blanks, of at least `minimum` characters; null when it is missing. */
export function readSecret(env: Environment, name: string, minimum = 1): string | null {
  return env.secret(name, z.string().min(minimum).regex(/^\S+$/), {
    zh: `应为不含空白的值，至少 ${minimum} 个字符`,
    en: `give a value without blanks, at least ${minimum} characters`,
  });
}

/** What is expected of a setting with few values. */
export function oneOf(values: readonly string[]) {
  return { zh: `应为 ${values.join('、')} 之一`, en: `use one of ${values.join(', ')}` };
}
