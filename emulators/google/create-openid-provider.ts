import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import Provider, { type Configuration, interactionPolicy } from 'oidc-provider';
import type { GoogleFaults } from './google-faults.ts';
import { memoryAdapter } from './memory-adapter.ts';
import type { KnownPeople } from './people.ts';
import { CLIENT } from './registered-client.ts';

/** An OpenID provider that behaves as Google's does: claims in the ID token, no consent page, PKCE taken and not required. */
export async function createOpenidProvider(
  issuer: string,
  people: KnownPeople,
  faults: GoogleFaults,
): Promise<Provider> {
  const provider = new Provider(issuer, await settings(people));
  provider.Client.prototype.redirectUriAllowed = isOnThisMachine;
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path !== '/token' || !isTokenAnswer(ctx.body)) return;
    if (faults.take('bad-signature')) ctx.body.id_token = spoil(ctx.body.id_token);
  });
  return provider;
}

async function settings(people: KnownPeople): Promise<Configuration> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  return {
    adapter: memoryAdapter(),
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: ['http://localhost/'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'emulator', use: 'sig', alg: 'RS256' } as never],
    },
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'hd'], profile: ['name', 'picture'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['emulator'] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { policy, url: (_ctx, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => false },
    ttl: {
      AuthorizationCode: 60,
      IdToken: 3600,
      AccessToken: 3600,
      Interaction: 3600,
      Session: 86_400,
      Grant: 86_400,
    },
    clientBasedCORS: () => false,
    findAccount: (_ctx, sub) => {
      const person = people.find(sub);
      return person && { accountId: sub, claims: () => ({ ...person }) };
    },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    renderError: (ctx, out) => {
      ctx.type = 'text/plain';
      ctx.body = `${out.error}: ${out.error_description ?? ''}`;
    },
  };
}

function isOnThisMachine(uri: string): boolean {
  const url = URL.parse(uri);
  return url !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
}

function isTokenAnswer(body: unknown): body is { id_token: string } {
  return typeof body === 'object' && body !== null && 'id_token' in body && typeof body.id_token === 'string';
}

/** The token with another signature. */
function spoil(token: string): string {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const other = signature.startsWith('A') ? 'B' : 'A';
  return [head, payload, other + signature.slice(1)].join('.');
}
