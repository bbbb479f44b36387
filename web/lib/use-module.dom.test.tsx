import { afterEach, expect, test, vi } from 'vitest';
import { closePage, draw, find, openStillPage } from '#test/dom/page.ts';
import { useModule } from './use-module.ts';

afterEach(closePage);

const fallback = { name: 'plain' };

function Named({ load }: { load: () => Promise<{ name: string }> }) {
  return <p>{useModule(true, load, fallback)?.name ?? 'none'}</p>;
}

/** What loads code: not before it is made to. */
function loader() {
  const code = { isHere: false };
  const load = async () => {
    if (!code.isHere) throw new TypeError('Failed to fetch dynamically imported module');
    return { name: 'whole' };
  };
  return { code, load };
}

test('what could not be fetched is stood in for, and fetched again where it is next wanted', async () => {
  const { code, load } = loader();
  draw(<Named load={load} />);
  await find('p', 'plain');
  closePage();
  code.isHere = true;
  draw(<Named load={load} />);
  await find('p', 'whole');
});

test('what could not be fetched is fetched again while it is wanted', async () => {
  openStillPage();
  const { code, load } = loader();
  draw(<Named load={load} />);
  await find('p', 'plain');
  code.isHere = true;
  await vi.advanceTimersByTimeAsync(2_500);
  await find('p', 'whole');
});

test('what could not be fetched for long goes on being fetched', async () => {
  openStillPage();
  const { code, load } = loader();
  draw(<Named load={load} />);
  await vi.advanceTimersByTimeAsync(60_000);
  code.isHere = true;
  await vi.advanceTimersByTimeAsync(15_000);
  await find('p', 'whole');
});

test('what is no longer wanted is not fetched again', async () => {
  openStillPage();
  const load = vi.fn(async (): Promise<{ name: string }> => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  draw(<Named load={load} />);
  await vi.advanceTimersByTimeAsync(100);
  closePage();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(load).toHaveBeenCalledTimes(1);
});
