import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { answerJson, type Emulator, startHttpServer } from '#emulators/http-server.ts';

const SECRET = 'captcha-secret';

export interface CaptchaEmulator extends Emulator {
  /** Settings of a product that uses it. */
  settings: Record<string, string>;
  /** A proof that is good once, as a solved question gives. */
  solve(): string;
  /** What it was asked, as it came. */
  asked: Record<string, string>[];
  /** How it answers from now on. */
  behave(how: 'well' | 'with a fault' | 'with nonsense' | 'never'): void;
}

/** Plays Turnstile: `POST /siteverify` as documented, and a script whose question is a button. */
export async function startCaptchaEmulator(): Promise<CaptchaEmulator> {
  const good = new Set<string>();
  const asked: Record<string, string>[] = [];
  let behaviour: Parameters<CaptchaEmulator['behave']>[0] = 'well';
  const solve = () => {
    const token = randomUUID();
    good.add(token);
    return token;
  };

  const server = await startHttpServer(0, async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://captcha');
    if (pathname === '/api.js') {
      response.writeHead(200, {
        'content-type': 'text/javascript',
        'cross-origin-resource-policy': 'cross-origin',
      });
      return void response.end(SCRIPT);
    }
    if (pathname === '/solve')
      return answerJson(response, 200, { token: solve() }, { 'access-control-allow-origin': '*' });
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    asked.push(form);
    if (behaviour === 'never') await wait(20_000, undefined, { ref: false });
    if (behaviour === 'with a fault') return answerJson(response, 500, {});
    if (behaviour === 'with nonsense') return void response.end('<html>');
    if (form.secret !== SECRET)
      return answerJson(response, 200, { success: false, 'error-codes': ['invalid-input-secret'] });
    const success = good.delete(form.response ?? '');
    answerJson(response, 200, { success, 'error-codes': success ? [] : ['timeout-or-duplicate'] });
  });

  return {
    ...server,
    settings: {
      CAPTCHA_PROVIDER: 'turnstile',
      CAPTCHA_SITE_KEY: 'captcha-site',
      CAPTCHA_SECRET: SECRET,
      CAPTCHA_BASE_URL: server.url,
    },
    solve,
    asked,
    behave: (how) => {
      behaviour = how;
    },
  };
}

const SCRIPT = `
const base = new URL(document.currentScript.src).origin;
window.turnstile = {
  render(place, { sitekey, callback }) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'human ' + sitekey;
    button.onclick = async () => callback((await (await fetch(base + '/solve')).json()).token);
    place.append(button);
    return 'one';
  },
  remove() {},
};`;
