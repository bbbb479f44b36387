import { type Asked, type Language, shorten, type Topic } from '../answers/topic.ts';
import type { SeenFile } from './seen-file.ts';
import { sumPurchases } from './sum-purchases.ts';

const KINDS: [pattern: RegExp, names: Record<Language, string>][] = [
  [/^image\//, { zh: '图片', en: 'an image' }],
  [/^application\/pdf$/, { zh: 'PDF 文档', en: 'a PDF' }],
  [/./, { zh: '文本', en: 'text' }],
];
const FIRST_WORDS = 80;
const QUESTION = 60;

function sizeOf(bytes: number): string {
  return bytes < 10_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`;
}

function describeFile(file: SeenFile, index: number, language: Language): string {
  const zh = language === 'zh';
  const kind = KINDS.find(([pattern]) => pattern.test(file.type))?.[1][language] ?? file.type;
  const name = file.name ?? (zh ? `第 ${index + 1} 个` : `Number ${index + 1}`);
  const facts = [
    `${kind}（${file.type}）`,
    ...(file.pages === null
      ? []
      : [zh ? `${file.pages} 页` : `${file.pages} ${file.pages === 1 ? 'page' : 'pages'}`]),
    ...(file.pixels === null
      ? []
      : [zh ? `${file.pixels.join(' × ')} 像素` : `${file.pixels.join(' × ')} pixels`]),
    sizeOf(file.bytes),
    `SHA-256 \`${file.sha256.slice(0, 16)}\``,
  ];
  const line = `- **${name}**${zh ? '：' : ': '}${facts.join(zh ? '，' : ', ')}`;
  const said = zh ? line : line.replace('（', ' (').replace('）', ')');
  if (!file.text) return said;
  return `${said}\n\n  > ${shorten(file.text, FIRST_WORDS)}`;
}

function list(asked: Asked, language: Language): string {
  return (asked.files ?? []).map((file, index) => describeFile(file, index, language)).join('\n');
}

export const FILES: Topic = {
  matches: ({ files = [] }) => files.length > 0,
  answer: {
    zh: (asked) =>
      sumPurchases(asked, 'zh') ??
      `你给了我 ${asked.files?.length} 个文件，我看到的是：\n\n${list(asked, 'zh')}\n\n你问的是“${shorten(asked.prompt, QUESTION)}”。真实的模型会在这里根据文件的内容回答。`,
    en: (asked) =>
      sumPurchases(asked, 'en') ??
      `You gave me ${asked.files?.length === 1 ? '1 file' : `${asked.files?.length} files`}. This is what I see:\n\n${list(asked, 'en')}\n\nYou asked “${shorten(asked.prompt, QUESTION)}”. A real model would answer it here from what is in the files.`,
  },
};
