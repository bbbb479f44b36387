import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { NoticeOffer } from '#contract/accounts.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage, shown } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import ConfirmEmailPage from './confirm-email.tsx';
import DisownPage from './not-me.tsx';
import SignInLinkPage from './sign-in-link.tsx';
import VerifyEmailPage from './verify-email.tsx';

const { account, confirmation, confirmEmail, disown, verify } = en;
const EMAIL = 'me@example.test';
const OFFER: NoticeOffer = { email: EMAIL, named: null, everything: false, secondFactorStays: false };

let server: Server;
let client: QueryClient;
/** What the server says, by path; the answer to anything else is lost. */
let answers: Record<string, [status: number, body: object | null]>;
/** How often it was asked, by path. */
let asked: Record<string, number>;

beforeEach(async () => {
  asked = {};
  answers = { '/api/auth/get-session': [200, null], '/api/auth/disown-notice/offer': [200, OFFER] };
  server = createServer((request, response) => {
    const path = request.url ?? '';
    asked[path] = (asked[path] ?? 0) + 1;
    const answer = answers[path];
    if (!answer) return void request.socket.destroy();
    const [status, body] = answer;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  closePage();
  client.clear();
  server.closeAllConnections();
  server.close();
});

/** Opens the link of a mail. */
function open(path: string, Page: ComponentType): void {
  client = new QueryClient();
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language="en" dictionary={en}>
        <MemoryRouter initialEntries={[`${path}#token=x`]}>
          <Page />
        </MemoryRouter>
      </TranslationProvider>
    </QueryClientProvider>,
  );
}

it.each([
  ['verifies an address', '/verify-email', VerifyEmailPage, null],
  ['lets a browser log in', '/sign-in-link', SignInLinkPage, null],
  ['changes an address', '/confirm-email', ConfirmEmailPage, confirmEmail.confirm],
  ['takes an account back', '/not-me', DisownPage, disown.submit],
] as const)('a link that %s is not said to fail where its answer is lost', async (_, path, Page, act) => {
  open(path, Page);
  if (act !== null) (await find('button', act)).click();
  await find('[role=alert]', account.unreachable);
  expect(shown()).not.toContain(disown.failed);
});

const refusal = (code: string) => ({ error: { code, params: { email: EMAIL } } });

/** Gives the password that a link asks for; the link is refused then. */
async function givePassword(path: string, code: string): Promise<void> {
  (await find<HTMLInputElement>('input[name=password]')).value = 'a long password';
  answers[path] = [400, refusal(code)];
  (await find('button', confirmation.submit)).click();
}

it('a link that verified the address elsewhere while a password was typed has done so', async () => {
  const path = '/api/auth/verify-email';
  answers[path] = [403, refusal('link_needs_account')];
  open('/verify-email', VerifyEmailPage);
  await givePassword(path, 'email_already_verified');
  await find('[role=status]', verify.already);
});

it('a password that is being typed stays when its user has looked at another tab', async () => {
  const path = '/api/auth/verify-email';
  answers[path] = [403, refusal('link_needs_account')];
  open('/verify-email', VerifyEmailPage);
  const field = await find<HTMLInputElement>('input[name=password]');
  focusManager.onFocus();
  await vi.waitFor(() => expect(asked[path]).toBe(2), PATIENT);
  await vi.waitFor(() => expect(client.isFetching()).toBe(0), PATIENT);
  await find('input[name=password]');
  expect(all('input[name=password]')[0]).toBe(field);
});

it.each([
  ['email_link_invalid', confirmEmail.invalid],
  ['email_taken', confirmEmail.taken],
] as const)('a change of address that is refused with %s after its password says why', async (code, text) => {
  const path = '/api/auth/confirm-email-change';
  answers[path] = [403, refusal('link_needs_account')];
  open('/confirm-email', ConfirmEmailPage);
  (await find('button', confirmEmail.confirm)).click();
  await givePassword(path, code);
  await find('[role=alert]', text);
});
