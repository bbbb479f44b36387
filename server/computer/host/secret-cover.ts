import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { CLASSIFY, worldOf } from './inspect-field.ts';

/** Fields of the documents of one process that are looked at. */
const MAX_FIELDS = 2_000;
/** How long a frame of another process is looked into, before it is hidden as a whole. */
const FRAME_TIMEOUT_MS = 3_000;
/** In the search of the browser, which leads into all shadow trees, closed ones included. */
const FIELDS = ['<input>', '<textarea>', '<select>', 'contenteditable'];

/** Whether a field takes a secret, is not empty and is drawn in clear. */
const IS_CLEAR = `function () {
  if (this.nodeType !== 1 || !this.matches('input, textarea, select, [contenteditable]')) return false;
  if ((this.value ?? this.textContent) === '' && !this.validity?.badInput) return false;
  return getComputedStyle(this).webkitTextSecurity === 'none' && (${CLASSIFY}).call(this) !== 'none';
}`;
/** The changed elements of a frame, in our world; a page may name elements like properties, but not by a symbol. */
const COVERED = `globalThis[Symbol.for('covered')]`;
/** Gives an element these properties, and notes what was there. */
const CHANGE_STYLE = `(element, wanted) => {
  const { style } = element;
  const covered = (${COVERED} ??= new Map());
  if (!covered.has(element)) {
    const former = wanted.map(([name]) => [name, style.getPropertyValue(name), style.getPropertyPriority(name)]);
    const before = element.getAttribute('style');
    for (const [name, value] of wanted) style.setProperty(name, value, 'important');
    covered.set(element, { former, before, after: element.getAttribute('style') });
  }
  for (const [name, value] of wanted)
    if (getComputedStyle(element).getPropertyValue(name) !== value) throw new Error('an element cannot be covered');
}`;
const COVER = `function () {
  if ((${IS_CLEAR}).call(this)) (${CHANGE_STYLE})(this, [['-webkit-text-security', 'disc']]);
}`;
/** Not by `visibility`, which would take the focus out of the frame. */
const HIDE = `function () { (${CHANGE_STYLE})(this, [['transition-property', 'none'], ['opacity', '0']]) }`;
/** Puts the styles back as they were written, each before a transition could begin. */
const UNCOVER = `for (const [element, { former, before, after }] of ${COVERED} ?? []) {
  const isOurs = element.getAttribute('style') === after;
  for (const [name, value, priority] of former.reverse()) {
    element.style.setProperty(name, value, priority);
    getComputedStyle(element).getPropertyValue(name);
  }
  if (!isOurs || element.getAttribute('style') === before) continue;
  if (before === null) element.removeAttribute('style');
  else element.setAttribute('style', before);
}
${COVERED} = undefined`;

type NodeId = { nodeId: number } | { backendNodeId: number };

/** The worlds of ours in the frames of one process. */
interface Place {
  session: CDPSession;
  contextIds: number[];
}

/** Covers what stands in fields that take a secret, in all frames of a tab, while a picture is taken. */
export class SecretCover {
  readonly #tab: Place;
  readonly #attached: string[] = [];
  #isOver = false;

  constructor(session: CDPSession) {
    this.#tab = { session, contextIds: [] };
  }

  /** Draws the contents of the fields as dots. Throws where one may be left in clear; `lift` must be called in any case. */
  async put(): Promise<void> {
    const { session } = this.#tab;
    const frameIds = await this.#listFrames();
    const looked = Promise.all(frameIds.map((frameId) => this.#mayBeClear(frameId)));
    try {
      this.#tab.contextIds = await openWorlds(session);
      await Promise.all((await findFields(session)).map((field) => callOn(this.#tab, field, COVER)));
      await this.#hide(frameIds, await looked);
      const now = await this.#listFrames();
      if (now.some((frameId) => !frameIds.includes(frameId))) throw new Error('a frame has come meanwhile');
    } finally {
      await session.send('DOM.disable').catch(() => undefined);
      if (this.#isOver) await this.lift();
    }
  }

  /** Puts everything back, what a late `put` still covers too. Never rejects. */
  async lift(): Promise<void> {
    this.#isOver = true;
    const { session, contextIds } = this.#tab;
    const uncover = (contextId: number) =>
      session.send('Runtime.evaluate', { expression: UNCOVER, contextId });
    const detach = (sessionId: string) => session.send('Target.detachFromTarget', { sessionId });
    await Promise.allSettled([...contextIds.map(uncover), ...this.#attached.splice(0).map(detach)]);
  }

  /** The frames of other processes, by their ids, which are those of their targets. */
  async #listFrames(): Promise<string[]> {
    const { targetInfos } = await this.#tab.session.send('Target.getTargets');
    return targetInfos.filter(({ type }) => type === 'iframe').map(({ targetId }) => targetId);
  }

  /** Whether a frame of another process may show a secret in clear. Never rejects. */
  async #mayBeClear(frameId: string): Promise<boolean> {
    const late = sleep(FRAME_TIMEOUT_MS, true, { ref: false });
    return Promise.race([this.#isClear(frameId).catch(() => true), late]);
  }

  async #isClear(targetId: string): Promise<boolean> {
    const { session: tab } = this.#tab;
    const { sessionId } = await tab.send('Target.attachToTarget', { targetId, flatten: true });
    this.#attached.push(sessionId);
    const session = tab.connection()?.session(sessionId);
    if (!session) throw new Error('a frame is gone');
    const place = { session, contextIds: await openWorlds(session) };
    const fields = await findFields(session);
    return (await Promise.all(fields.map((field) => callOn(place, field, IS_CLEAR)))).includes(true);
  }

  /**
   * Hides the frames that may show a secret, in the document around them: dots of another process may be drawn too late for the picture.
   * One that lies deeper is hidden with all others.
   */
  async #hide(frameIds: readonly string[], mayBeClear: readonly boolean[]): Promise<void> {
    if (!mayBeClear.includes(true)) return;
    const ownerOf = (frameId: string) =>
      this.#tab.session.send('DOM.getFrameOwner', { frameId }).catch(() => null);
    const owners = await Promise.all(frameIds.map(ownerOf));
    const isDeep = owners.some((owner, n) => owner === null && mayBeClear[n]);
    const hidden = owners.filter((owner, n) => owner !== null && (isDeep || mayBeClear[n]));
    if (hidden.length === 0) throw new Error('a frame cannot be hidden');
    for (const owner of hidden)
      if (owner) await callOn(this.#tab, { backendNodeId: owner.backendNodeId }, HIDE);
  }
}

async function openWorlds(session: CDPSession): Promise<number[]> {
  const { frameTree } = await session.send('Page.getFrameTree');
  // A frame of another process is none of this session's.
  const opened = await Promise.all(framesIn(frameTree).map((id) => worldOf(session, id).catch(() => null)));
  return opened.filter((contextId) => contextId !== null);
}

function framesIn({ frame, childFrames = [] }: Protocol.Page.FrameTree): string[] {
  return [frame.id, ...childFrames.flatMap(framesIn)];
}

/** What may be a field, in all documents of one process. */
async function findFields(session: CDPSession): Promise<{ nodeId: number }[]> {
  await session.send('DOM.getDocument', { depth: 0 });
  const found: number[] = [];
  for (const query of FIELDS) {
    const { searchId, resultCount: toIndex } = await session.send('DOM.performSearch', { query });
    if (found.length + toIndex > MAX_FIELDS) throw new Error('a page has too many fields');
    if (toIndex === 0) continue;
    const range = { searchId, fromIndex: 0, toIndex };
    found.push(...(await session.send('DOM.getSearchResults', range)).nodeIds);
  }
  return found.map((nodeId) => ({ nodeId }));
}

/** What a function returns for a node, in the first world that may look into it. Throws where none may. */
async function callOn({ session, contextIds }: Place, node: NodeId, declaration: string): Promise<unknown> {
  for (const executionContextId of contextIds) {
    const resolve = session.send('DOM.resolveNode', { ...node, executionContextId });
    const objectId = (await resolve.catch(() => null))?.object.objectId;
    if (objectId === undefined) continue;
    const call = { objectId, functionDeclaration: declaration, returnByValue: true };
    const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', call);
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    await session.send('Runtime.releaseObject', { objectId });
    return result.value;
  }
  throw new Error('an element cannot be looked into');
}
