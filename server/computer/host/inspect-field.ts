import type { CDPSession, Protocol } from 'puppeteer-core';
import type { SecretField } from './typed-secrets.ts';

export type Field = 'password' | 'card' | 'code' | 'frame';

const WORLD = 'walls';
/** Characters of the content of a field that are read. */
const MAX_VALUE = 1_000;

/** Runs in a world of its own in the page, so that its scripts change nothing of what is seen here: which kind of secret an element takes. */
export const CLASSIFY = `function () {
  let element = this;
  if (element && element.nodeType !== 1) element = element.parentElement;
  if (!element) return 'none';
  if (element.localName === 'iframe' || element.localName === 'frame') return 'frame';
  const label = element.closest('label');
  const field = element.closest('input, textarea, select, [contenteditable]') ?? (label && label.control);
  if (!field) return 'none';
  const type = (field.getAttribute('type') ?? '').toLowerCase();
  if (field.localName === 'input' && /^(button|submit|reset|checkbox|radio|range|color|image|hidden)$/.test(type)) return 'none';
  const complete = (field.getAttribute('autocomplete') ?? '').toLowerCase();
  if (type === 'password' || field.type === 'password' || /(current|new)-password/.test(complete)) return 'password';
  if (getComputedStyle(field).webkitTextSecurity !== 'none') return 'password';
  if (/(^| )cc-/.test(complete)) return 'card';
  if (/one-time-code/.test(complete)) return 'code';
  const labels = field.labels ? [...field.labels].map((each) => each.textContent).join(' ') : '';
  const words = [field.name, field.id, field.placeholder, field.getAttribute('aria-label'), labels, label && label.textContent]
    .join(' ').slice(0, 500);
  if (/pass ?(word|code|phrase)|passwd|pwd|密码|口令/i.test(words)) return 'password';
  if (/card.{0,3}(num|no\\b)|credit.?card|cvv|cvc\\b|\\bcsc\\b|security.?code|expir(y|ation)|\\biban\\b|account.?(num|no\\b)|银行卡|信用卡|卡号|安全码|有效期/i.test(words)) return 'card';
  if (/\\botp\\b|verification.?code|one.?time|验证码|动态码/i.test(words)) return 'code';
  return 'none';
}`;

/** The content of a field. */
const READ_VALUE = `function () { return String(this.value ?? this.textContent ?? '').slice(0, ${MAX_VALUE}) }`;

/** The focused element of a document, by the interface's own getter: a page may name elements like properties. */
const FOCUS_OF_DOCUMENT = `Object.getOwnPropertyDescriptor(Document.prototype, 'activeElement').get.call(document)`;
const FOCUS_OF_SHADOW = 'function () { return this.activeElement }';
const MAX_DEPTH = 50;

/**
 * The kind of secret that the element at a point (pixels of the tab) takes; null for none. Throws where the element cannot be inspected.
 */
export async function inspectPoint(session: CDPSession, x: number, y: number): Promise<Field | null> {
  const at = await session
    .send('DOM.getNodeForLocation', {
      x: Math.floor(x),
      y: Math.floor(y),
      // A click passes through elements with `pointer-events: none` as well.
      ignorePointerEventsNone: false,
      includeUserAgentShadowDOM: false,
    })
    .catch((error: Error) => {
      if (error.message.includes('No node found')) return null;
      throw error;
    });
  if (at === null) return null;
  const { object } = await session.send('DOM.resolveNode', {
    backendNodeId: at.backendNodeId,
    executionContextId: await worldOf(session, at.frameId),
  });
  return classify(session, object);
}

/** The kind of secret that the focused element takes; null for none. Throws where the element cannot be inspected. */
export async function inspectFocus(session: CDPSession): Promise<Field | null> {
  const focus = await findFocus(session);
  return focus === null || focus === 'frame' ? focus : classify(session, focus);
}

/** The content of the focused field where it takes a secret, else null. Throws where the field cannot be inspected. */
export async function readSecretField(session: CDPSession): Promise<SecretField | null> {
  const focus = await findFocus(session);
  if (focus === null || focus === 'frame') return focus && { value: null };
  const field = await classify(session, focus);
  if (field === null || field === 'frame') return field && { value: null };
  const { objectId = '' } = focus;
  const read = { objectId, functionDeclaration: READ_VALUE, returnByValue: true };
  const found = foundIn(await session.send('Runtime.callFunctionOn', read));
  return { value: String(found.value) };
}

/**
 * The focused element, in all frames and shadow trees, closed ones included; `frame` where it is in a frame of another process. Throws
 * where it cannot be inspected.
 */
async function findFocus(session: CDPSession): Promise<Protocol.Runtime.RemoteObject | 'frame' | null> {
  const { frameTree } = await session.send('Page.getFrameTree');
  let world = await worldOf(session, frameTree.frame.id);
  let focus = await focusOfDocument(session, world);
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    if (focus === null) return null;
    const { node } = await session.send('DOM.describeNode', { objectId: focus, depth: 0 });
    const shadow = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType !== 'user-agent');
    if (node.localName === 'iframe' || node.localName === 'frame') {
      // A frame of another process is none of this session's.
      const inner = node.frameId && (await worldOf(session, node.frameId).catch(() => null));
      if (!inner) return 'frame';
      world = inner;
      focus = await focusOfDocument(session, world);
    } else if (shadow) {
      const inner = await focusOfShadow(session, world, shadow.backendNodeId);
      if (inner === null) return { type: 'object', objectId: focus };
      focus = inner;
    } else return { type: 'object', objectId: focus };
  }
  throw new Error('the focus lies too deep');
}

/** The id of our world in a frame. Throws for a frame of another process. */
export async function worldOf(session: CDPSession, frameId: string): Promise<number> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId,
    worldName: WORLD,
  });
  return executionContextId;
}

/** An object of the page's, by its id; null for no object. */
async function focusOfDocument(session: CDPSession, contextId: number): Promise<string | null> {
  const answer = await session.send('Runtime.evaluate', { expression: FOCUS_OF_DOCUMENT, contextId });
  return foundIn(answer).objectId ?? null;
}

async function focusOfShadow(
  session: CDPSession,
  executionContextId: number,
  backendNodeId: number,
): Promise<string | null> {
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId });
  const { objectId } = object;
  if (objectId === undefined) throw new Error('a shadow tree cannot be looked into');
  const answer = await session.send('Runtime.callFunctionOn', {
    objectId,
    functionDeclaration: FOCUS_OF_SHADOW,
  });
  return foundIn(answer).objectId ?? null;
}

async function classify(
  session: CDPSession,
  { objectId }: Protocol.Runtime.RemoteObject,
): Promise<Field | null> {
  if (objectId === undefined) throw new Error('an element cannot be looked into');
  const answer = await session.send('Runtime.callFunctionOn', {
    objectId,
    functionDeclaration: CLASSIFY,
    returnByValue: true,
  });
  const found = String(foundIn(answer).value);
  return found === 'password' || found === 'card' || found === 'code' || found === 'frame' ? found : null;
}

function foundIn(answer: Protocol.Runtime.CallFunctionOnResponse): Protocol.Runtime.RemoteObject {
  if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text);
  return answer.result;
}
