import { z } from 'zod';
import { isLoopbackIp } from './client-ip.ts';
import type { Environment } from './environment.ts';

/** Whether a host name, as `URL.hostname` or a socket has it, means this machine only. */
export function isLoopbackName(hostname: string): boolean {
  const bare = hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return /^(.+\.)?localhost$/.test(bare) || isLoopbackIp(bare);
}

/** Whether the URL points to this machine only. */
export function isLoopback(url: string): boolean {
  return isLoopbackName(new URL(url).hostname);
}

/**
 * The origin that users see. A server that listens beyond this machine or runs in production needs it: cookies, links in mails and who may
 * send changes go by it, and the default would be a guess.
 */
export function readPublicUrl(
  env: Environment,
  { host, port, production }: { host: string; port: number; production: boolean },
): string {
  const given = env.read('PUBLIC_URL', originSchema, originExpectation, null);
  const why = production ? 'NODE_ENV=production' : isLoopbackName(host) ? null : `HOST=${host}`;
  if (why !== null && env.text('PUBLIC_URL') === null) {
    env.report('PUBLIC_URL', null, {
      zh: `已设置 ${why}，因此需要用户访问的来源地址，例如 https://parley.example；只在本机访问时为 http://localhost:${port}`,
      en: `${why} is set, so give the origin that users see, such as https://parley.example, or http://localhost:${port} where only this machine does`,
    });
  }
  return given ?? `http://localhost:${port}`;
}

const originExpectation = {
  zh: '应为用户访问的来源地址，只含协议、主机和端口，例如 https://parley.example',
  en: 'give the origin that users see, without a path, such as https://parley.example',
};
const originSchema: z.ZodType<string | null> = z
  .string()
  .refine(isOrigin)
  .transform((text) => new URL(text).origin);

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
}

/** Origins a signed-in browser may send changes from: the one that users see, and both spellings of a loopback address. */
export function originsOf(publicUrl: string): string[] {
  if (!isLoopback(publicUrl)) return [publicUrl];
  const { protocol, port } = new URL(publicUrl);
  const both = ['localhost', '127.0.0.1'].map((host) => new URL(`${protocol}//${host}:${port}`).origin);
  return [...new Set([publicUrl, ...both])];
}
