import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { PATIENT } from '#test/patient.ts';
import { readAgain, readAgainIfReading } from './read-again.ts';

const KEY = ['number'];

/** A page that shows a number; each reading of it is answered when the test says so. */
function page() {
  const client = new QueryClient();
  const readings: ((value: number) => void)[] = [];
  const observer = new QueryObserver<number>(client, {
    queryKey: KEY,
    queryFn: ({ signal }) =>
      new Promise((answer, refuse) => {
        readings.push(answer);
        signal.addEventListener('abort', () => refuse(signal.reason));
      }),
  });
  observer.subscribe(() => {});
  const begun = (count: number) => vi.waitFor(() => expect(readings).toHaveLength(count), PATIENT);
  const shown = (value: number | undefined) =>
    vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(value), PATIENT);
  return { client, readings, begun, shown };
}

test('a first reading that began before the change is not shown', async () => {
  const { client, readings, begun, shown } = page();
  await begun(1);
  void readAgain(client, KEY);
  await begun(2);
  readings[0]?.(1);
  readings[1]?.(2);
  await shown(2);
});

test('neither is a later one, and what was known stays meanwhile', async () => {
  const { client, readings, begun, shown } = page();
  await begun(1);
  readings[0]?.(1);
  await shown(1);
  void client.invalidateQueries({ queryKey: KEY });
  await begun(2);
  client.setQueryData(KEY, 3);
  readAgainIfReading(client, KEY);
  await begun(3);
  readings[1]?.(1);
  await shown(3);
  readings[2]?.(4);
  await shown(4);
});

test('what is not being read is not read again', async () => {
  const { client, readings, begun, shown } = page();
  await begun(1);
  readings[0]?.(1);
  await shown(1);
  readAgainIfReading(client, KEY);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(readings).toHaveLength(1);
});
