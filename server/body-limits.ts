import { MAX_WAYS } from '#contract/accounts.ts';
import { MAX_PICTURE_BYTES, MAX_PIECE, MEGABYTE } from '#contract/limits.ts';
import type { Config } from './config.ts';
import type { BodyLimits } from './platform/http/body-limit.ts';

/** JSON writes a UTF-16 code unit in six bytes at most. */
const BYTES_PER_UNIT = 6;
/** An id in a JSON array: 36 characters, quotes and a comma. */
const BYTES_PER_ID = 39;

/** 20 MiB of pictures and files in base64, and a megabyte of text. */
const API_BODY = 28 * MEGABYTE;

/** The routes that take more than the 4 kB of a form. The refusal of a prompt that is too long names its characters, not its bytes. */
export function bodyLimits({ limits, files }: Pick<Config, 'limits' | 'files'>): BodyLimits {
  const prompt = Math.max(MEGABYTE, limits.prompt * BYTES_PER_UNIT + 4_096);
  return [
    { path: /^\/api\/(messages|quotes)$/, bytes: prompt, nodes: 100 + files.perMessage },
    { path: /^\/api\/completions$|^\/v1\/(chat\/completions|quotes)$/, bytes: API_BODY, nodes: 8_000 },
    { path: /^\/api\/keys(\/[^/]+)?$/, bytes: 16_384, nodes: 500 },
    { path: /^\/api\/me\/(passkeys|confirm)$/, bytes: 65_536, nodes: 500 },
    { path: /^\/api\/auth\/(passkey|second-factor|second-factor\/passkey)$/, bytes: 65_536, nodes: 500 },
    { path: /^\/api\/auth\/reset-password$/, bytes: 4_096 + MAX_WAYS * BYTES_PER_ID, nodes: 500 },
    { path: /^\/api\/me\/picture$/, bytes: MAX_PICTURE_BYTES, nodes: 0, type: 'picture' },
    { path: /^\/api\/files\/[^/]+$/, bytes: MAX_PIECE, nodes: 0, type: 'piece' },
  ];
}
