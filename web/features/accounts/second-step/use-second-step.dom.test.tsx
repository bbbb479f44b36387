import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MemoryRouter, useNavigate } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { all, closePage, draw, find, openPage } from '#test/dom/page.ts';
import { PATIENT } from '#test/patient.ts';
import { useSecondStep } from './use-second-step.ts';

const BACK = '/en/login?next=%2Fen%2Fchat&google=second_step';
let server: Server;
let isAway: boolean;

beforeEach(async () => {
  isAway = false;
  server = createServer((request, response) => {
    if (isAway) return void request.socket.destroy();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ twoFactor: true, methods: ['code'] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  closePage();
  server.closeAllConnections();
  server.close();
});

function Login() {
  const navigate = useNavigate();
  const { step, problem, leave } = useSecondStep();
  if (step)
    return (
      <button type="button" onClick={() => leave(false)}>
        Back
      </button>
    );
  return (
    <>
      <p>{problem}</p>
      <button type="button" onClick={() => void navigate(BACK, { replace: true })}>
        Google
      </button>
    </>
  );
}

it('Google leads to the second step again after its user went back from it', async () => {
  draw(
    <MemoryRouter initialEntries={['/en/login']}>
      <Login />
    </MemoryRouter>,
  );
  for (let times = 0; times < 2; times += 1) {
    (await find('button', 'Google')).click();
    (await find('button', 'Back')).click();
    await vi.waitFor(() => expect(all('button', 'Google')).toHaveLength(1), PATIENT);
  }
});

it('a second step that cannot be asked for is not said to be over', async () => {
  isAway = true;
  draw(
    <MemoryRouter initialEntries={[BACK]}>
      <Login />
    </MemoryRouter>,
  );
  await find('p', 'account.unreachable');
});
