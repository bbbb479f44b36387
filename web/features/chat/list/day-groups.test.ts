import { expect, test } from 'vitest';
import type { Conversation } from '#contract/chat.ts';
import type { Language } from '#contract/choices.ts';
import { groupByDay, monthName } from './day-groups.ts';

const NOW = new Date(2026, 10, 21, 9, 30).getTime();

function conversation(id: string, updatedAt: Date, pinnedAt: number | null = null): Conversation {
  return {
    id,
    title: id,
    createdAt: 0,
    updatedAt: updatedAt.getTime(),
    pinnedAt,
    archivedAt: null,
    temporary: false,
  };
}

const kinds = (conversations: Conversation[]) =>
  groupByDay(conversations, NOW).map(({ kind, conversations: group }) => [kind, group.map(({ id }) => id)]);

test('midnight parts today from yesterday, and the eighth day from the week', () => {
  expect(
    kinds([
      conversation('this morning', new Date(2026, 10, 21, 0, 0)),
      conversation('last night', new Date(2026, 10, 20, 23, 59)),
      conversation('the day before', new Date(2026, 10, 19, 12)),
      conversation('a week ago', new Date(2026, 10, 14, 0, 0)),
      conversation('eight days ago', new Date(2026, 10, 13, 23, 59)),
    ]),
  ).toEqual([
    ['today', ['this morning']],
    ['yesterday', ['last night']],
    ['week', ['the day before', 'a week ago']],
    ['month', ['eight days ago']],
  ]);
});

test('pinned ones stand apart, whatever their day', () => {
  expect(
    kinds([conversation('old', new Date(2024, 1, 1), 5), conversation('new', new Date(2026, 10, 21, 8))]),
  ).toEqual([
    ['pinned', ['old']],
    ['today', ['new']],
  ]);
});

test('each month is a group of its own, and one of another year says so in either language', () => {
  const groups = groupByDay(
    [
      conversation('October', new Date(2026, 9, 30)),
      conversation('October too', new Date(2026, 9, 1)),
      conversation('last year', new Date(2025, 9, 9)),
    ],
    NOW,
  );
  expect(groups.map(({ conversations }) => conversations.length)).toEqual([2, 1]);
  const names = (language: Language) =>
    groups.map(({ month }) => monthName(month ?? 0, NOW, language).replace(/\s/g, ' '));
  expect(names('zh')).toEqual(['10 月', '2025 年 10 月']);
  expect(names('en')).toEqual(['October', 'October 2025']);
});

test('nothing has no groups', () => {
  expect(groupByDay([], NOW)).toEqual([]);
});
