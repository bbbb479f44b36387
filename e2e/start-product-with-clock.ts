import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test as base } from './visitor.ts';

/** A product of its own, with its payment providers, whose time is moved. */
export interface ProductWithClock {
  url: string;
  creem: string;
  bagelpay: string;
  /** The page that shows the mails it sent. */
  mailbox: string;
  dataDir: string;
  /** What time it is there. */
  now(): Promise<number>;
  /** Moves everybody's time forward; what falls due on the way is done at its time. */
  moveTo(ms: number): Promise<void>;
  /** The same, by so many days from where it stands: others may have moved it before. */
  moveBy(days: number): Promise<void>;
}

/** Starts one with further settings; `stop` ends it and its stand-ins. */
export async function startProductWithClock(
  settings: Record<string, string> = {},
): Promise<ProductWithClock & { stop(): Promise<void> }> {
  const env = { PASSWORD_HASH_MEMORY_KIB: '8', ...process.env, ...settings };
  const child = spawn(process.execPath, ['test/product-with-clock.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => Promise.reject(new Error('the product ended before it was ready'))),
  ]);
  const { control, ...urls } = JSON.parse(String(line)) as Omit<
    ProductWithClock,
    'now' | 'moveTo' | 'moveBy'
  > & {
    control: string;
  };
  const move = async (target: { to: number } | { days: number }) => {
    const response = await fetch(control, { method: 'POST', body: JSON.stringify(target) });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { now: number }).now;
  };
  return {
    ...urls,
    now: () => move({ days: 0 }),
    moveTo: async (ms) => void (await move({ to: ms })),
    moveBy: async (days) => void (await move({ days })),
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

/** A test whose visitors come to a product with a clock that moves; each worker has one. */
export const test = base.extend<object, { product: ProductWithClock }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what the fixture needs.
    async ({}, use) => {
      const product = await startProductWithClock();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
});
