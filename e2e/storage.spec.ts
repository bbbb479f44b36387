import { expect, PASSWORD, test } from './visitor.ts';

test('nothing that lets somebody in is where a script of the page could read it', async ({
  visitor,
  page,
}) => {
  const me = visitor('zh');
  await me.signUp();
  await me.ask('/emulate max-tokens hello');
  await me.rest();
  const readable = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  const cookies = await page.context().cookies();
  const session = cookies.find(({ name }) => name.endsWith('session_token'));
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  for (const secret of [session?.value ?? '', decodeURIComponent(session?.value ?? ''), PASSWORD, me.email])
    expect([secret, readable.includes(secret)]).toEqual([secret, false]);
});
