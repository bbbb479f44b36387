import type { Configuration } from 'openid-client';
import { HOUR_MS } from '#contract/time.ts';
import type { Config } from '#server/config.ts';

/** A Google account, as a signed ID token names it. */
export interface GoogleProfile {
  /** Google's own name of the account; it never changes. */
  sub: string;
  /** The email in lower case; null where Google names none. */
  email: string | null;
  emailVerified: boolean;
  /** The Workspace domain that the account belongs to, in lower case; null: none. */
  hostedDomain: string | null;
  name: string | undefined;
}

/** What an answer of Google's is checked against. */
export interface GoogleChecks {
  state: string;
  nonce: string;
  verifier: string;
}

const TIMEOUT_SECONDS = 10;
const DISCOVERY_FRESH_MS = HOUR_MS;

/** OpenID Connect with Google, found by discovery: code flow with PKCE, state and nonce; ID tokens by their signature. */
export class GoogleClient {
  private readonly settings: NonNullable<Config['google']>;
  private discovered: { configuration: Promise<Configuration>; until: number } | null = null;

  constructor(settings: NonNullable<Config['google']>) {
    this.settings = settings;
  }

  /** What a new sign-in is checked by. */
  async makeChecks(): Promise<GoogleChecks> {
    const { randomNonce, randomPKCECodeVerifier, randomState } = await import('openid-client');
    return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  }

  /** Google's page for a sign-in that comes back to `redirectUri`. Throws where Google cannot be reached. */
  async authorizationUrl(
    { state, nonce, verifier }: GoogleChecks,
    { redirectUri, language }: { redirectUri: string; language: string },
  ): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
    const url = buildAuthorizationUrl(await this.configuration(), {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      response_type: 'code',
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      prompt: 'select_account',
      ui_locales: language,
    });
    return url.href;
  }

  /** Redeems the code in the URL that Google sent the browser back to. Throws where anything about the answer is not as it must be. */
  async redeem(callback: URL, { state, nonce, verifier }: GoogleChecks): Promise<GoogleProfile> {
    const { authorizationCodeGrant } = await import('openid-client');
    const tokens = await authorizationCodeGrant(await this.configuration(), callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('Google sent no ID token');
    const { sub, email, email_verified, hd, name } = claims;
    return {
      sub,
      email: typeof email === 'string' ? email.trim().toLowerCase() : null,
      emailVerified: email_verified === true,
      hostedDomain: typeof hd === 'string' ? hd.trim().toLowerCase() : null,
      name: typeof name === 'string' ? name : undefined,
    };
  }

  private configuration(): Promise<Configuration> {
    const now = performance.now();
    if (this.discovered && this.discovered.until > now) return this.discovered.configuration;
    const configuration = this.discover();
    this.discovered = { configuration, until: now + DISCOVERY_FRESH_MS };
    configuration.catch(() => {
      if (this.discovered?.configuration === configuration) this.discovered = null;
    });
    return configuration;
  }

  private async discover(): Promise<Configuration> {
    const { allowInsecureRequests, ClientSecretPost, discovery, enableNonRepudiationChecks } = await import(
      'openid-client'
    );
    const { issuer, clientId, clientSecret } = this.settings;
    const url = new URL(issuer);
    const insecure = url.protocol === 'http:' ? [allowInsecureRequests] : [];
    return discovery(url, clientId, undefined, ClientSecretPost(clientSecret), {
      execute: [...insecure, enableNonRepudiationChecks],
      timeout: TIMEOUT_SECONDS,
    });
  }
}
