import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Message } from '#contract/chat.ts';
import {
  clearMarks,
  deleteMark,
  markOf,
  putRunning,
  runningQuery,
  withRunning,
} from './conversation-marks.ts';

const answer = (status: Message['status'], id = 'm') => ({ id, conversationId: 'c', status }) as Message;

test('what ran and runs no more has ended, what runs now is running', () => {
  const marks = withRunning({ a: 'running', b: 'running', c: 'ended' }, new Set(['b', 'd']));
  expect(marks).toEqual({ a: 'ended', b: 'running', c: 'ended', d: 'running' });
});

test('a conversation is running until its last answer ends, and unseen from then on', () => {
  clearMarks();
  const client = new QueryClient();
  client.setQueryData(runningQuery.queryKey, { running: [] });
  putRunning(client, answer('running', 'first'));
  putRunning(client, answer('running', 'second'));
  putRunning(client, answer('completed', 'first'));
  expect(markOf('c')).toBe('running');
  putRunning(client, answer('failed', 'second'));
  expect(markOf('c')).toBe('ended');
  deleteMark('c');
  expect(markOf('c')).toBe(null);
});

test('an answer that its reader stopped needs no mark, nor does news of one that was seen', () => {
  clearMarks();
  const client = new QueryClient();
  putRunning(client, answer('running'));
  putRunning(client, answer('stopped'));
  expect(markOf('c')).toBe(null);
  putRunning(client, answer('completed'));
  expect(markOf('c')).toBe(null);
});
