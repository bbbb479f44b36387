import { afterEach, expect, test, vi } from 'vitest';
import { closePage, draw, find } from '#test/dom/page.ts';
import { useModule } from './use-module.ts';

afterEach(closePage);

const fallback = { name: 'plain' };
const load = vi.fn<() => Promise<{ name: string }>>();
const Named = () => <p>{useModule(true, load, fallback)?.name ?? 'none'}</p>;

test('what could not be fetched is stood in for, and fetched again where it is next wanted', async () => {
  load.mockRejectedValueOnce(new Error('offline')).mockResolvedValue({ name: 'whole' });
  draw(<Named />);
  await find('p', 'plain');
  closePage();
  draw(<Named />);
  await find('p', 'whole');
  expect(load).toHaveBeenCalledTimes(2);
});
