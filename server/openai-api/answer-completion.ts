import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { Language } from '#contract/choices.ts';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import { admitFollower } from '#server/chat/messages/follow-message.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import type { Deps } from '#server/deps.ts';
import { setHeader } from '#server/platform/http/set-header.ts';
import { cancelOnDisconnect } from './cancel-on-disconnect.ts';
import { followCompletion } from './follow-completion.ts';
import { listIgnored } from './list-api-models.ts';
import { type Completion, readIdempotencyKey, receiveCompletion } from './question/receive-completion.ts';
import { readCompletion } from './read-completion.ts';
import { type Caller, type SentCompletion, sendCompletion } from './send-completion.ts';
import { watchFeed } from './watch-feed.ts';

/**
 * Answers one request for a completion, streamed or whole. Nothing is sent before the answer says something, so that
 * whatever goes wrong until then is an ordinary HTTP error.
 */
export async function answerCompletion(
  deps: Deps,
  c: Context<HttpEnv>,
  caller: Caller,
  language: Language,
): Promise<Response> {
  const { outgoing } = c.env ?? {};
  if (outgoing) admitFollower(deps, caller.userId, outgoing);
  const { completion, signal, leave } = await receiveCompletion(deps, c, caller.userId);
  try {
    return await answerParsed(deps, c, { ...caller, signal }, { completion, language });
  } finally {
    // What it brought is in memory until its work is over, also where its caller has gone.
    if (outgoing && !outgoing.closed) outgoing.once('close', leave);
    else leave();
  }
}

async function answerParsed(
  deps: Deps,
  c: Context<HttpEnv>,
  caller: Caller,
  { completion, language }: { completion: Completion; language: Language },
): Promise<Response> {
  const { outgoing } = c.env ?? {};
  const sent = await sendCompletion(deps, caller, completion, readIdempotencyKey(c));
  const { feed, messageId } = sent;
  if (outgoing) cancelOnDisconnect(deps, { userId: caller.userId, messageId, feed }, outgoing);
  const release = feed.watch(() => {});
  try {
    setHeader(c, 'x-credits-quoted', sent.cost);
    setHeader(c, 'x-credits-charged', 0);
    await watchFeed(feed, completion.isStreamed ? 'piece' : 'end');
    sendIgnored(deps, c, completion);
    if (!completion.isStreamed || !outgoing) return await answerWhole(deps, c, caller, sent);
    if (feed.ending) await readCompletion(deps, caller.userId, messageId, feed);
    setHeader(c, 'x-credits-charged', sent.cost);
    sendRemaining(c, sent.balance ?? (await lookForBalance(deps, caller.userId)));
    const { model, includesUsage } = completion;
    const { userId } = caller;
    followCompletion(deps, { ...sent, userId, model, includesUsage, language }, outgoing);
    return RESPONSE_ALREADY_SENT;
  } finally {
    release();
  }
}

async function answerWhole(
  deps: Deps,
  c: Context<HttpEnv>,
  { userId }: Caller,
  { messageId, feed }: SentCompletion,
) {
  if (!feed.ending) await watchFeed(feed, 'end');
  const { charged, body } = await readCompletion(deps, userId, messageId, feed);
  setHeader(c, 'x-credits-charged', charged);
  sendRemaining(c, await lookForBalance(deps, userId));
  return c.body(body, 200, { 'content-type': 'application/json' });
}

/** The credits that are left; null where they cannot be read. An answer is charged by then: a refusal would have it charged again. */
function lookForBalance(deps: Deps, userId: string): Promise<number | null> {
  return readBalance(deps, userId).catch(() => null);
}

function sendRemaining(c: Context<HttpEnv>, balance: number | null) {
  if (balance !== null) setHeader(c, 'x-credits-remaining', balance);
}

/** Names the parameters that the model ignores in a header. */
function sendIgnored(
  { config }: Deps,
  c: Context<HttpEnv>,
  { model, question, ignored: unheeded }: Completion,
) {
  const given = [
    ...(question.temperature === undefined ? [] : ['temperature']),
    ...(question.topP === undefined ? [] : ['top_p']),
  ];
  const ignored = [...listIgnored(config, model, given), ...unheeded];
  if (ignored.length > 0) setHeader(c, 'x-ignored-parameters', ignored.join(', '));
}
