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
  ['a PDF', { type: 'application/pdf', pages: 12, tokens: 6_720 }, '12 KB · 12 页', '12 KB · 12 pages'],
  [
    'a scan of a page',
    { type: 'application/pdf', pages: 1, tokens: 560, hasText: false },
    '12 KB · 1 页 · 扫描件',
    '12 KB · 1 page · scan',
  ],
  [
    'a document without text',
    { pages: 1, tokens: 0, hasText: false },
    '12 KB · 1 页 · 没有文字',
    '12 KB · 1 page · no text',
  ],
  ['a workbook', { type: SHEET, pages: 3, tokens: 90 }, '12 KB · 3 个工作表', '12 KB · 3 sheets'],
  ['slides', { type: SLIDES, pages: 1, tokens: 90 }, '12 KB · 1 张幻灯片', '12 KB · 1 slide'],
  [
    'a photo whose location was kept',
    { type: 'image/jpeg', width: 640, height: 480, tokens: 1_120, hasText: false, keepsPlace: true },
    '12 KB · 拍摄地点未去除',
    '12 KB · location kept',
  ],
  ['a text', { tokens: 3 }, '12 KB', '12 KB'],
])('%s says on its chip how large it is', (_name, change, chinese, english) => {
  expect(describeFile(createTranslate('zh', zh), infoOf(change), true)).toBe(chinese);
  expect(describeFile(createTranslate('en', en), infoOf(change), true)).toBe(english);
});

it('the pixels of a picture and its tokens stand where there is room', () => {
  const photo = infoOf({ type: 'image/jpeg', width: 640, height: 480, tokens: 1_120, hasText: false });
  expect(describeFile(createTranslate('en', en), photo)).toBe('12 KB · 640 × 480 · 1,120 tokens');
});
