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
