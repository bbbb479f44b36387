import { request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Emulator } from '../http-server.ts';
import { Sights } from './sights.ts';
import { startSiteEmulator } from './site-emulator.ts';

let site: Emulator;
beforeAll(async () => {
  site = await startSiteEmulator({ port: 0, sights: new Sights() });
});
afterAll(() => site.close());

/** Asks a host of the site for a page; `form` is posted. */
function ask(host: string, path: string, form?: Record<string, string>) {
  const { port } = new URL(site.url);
  const method = form ? 'POST' : 'GET';
  const headers = { host: `${host}:${port}`, 'content-type': 'application/x-www-form-urlencoded' };
  return new Promise<{ status: number; location: string; body: string }>((resolve, reject) => {
    const asked = request({ port, path, method, headers }, async (response) => {
      const { statusCode: status = 0, headers: given } = response;
      resolve({ status, location: given.location ?? '', body: await readText(response) });
    });
    asked.on('error', reject).end(form ? new URLSearchParams(form).toString() : '');
  });
}

/** The cells of the tables of a page, by row. */
function rowsOf(body: string): string[][] {
  const [, ...rows] = body.split('<tr>');
  return rows.map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => cell));
}

test.each([
  ['zh', '杭州', '上海', '车次', '查询'],
  ['en', 'hangzhou', ' Shanghai ', 'Train', 'Search'],
])('in %s the timetable has the trains between two cities', async (language, from, to, head, button) => {
  const search = await ask('rail.test', `/${language}?visit=a`);
  expect(search.body).toContain(`<button>${button}</button>`);
  expect(rowsOf(search.body)).toEqual([]);
  const query = new URLSearchParams({ visit: 'a', from, to });
  const [first, ...trains] = rowsOf((await ask('rail.test', `/${language}?${query}`)).body);
  expect(first?.[0]).toBe(head);
  expect(trains).toHaveLength(8);
  for (const [number, leaves, arrives, , price] of trains)
    expect([number, leaves, arrives, price].join(' ')).toMatch(/^G\d{4} \d\d:\d\d \d\d:\d\d ¥\d+$/);
});

test.each([
  ['zh', '火星', '没有找到车次'],
  ['en', '<b>Mars', 'No trains found'],
])('in %s a city that is none finds no train, and is text', async (language, from, said) => {
  const query = new URLSearchParams({ visit: 'a', from, to: 'Beijing' });
  const { body } = await ask('rail.test', `/${language}?${query}`);
  expect(body).toContain(said);
  expect(body).not.toContain('<b>Mars');
  expect(rowsOf(body)).toEqual([]);
});

test.each([
  ['zh', 'library', '你预约的书到了', '12 月 5 日前'],
  ['en', 'landlord', 'Heating check on Thursday', 'at ten'],
])('in %s the mailbox lists its letters, and a letter opens', async (language, id, subject, words) => {
  const { body } = await ask('mail.test', `/${language}?visit=a`);
  expect(rowsOf(body)).toHaveLength(3);
  const [, link = ''] = new RegExp(`<a href="([^"]+)">${subject}</a>`).exec(body) ?? [];
  expect(link).toBe(`/${language}/letters/${id}?visit=a`);
  const letter = await ask('mail.test', link);
  expect(letter).toMatchObject({ status: 200, body: expect.stringContaining(words) });
  expect((await ask('mail.test', `/${language}/letters/none?visit=a`)).status).toBe(404);
});

test.each([
  ['zh', '订阅成功'],
  ['en', 'You are subscribed'],
])('in %s the form of the monthly letter goes to partner.test', async (language, done) => {
  const { body } = await ask('shop.test', `/${language}/letter?visit=a`);
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(body) ?? [];
  const { hostname, pathname, search } = new URL(action);
  expect({ hostname, pathname }).toEqual({ hostname: 'partner.test', pathname: `/${language}/subscribe` });
  const sent = await ask('partner.test', pathname + search, { email: '<i>a@b.test' });
  expect(sent.body).toContain(done);
  expect(sent.body).toContain('&lt;i&gt;a@b.test');
  expect((await ask('partner.test', pathname + search)).status).toBe(404);
});

test('an address without a language leads to one with it and the number of the visit', async () => {
  const { status, location } = await ask('rail.test', '/');
  expect({ status, location }).toEqual({
    status: 302,
    location: expect.stringMatching(/^\/en\?visit=\w{12}$/),
  });
});
