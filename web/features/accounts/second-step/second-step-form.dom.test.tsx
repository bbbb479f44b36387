import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { all, closePage, draw, find, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { TranslationProvider } from '#web/lib/i18n.tsx';
import { OneAtATime } from '../form/one-at-a-time.tsx';
import { SecondStepForm } from './second-step-form.tsx';

let server: Server;
let refuse: (() => void) | undefined;

beforeEach(async () => {
  server = createServer((_, response) => {
    refuse = () => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code: 'code_invalid' } }));
    };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  closePage();
  server.closeAllConnections();
  server.close();
});

const disabled = () => all<HTMLButtonElement>('button').map((button) => button.disabled);

it('while a code is on its way no other button of the second step can be pressed', async () => {
  draw(
    <MemoryRouter initialEntries={['/zh/login']}>
      <TranslationProvider language="zh" dictionary={zh}>
        <QueryClientProvider client={new QueryClient()}>
          <OneAtATime>
            <SecondStepForm step={{ twoFactor: true, methods: ['code'] }} onBack={() => {}} />
          </OneAtATime>
        </QueryClientProvider>
      </TranslationProvider>
    </MemoryRouter>,
  );
  const submit = await find('button[type=submit]', zh.secondStep.submit);
  (await find<HTMLInputElement>('input[name=code]')).value = '123456';
  await vi.waitFor(() => expect(disabled()).toEqual([false, false, false]), PATIENT);
  submit.click();
  await vi.waitFor(() => expect(refuse).toBeDefined(), PATIENT);
  expect(disabled().slice(1)).toEqual([true, true]);
  refuse?.();
  await vi.waitFor(() => expect(disabled()).toEqual([false, false, false]), PATIENT);
});
