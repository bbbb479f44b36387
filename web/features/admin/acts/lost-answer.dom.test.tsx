import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ActRequest } from '#contract/admin/acts.ts';
import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts';
import admin from '#i18n/en/admin.json' with { type: 'json' };
import common from '#i18n/en/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage, shown, type } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { ConfirmationDismissed } from '#web/features/accounts/confirmation/confirmation-dismissed.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { ActButton, ActsProvider } from './acts-provider.tsx';

const DICTIONARY = { ...common, admin };
const USERS = { a: '0197b7f0-0000-7000-8000-00000000000a', b: '0197b7f0-0000-7000-8000-00000000000b' };

/** The acts that came, in their order. */
let sent: ActRequest[];
/** What becomes of the next act; `lost`: it is done, and its answer is lost. */
let fate: 'done' | 'lost' | ErrorCode;
let previewFault: ErrorCode | null;
let previews: number;
let isDismissed: boolean;
let close: () => void;

beforeEach(async () => {
  [sent, fate, previewFault, previews, isDismissed] = [[], 'done', null, 0, false];
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  closePage();
  close();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const refuse = (code: ErrorCode) => {
    response.writeHead(ERROR_STATUS[code], { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code, params: { balance: 40, needed: 500 } } }));
  };
  if (request.url?.endsWith('/preview')) {
    previews += 1;
    if (previewFault) return refuse(previewFault);
    const effects = [{ what: 'balance', before: 40, after: 540 }];
    response.end(JSON.stringify({ effects, needsSecondOperator: false }));
    return;
  }
  const act = JSON.parse(Buffer.concat(pieces).toString()) as ActRequest;
  sent.push(act);
  if (fate === 'lost') response.destroy();
  else if (fate === 'done') response.end(JSON.stringify({ id: act.id, state: 'done' }));
  else refuse(fate);
}

/** The console as a page that was just loaded shows it. */
function load(): void {
  draw(
    <QueryClientProvider client={new QueryClient()}>
      <TranslationProvider language="en" dictionary={DICTIONARY}>
        <ActsProvider
          confirmed={(act) => (isDismissed ? Promise.reject(new ConfirmationDismissed()) : act())}
        >
          <ActButton act={{ act: 'grant', userId: USERS.a }} about={{ who: 'a' }} label="grant a" />
          <ActButton act={{ act: 'grant', userId: USERS.b }} about={{ who: 'b' }} label="grant b" />
          <ActButton act={{ act: 'take', userId: USERS.a }} about={{ who: 'a' }} label="take a" />
        </ActsProvider>
      </TranslationProvider>
    </QueryClientProvider>,
  );
}

const press = async (name: string) => (await find('button', name)).click();

async function fill(credits: string): Promise<void> {
  type(await find<HTMLInputElement>('dialog input[name=credits]'), credits);
  type(await find<HTMLTextAreaElement>('dialog textarea'), 'goodwill');
}

/** Presses what does it, as soon as that may be pressed. */
async function submit(): Promise<void> {
  const button = await vi.waitFor(() => {
    const [found] = all<HTMLButtonElement>('dialog button[type=submit]');
    if (!found || found.disabled) throw new Error('it may not be pressed');
    return found;
  }, PATIENT);
  button.click();
}

/** Sends what is in the dialog, and waits for the words that it is not known whether it was done. */
async function lose(): Promise<void> {
  fate = 'lost';
  await submit();
  await find('[role=alert]', admin.acts.unsure);
  fate = 'done';
}

test('an act without an answer goes on under its id after another one was opened', async () => {
  load();
  await press('grant a');
  await fill('500');
  await lose();
  await press(admin.acts.cancel);
  await press('grant b');
  await fill('7');
  await press(admin.acts.cancel);
  await press('grant a');
  expect((await find<HTMLInputElement>('dialog input[name=credits]')).value).toBe('500');
  await submit();
  await find('[role=status]', admin.acts.outcome.done);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

test('an act without an answer can be sent again where it can no longer be told in advance', async () => {
  load();
  await press('take a');
  await fill('500');
  await lose();
  document.body.replaceChildren();
  previewFault = 'insufficient_credits';
  const before = previews;
  load();
  await find('[role=alert]', admin.acts.unsure);
  await vi.waitFor(() => expect(previews).toBeGreaterThan(before), PATIENT);
  await vi.waitFor(() => expect(all('h3', admin.acts.preview)).toEqual([]), PATIENT);
  expect(shown()).not.toContain('Nothing was taken back');
  await submit();
  await find('[role=status]', admin.acts.outcome.done);
  expect(sent[1]).toEqual(sent[0]);
});

test.each(['dismissed', 'unauthenticated', 'rate_limited'] as const)(
  'an act without an answer is still without one when its repeat is %s',
  async (why) => {
    load();
    await press('grant a');
    await fill('500');
    await lose();
    isDismissed = why === 'dismissed';
    fate = why === 'dismissed' ? 'done' : why;
    await submit();
    await vi.waitFor(() => expect(all('dialog button[aria-busy=true]')).toEqual([]), PATIENT);
    await press(admin.acts.cancel);
    [isDismissed, fate] = [false, 'done'];
    await press('grant a');
    await submit();
    await find('[role=status]', admin.acts.outcome.done);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  },
);

test('an act that is refused once it was looked at begins again under another id', async () => {
  load();
  await press('take a');
  await fill('500');
  await lose();
  fate = 'insufficient_credits';
  await submit();
  await vi.waitFor(() => expect(sent).toHaveLength(2), PATIENT);
  await find('[role=alert]', 'Nothing was taken back');
  await press(admin.acts.cancel);
  fate = 'done';
  await press('take a');
  await fill('30');
  await submit();
  await find('[role=status]', admin.acts.outcome.done);
  expect(sent[2]?.id).not.toBe(sent[0]?.id);
});
