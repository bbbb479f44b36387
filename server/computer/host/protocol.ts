import { z } from 'zod';
import { offeredFileSchema } from '#contract/message/parts.ts';
import { pageTableSchema } from './read-page.ts';

/**
 * The messages between the server and the browser host: one JSON value a line, over the pipes of a child process or a socket. A request
 * has an `id` and is answered once; events come in between. A "site" is a registrable domain, or the name of a test host.
 */
export const PROTOCOL = 1;
/** Bytes of one line at most, in either direction. */
export const MAX_LINE = 8_388_608;
/** Milliseconds of silence before TCP keep-alive looks for the other side: a machine that loses power closes no connection. */
export const KEEP_ALIVE_MS = 30_000;
/** Browsers of one host at once, at most. */
export const MAX_RUNS = 64;
/** The pixels under the grid of a model, which has 0 to 999 in each direction. */
export const VIEWPORT = { width: 1440, height: 900 } as const;
export const GRID = 1_000;

const runId = z.string().min(1).max(64);
const site = z.string().min(1).max(253);
const askId = z.string().min(1).max(64);
const grid = z.number().min(0).max(GRID);
const viewport = z.strictObject({
  width: z.int().min(320).max(2_560),
  height: z.int().min(240).max(1_600),
});
const testHostsSchema = z.record(
  z.string().regex(/^[a-z0-9.-]+\.test$/),
  z.string().regex(/^[a-z0-9.-]+:\d{1,5}$/),
);

/** The texts that a user typed into fields that take a secret, since the last report. */
const secrets = z.array(z.string().max(1_000)).max(200).default([]);

/** The input of a user who has taken over; x and y on the grid, dx and dy in its units. */
export const inputSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('click'), x: grid, y: grid }),
  z.strictObject({ kind: z.literal('double_click'), x: grid, y: grid }),
  z.strictObject({ kind: z.literal('move'), x: grid, y: grid }),
  z.strictObject({
    kind: z.literal('scroll'),
    x: grid,
    y: grid,
    dx: z.number().min(-5_000).max(5_000),
    dy: z.number().min(-5_000).max(5_000),
  }),
  z.strictObject({ kind: z.literal('type'), text: z.string().min(1).max(4_000) }),
  z.strictObject({ kind: z.literal('key'), key: z.string().min(1).max(60) }),
]);

export const requestSchema = z.discriminatedUnion('op', [
  /** The first line on a socket. */
  z.strictObject({ id: z.int(), op: z.literal('hello'), token: z.string().max(512), protocol: z.int() }),
  /** Proves the walls, once; later calls answer what was found. */
  z.strictObject({ id: z.int(), op: z.literal('probe') }),
  z.strictObject({
    id: z.int(),
    op: z.literal('open'),
    runId,
    viewport: viewport.default(VIEWPORT),
    allowedSites: z.array(site).max(200),
    testHosts: testHostsSchema.default({}),
    language: z.enum(['zh', 'en']).default('en'),
  }),
  /** An action by its name in either vocabulary of Gemini, with its arguments as the model gave them. */
  z.strictObject({
    id: z.int(),
    op: z.literal('act'),
    runId,
    action: z.string().max(100),
    args: z.record(z.string(), z.unknown()),
  }),
  /** Lets a site be used from now on; with `askId` it answers that question with yes. */
  z.strictObject({ id: z.int(), op: z.literal('allow'), runId, site, askId: askId.optional() }),
  /** Answers a question with no. */
  z.strictObject({ id: z.int(), op: z.literal('deny'), runId, askId }),
  z.strictObject({ id: z.int(), op: z.literal('screencast'), runId, on: z.boolean() }),
  z.strictObject({ id: z.int(), op: z.literal('input'), runId, input: inputSchema }),
  /** The tables of the page as it is, bounded. */
  z.strictObject({ id: z.int(), op: z.literal('read'), runId }),
  z.strictObject({ id: z.int(), op: z.literal('close'), runId }),
]);

const askKind = z.enum(['new_site', 'sensitive_field', 'cross_site_form']);
/** Why an action was not carried out, or not to its end. */
const actError = z.enum([
  /** No action of this name. */
  'unsupported',
  'bad_arguments',
  /** The user refused; `denied` names what. */
  'denied',
  /** Refused by the rules: a URL that is not http(s), or a host that is not public. */
  'refused',
  /** The address could not be opened. */
  'unreachable',
  /** The page kept its process busy or showed dialogs without end; it was closed and the tab is empty. */
  'page_unresponsive',
  'page_crashed',
  'failed',
]);

export const actResultSchema = z.object({
  error: actError.nullable(),
  /** In plain English, for the model; empty without an error. */
  message: z.string(),
  denied: z.object({ kind: askKind, site: z.string() }).nullable(),
  /** Something of the action was done, whatever the error is; hosts of the version before do not say it. */
  done: z.boolean().default(false),
  /** The action touched a field that takes a secret: its typed text must not be stored. */
  sensitive: z.boolean().default(false),
  url: z.string().max(2_000),
  title: z.string(),
  /** A picture of the page afterwards, base64; null when it could not be drawn in time. */
  jpeg: z.string().nullable(),
  width: z.int(),
  height: z.int(),
  /** Dialogs of the page meanwhile. Each was answered: `alert` and `beforeunload` with yes, others with no. */
  dialogs: z.array(z.object({ kind: z.string(), text: z.string() })),
  /** Files that pages offered since the last act. */
  files: z.array(offeredFileSchema).max(20).default([]),
  secrets,
  /** Requests that were refused meanwhile because their site is not allowed, by site. */
  refused: z.record(z.string(), z.int()),
  ms: z.int(),
});

export const readResultSchema = z.object({
  url: z.string(),
  title: z.string(),
  tables: z.array(pageTableSchema),
  secrets,
});

/** Why a run ended: asked for, or broken, or beyond a bound. */
const closedReason = z.enum(['closed', 'browser_ended', 'memory', 'lifetime', 'host_ended']);

export const responseSchema = z.object({
  id: z.int(),
  result: z.unknown().optional(),
  error: z
    .object({
      /** `busy`: as many runs as there is room for; `off`: the walls are not proved. */
      code: z.enum(['busy', 'off', 'no_run', 'run_exists', 'bad_request', 'refused', 'failed']),
      message: z.string(),
    })
    .optional(),
});

export const eventSchema = z.discriminatedUnion('event', [
  /** `url`: of the page that is drawn; hosts of the version before do not say it. */
  z.object({ event: z.literal('frame'), runId, jpeg: z.string(), url: z.string().max(2_000).optional() }),
  /** The browser waits until `allow` or `deny` with this `askId`. `site` is where it wants to go, or where the field is. */
  z.object({
    event: z.literal('asked'),
    runId,
    askId,
    kind: askKind,
    site: z.string(),
    /** The URL of the page that wants to go there, or that has the field; empty for an action of the model. */
    from: z.string(),
    url: z.string(),
    /** Of `sensitive_field`: `password`, `card`, `code`, or `frame` for a field that cannot be looked into. */
    field: z.enum(['password', 'card', 'code', 'frame']).optional(),
  }),
  /** What was asked by this `askId` is over without an answer: its tab goes somewhere else. */
  z.object({ event: z.literal('withdrawn'), runId, askId }),
  z.object({ event: z.literal('closed'), runId, reason: closedReason, message: z.string() }),
]);

export type HostRequest = z.infer<typeof requestSchema>;
export type HostResponse = z.infer<typeof responseSchema>;
export type HostEvent = z.infer<typeof eventSchema>;
export type HostErrorCode = NonNullable<HostResponse['error']>['code'];
export type Asked = Extract<HostEvent, { event: 'asked' }>;
export type ClosedReason = z.infer<typeof closedReason>;
export type ActResult = z.infer<typeof actResultSchema>;
export type ActError = z.infer<typeof actError>;
export type ReadResult = z.infer<typeof readResultSchema>;
export type UserInput = z.infer<typeof inputSchema>;
export type OpenRequest = Extract<HostRequest, { op: 'open' }>;

/** A request of the host that it refused or could not carry out. */
export class HostFault extends Error {
  readonly code: HostErrorCode;
  constructor(code: HostErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
