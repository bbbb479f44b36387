import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test as base } from './visitor.ts';

/** A product of its own, with its payment providers, whose time is moved. */
export interface MovedProduct {
  url: string;
  creem: string;
  bagelpay: string;
  /** Moves everybody's time forward; what falls due on the way is done at its time. */
  moveTo(ms: number): Promise<void>;
}

async function startMovedProduct(): Promise<MovedProduct & { stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['test/moved-product.ts'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => Promise.reject(new Error('the product ended before it was ready'))),
  ]);
  const { control, ...urls } = JSON.parse(String(line)) as Omit<MovedProduct, 'moveTo'> & { control: string };
  return {
    ...urls,
    async moveTo(ms) {
      const response = await fetch(control, { method: 'POST', body: JSON.stringify({ to: ms }) });
      if (!response.ok) throw new Error(await response.text());
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

/** A test whose visitors come to a product with a clock that moves; each worker has one. */
export const test = base.extend<object, { product: MovedProduct }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what the fixture needs.
    async ({}, use) => {
      const product = await startMovedProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
});
