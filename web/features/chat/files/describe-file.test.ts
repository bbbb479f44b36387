import { expect, it } from 'vitest';
import type { FileInfo } from '#contract/message/files.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { createTranslate } from '#web/lib/translate.ts';
import { describeFile } from './describe-file.ts';

const KB = 1_024;
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

function infoOf(change: Partial<FileInfo>): FileInfo {
  const nothing = { pages: null, tokens: null, width: null, height: null, keepsPlace: false };
  return { ...nothing, bytes: 12 * KB, type: 'text/plain', hasText: true, ...change } as FileInfo;
}

it.each<[string, Partial<FileInfo>, string, string]>([
  [
    'a PDF',
    { type: 'application/pdf', pages: 12, tokens: 6_720 },
    '12 页 · 6.7K tokens',
    '12 pages · 6.7K tokens',
  ],
  [
    'a scan of a page',
    { type: 'application/pdf', pages: 1, tokens: 560, hasText: false },
    '1 页 · 560 tokens · 扫描件',
    '1 page · 560 tokens · scan',
  ],
  [
    'a document without text',
    { pages: 1, tokens: 0, hasText: false },
    '1 页 · 0 tokens · 没有文字',
    '1 page · 0 tokens · no text',
  ],
  ['a workbook', { type: SHEET, pages: 3, tokens: 90 }, '3 个工作表 · 90 tokens', '3 sheets · 90 tokens'],
  ['slides', { type: SLIDES, pages: 1, tokens: 90 }, '1 张幻灯片 · 90 tokens', '1 slide · 90 tokens'],
  [
    'a photo whose location was kept',
    { type: 'image/jpeg', width: 640, height: 480, tokens: 1_120, hasText: false, keepsPlace: true },
    '1.1K tokens · 拍摄地点未去除',
    '1.1K tokens · location not removed',
  ],
  ['a text', { tokens: 3 }, '3 tokens', '3 tokens'],
])('%s says on its chip how long it is', (_name, change, chinese, english) => {
  expect(describeFile(createTranslate('zh', zh), infoOf(change), true)).toBe(chinese);
  expect(describeFile(createTranslate('en', en), infoOf(change), true)).toBe(english);
});

it('the pixels of a picture and its tokens in full stand where there is room', () => {
  const photo = infoOf({ type: 'image/jpeg', width: 640, height: 480, tokens: 1_120, hasText: false });
  expect(describeFile(createTranslate('en', en), photo)).toBe('12 KB · 640 × 480 · 1,120 tokens');
});
