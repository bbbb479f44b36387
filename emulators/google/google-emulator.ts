import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { answerJson, type Emulator, readJson, startHttpServer } from '../http-server.ts';
import { languageOf, readForm } from '../payments/page.ts';
import { answerChooser } from './chooser-page.ts';
import { GoogleFaults } from './google-faults.ts';
import { KnownPeople, personOf } from './people.ts';

/**
 * Signing in with Google, spoken by a maintained OpenID provider over people of our own; nothing outlives the process. Faults are
 * asked for at `POST /__control/fault` (`kind`, `times`, `ms`), and forgotten by `DELETE /__control`.
 */
export async function startGoogleEmulator({ port }: { port: number }): Promise<Emulator> {
  const faults = new GoogleFaults();
  const people = new KnownPeople();
  const { promise, resolve } = Promise.withResolvers<Provider>();

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://google');
    const provider = await promise;
    if (url.pathname.startsWith('/__control')) return control(request, response, url.pathname);
    if (url.pathname.startsWith('/interaction/')) return interact(provider, request, response, url);
    if (url.pathname === '/token') {
      await faults.delay();
      if (faults.take('http-500')) return answerJson(response, 500, { error: 'internal_failure' });
    }
    if (url.pathname === '/auth' && url.searchParams.has('nonce') && faults.take('wrong-nonce')) {
      url.searchParams.set('nonce', 'another');
      request.url = url.pathname + url.search;
    }
    await provider.callback()(request, response);
  }

  async function control(request: IncomingMessage, response: ServerResponse, path: string) {
    try {
      if (request.method === 'DELETE') return answerJson(response, 200, faults.clear());
      if (`${request.method} ${path}` !== 'POST /__control/fault')
        return answerJson(response, 404, { error: 'no such control' });
      answerJson(response, 200, faults.add(await readJson(request)));
    } catch (error) {
      answerJson(response, 400, { error: String(error) });
    }
  }

  async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse, url: URL) {
    const { params } = await provider.interactionDetails(request, response);
    if (params.ui_locales) url.searchParams.set('lang', String(params.ui_locales));
    if (request.method !== 'POST') return answerChooser(response, languageOf(request, url, null));
    const answer = faults.take('error') ? { error: 'server_error' } : choose(await readForm(request));
    await provider.interactionFinished(request, response, answer, { mergeWithLastSubmission: false });
  }

  function choose(form: URLSearchParams) {
    const email = form.get('email') ?? '';
    const isHosted = form.get('mailbox') !== 'elsewhere';
    const entered =
      email && personOf(email, form.get('name') || email, form.get('verified') !== 'false', isHosted);
    const person = entered || people.find(form.get('sub') ?? '');
    if (form.get('act') === 'cancel' || !person) return { error: 'access_denied' };
    people.remember(person);
    return { login: { accountId: person.sub }, select_account: {} };
  }

  const server = await startHttpServer(port, handle);
  const { createOpenidProvider } = await import('./create-openid-provider.ts');
  resolve(await createOpenidProvider(server.url, people, faults));
  return server;
}
