import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { UserRecord } from '#contract/accounts.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage, shown } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { ConfirmationDialog } from '../confirmation/confirmation-dialog.tsx';
import { EmailSettings } from '../email/email-settings.tsx';
import { PasskeySettings } from '../passkeys/passkey-settings.tsx';
import { SecondFactorSettings } from '../second-factor/second-factor-settings.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { SecuritySettings } from './security-settings.tsx';
import { SessionList } from './session-list.tsx';
import { SignInList } from './sign-in-list.tsx';

const { twoFactor, signIns, passkeys, profile, leaving, email, google, dialog, chat } = en;

/** In place of a status: the answer does not come. */
const LOST = 0;

let server: Server;
let client: QueryClient;
/** What the server says, by method and path. */
let answers: Record<string, [status: number, body: object]>;
/** How often it was asked for each. */
let asked: Record<string, number>;

beforeEach(async () => {
  asked = {};
  answers = {
    'GET /api/auth/options': [200, { google: false }],
    'GET /api/me/passkeys': [200, { passkeys: [] }],
    'GET /api/me/second-factor': [200, { since: null, recoveryCodesLeft: 0 }],
    'GET /api/me/sign-ins': [200, { signIns: [] }],
  };
  server = createServer((request, response) => {
    const key = `${request.method} ${request.url}`;
    asked[key] = (asked[key] ?? 0) + 1;
    const [status, body] = answers[key] ?? [404, { error: { code: 'not_found' } }];
    if (status === LOST) return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(status === 204 ? undefined : JSON.stringify(body));
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

function show(node: ReactNode, path = '/profile/security') {
  client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  draw(
    <QueryClientProvider client={client}>
      <TranslationProvider language="en" dictionary={en}>
        <MemoryRouter initialEntries={[path]}>{node}</MemoryRouter>
      </TranslationProvider>
    </QueryClientProvider>,
  );
}

/** Whatever was to be drawn anew is, by then. */
const nextDrawing = () => new Promise((resolve) => setTimeout(resolve, 50));

const refusal = (code: string) => ({ error: { code } });
const isOn = (since: number) => {
  answers['GET /api/me/second-factor'] = [200, { since, recoveryCodesLeft: 10 }];
};

/** Opens the setting up; the answer to its code is lost, though the server did it at `since`. */
async function loseAnswer(button: string) {
  answers['POST /api/me/second-factor/enrolment'] = [
    201,
    { secret: 'ABCDEFGH', url: 'otpauth://totp/x?secret=ABCDEFGH' },
  ];
  answers['POST /api/me/second-factor'] = [409, refusal('conflict')];
  show(<SecondFactorSettings />);
  (await find('button', button)).click();
  (await find<HTMLInputElement>('input[name=code]')).value = '123456';
}

it('a second factor that is on, though its answer was lost, is said to be on when the code is sent again', async () => {
  await loseAnswer(twoFactor.turnOn);
  isOn(Date.now());
  (await find('dialog[open] button', twoFactor.enrolSubmit)).click();
  await find('[role=alert]', twoFactor.codesUnseen);
  expect(all('dialog[open]')).toEqual([]);
  await find('button', twoFactor.renew);
});

it('a second factor that is on, though its answer was lost, is said to be on when its user gives up', async () => {
  await loseAnswer(twoFactor.turnOn);
  isOn(Date.now());
  (await find('dialog[open] button', dialog.cancel)).click();
  await find('[role=alert]', twoFactor.codesUnseen);
  await find('button', twoFactor.renew);
});

it('a second factor that was not moved is said to be nothing else: its setup is over', async () => {
  isOn(1_000);
  await loseAnswer(twoFactor.move);
  (await find('dialog[open] button', twoFactor.enrolSubmit)).click();
  await vi.waitFor(() => expect(shown()).toContain(twoFactor.expired), PATIENT);
  (await find('dialog[open] button', dialog.cancel)).click();
  await vi.waitFor(() => expect(asked['GET /api/me/second-factor']).toBe(3), PATIENT);
  expect(shown()).not.toContain(twoFactor.codesUnseen);
});

it('recovery codes whose answer was lost are said to have ended the earlier ones perhaps', async () => {
  isOn(1_000);
  answers['POST /api/me/second-factor/recovery-codes'] = [LOST, {}];
  show(<SecondFactorSettings />);
  (await find('button', twoFactor.renew)).click();
  await find('[role=alert]', twoFactor.codesLost);
});

it('recovery codes that the browser does not copy, as over plain HTTP, are said in their dialog not to be copied', async () => {
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'clipboard');
  });
  isOn(1_000);
  answers['POST /api/me/second-factor/recovery-codes'] = [200, { recoveryCodes: ['abcd-efgh'] }];
  show(<SecondFactorSettings />);
  (await find('button', twoFactor.renew)).click();
  await find('dialog[open] li', 'abcd-efgh');
  (await find('dialog[open] button', twoFactor.copy)).click();
  await find('dialog[open] [role=alert]', chat.copyFailed);
});

it('a first password that is set already is said of the form, which asks for the current one then', async () => {
  show(<SecuritySettings />);
  await find('button', signIns.setPassword);
  for (const name of ['password', 'confirmation'])
    (await find<HTMLInputElement>(`input[name=${name}]`)).value = 'a long password';
  answers['POST /api/me/password'] = [401, refusal('invalid_credentials')];
  answers['GET /api/me/sign-ins'] = [200, { signIns: [{ id: null, provider: 'password', account: null }] }];
  (await find('button', signIns.setPassword)).click();
  await find('[role=alert]', signIns.passwordThere);
  await find('input[name=current]');
  expect(shown()).not.toContain(profile.wrongPassword);
});

it('beside their headings stands whether there is a second factor, and how many passkeys there are', async () => {
  isOn(1_000);
  const passkey = { id: 'one', name: 'Laptop', createdAt: 1_000, usedAt: null };
  answers['GET /api/me/passkeys'] = [200, { passkeys: [passkey] }];
  show(<SecuritySettings />);
  await find('#second-factor + p', twoFactor.on);
  await find('#passkeys + p', '1 passkey');
});

/** Draws the ways to log in of somebody who has a password, and opens its form. */
async function openPasswordForm() {
  const password = { id: null, provider: 'password', account: null };
  answers['GET /api/me/sign-ins'] = [200, { signIns: [password] }];
  show(<SignInList />);
  (await find('button', profile.changePassword)).click();
  const current = await find('input[name=current]');
  await vi.waitFor(() => expect(document.activeElement).toBe(current), PATIENT);
}

/** The form is gone, and the button that opens it is there again with the focus. */
async function expectClosed() {
  await vi.waitFor(() => expect(all('input[name=current]')).toEqual([]), PATIENT);
  const opener = await find('button', profile.changePassword);
  await vi.waitFor(() => expect(document.activeElement).toBe(opener), PATIENT);
}

it('the form of a password stands in the place of its button until its user turns back', async () => {
  await openPasswordForm();
  expect(all('button', profile.changePassword)).toHaveLength(1);
  (await find('form button', dialog.cancel)).click();
  await expectClosed();
});

async function changePassword() {
  for (const name of ['current', 'password', 'confirmation'])
    (await find<HTMLInputElement>(`input[name=${name}]`)).value = 'a long password';
  (await find('button', profile.changePassword)).click();
}

it('the form of a password closes once that is changed, and the row says so', async () => {
  await openPasswordForm();
  answers['POST /api/me/password'] = [204, {}];
  await changePassword();
  await find('[role=status]', profile.passwordChanged);
  await expectClosed();
});

it.each([
  ['lost', LOST, 'network'],
  ['refused: the session is over', 401, 'unauthenticated'],
])(
  'a password may be changed, and an account deleted, though the answer is %s',
  async (_name, status, code) => {
    await openPasswordForm();
    answers['POST /api/me/password'] = [status, refusal(code)];
    await changePassword();
    await find('[role=alert]', profile.passwordUnconfirmed);
    answers['POST /api/me/password'] = [401, refusal('invalid_credentials')];
    await changePassword();
    await vi.waitFor(() => expect(asked['POST /api/me/password']).toBe(2), PATIENT);
    await nextDrawing();
    expect(shown()).toContain(profile.passwordUnconfirmed);
    expect(shown()).not.toContain(profile.wrongPassword);

    const user = { email: 'ada@example.com', credits: 40, subscription: null } as unknown as UserRecord;
    show(<DeleteAccount user={user} onDeletion={() => {}} />);
    (await find('button', leaving.title)).click();
    answers['POST /api/me/delete'] = [status, refusal(code)];
    (await find<HTMLInputElement>('input[name=email]')).value = user.email;
    (await find('button', leaving.submit)).click();
    await find('[role=alert]', leaving.unconfirmed);
  },
);

it.each([
  [
    'the second factor',
    'GET /api/me/second-factor',
    <SecondFactorSettings key="factor" />,
    twoFactor.loadFailed,
  ],
  ['ways to log in', 'GET /api/me/sign-ins', <SignInList key="list" />, signIns.failed],
  ['devices', 'GET /api/sessions', <SessionList key="sessions" />, profile.sessionsFailed],
] as const)('%s stay on screen where they cannot be read again', async (_name, key, settings, text) => {
  const session = { id: 'one', userAgent: 'Firefox/140 (Windows)', address: null, usedAt: 0, current: true };
  answers['GET /api/sessions'] = [200, { sessions: [session] }];
  show(settings);
  await vi.waitFor(() => expect(shown()).not.toBe(''), PATIENT);
  await vi.waitFor(() => expect(client.isFetching()).toBe(0), PATIENT);
  const before = asked[key] ?? 0;
  answers[key] = [500, refusal('internal')];
  await client.refetchQueries();
  expect(asked[key]).toBeGreaterThan(before);
  const hasFailed = () =>
    client.getQueryCache().findAll({ predicate: ({ state }) => state.status === 'error' });
  await vi.waitFor(() => expect(hasFailed()).toHaveLength(1), PATIENT);
  await nextDrawing();
  expect(shown()).not.toContain(text);
});

it('a proof that is being typed stays where the ways to give it cannot be read again', async () => {
  answers['GET /api/me/confirm'] = [200, { methods: ['password'] }];
  show(<ConfirmationDialog open onConfirmed={() => {}} onDismiss={() => {}} />);
  const field = await find('input[name=password]');
  answers['GET /api/me/confirm'] = [500, refusal('internal')];
  await client.refetchQueries();
  await nextDrawing();
  expect(asked['GET /api/me/confirm']).toBe(2);
  expect(all('input[name=password]')[0]).toBe(field);
});

it('a device that is logged out already is gone, and nothing is wrong', async () => {
  const session = { id: 'one', userAgent: 'Firefox/140 (Windows)', address: null, usedAt: 0, current: false };
  answers['GET /api/sessions'] = [200, { sessions: [session] }];
  show(<SessionList />);
  const end = await find('button', 'Log out Firefox');
  answers['GET /api/sessions'] = [200, { sessions: [] }];
  end.focus();
  end.click();
  await vi.waitFor(() => expect(all('li')).toEqual([]), PATIENT);
  await vi.waitFor(() => expect(document.activeElement).toBe(all('ul')[0]), PATIENT);
  expect(shown()).not.toContain(profile.notSaved);
});

it('a Google account that is disconnected already is gone, and nothing is wrong', async () => {
  answers['GET /api/me/sign-ins'] = [
    200,
    { signIns: [{ id: 'one', provider: 'google', account: 'me@example.test' }] },
  ];
  show(<SignInList />);
  const end = await find('button', 'Disconnect me@example.test');
  answers['GET /api/me/sign-ins'] = [200, { signIns: [] }];
  end.click();
  await vi.waitFor(() => expect(shown()).not.toContain('me@example.test'), PATIENT);
  expect(shown()).not.toContain(profile.notSaved);
});

it('an address that was verified on another device is shown so once its mail is asked for', async () => {
  const state = { email: 'me@example.test', verified: false, mail: true, change: null };
  answers['GET /api/me/email'] = [200, state];
  answers['POST /api/me/email/verification'] = [409, refusal('email_already_verified')];
  show(<EmailSettings />);
  const send = await find('button', email.send);
  answers['GET /api/me/email'] = [200, { ...state, verified: true }];
  send.click();
  await vi.waitFor(() => expect(all('button', email.send)).toEqual([]), PATIENT);
  expect(shown()).toContain(email.verified);
});

it('a passkey that is deleted already is gone, and nothing is wrong', async () => {
  const passkey = { id: 'one', name: 'Laptop', createdAt: 1_000, usedAt: null };
  answers['GET /api/me/passkeys'] = [200, { passkeys: [passkey] }];
  show(<PasskeySettings />);
  (await find('li button', passkeys.delete)).click();
  const act = await find('dialog[open] button', passkeys.delete);
  answers['GET /api/me/passkeys'] = [200, { passkeys: [] }];
  act.click();
  await vi.waitFor(() => expect(all('li')).toEqual([]), PATIENT);
  await vi.waitFor(() => expect(all('dialog[open]')).toEqual([]), PATIENT);
  expect(shown()).not.toContain(passkeys.failed);
});

it.each([
  ['confirm', google.notYours],
  ['link', google.otherAccount],
])(
  'whoever comes back from Google, where they went to %s, reads what was wrong with that',
  async (purpose, text) => {
    show(<SignInList />, `/profile/security?google=other_account&purpose=${purpose}`);
    await find('[role=alert]', text);
  },
);
