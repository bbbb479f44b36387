import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { connect } from 'puppeteer-core';
import { expect, it, vi } from 'vitest';
import { transportOf } from './launch-browser.ts';

it.each(['garbage', 'null', '{"id":', '{"method":"Target.attachedToTarget"}'])(
  'a browser that says %j is killed, and nothing else ends',
  async (said) => {
    const input = new PassThrough();
    const kill = vi.fn(() => true);
    const child = Object.assign(new EventEmitter(), {
      ...{ stdio: [null, null, null, new PassThrough(), input], kill },
    });
    const transport = transportOf(child as unknown as ChildProcess);
    void connect({ transport, defaultViewport: null }).catch(() => undefined);
    input.write(`${said}\0`);
    await vi.waitFor(() => expect(kill).toHaveBeenCalledWith('SIGKILL'));
    child.emit('close');
  },
);
