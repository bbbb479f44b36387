import { type Asked, type Language, shorten, type Topic } from '../answers/topic.ts';
import type { SeenFile } from './seen-file.ts';
import { sumPurchases } from './sum-purchases.ts';

const KINDS: [pattern: RegExp, names: Record<Language, string>][] = [
  [/^image\//, { zh: '图片', en: 'image' }],
  [/^application\/pdf$/, { zh: 'PDF', en: 'PDF' }],
  [/./, { zh: '文本', en: 'text' }],
];
const FIRST_WORDS = 80;

function describeFile(file: SeenFile, index: number, language: Language): string {
  const zh = language === 'zh';
  const name = file.name ?? (zh ? `第 ${index + 1} 个文件` : `File ${index + 1}`);
  const facts = [KINDS.find(([pattern]) => pattern.test(file.type))?.[1][language]];
  if (file.pages !== null)
    facts.push(zh ? `${file.pages} 页` : `${file.pages} ${file.pages === 1 ? 'page' : 'pages'}`);
  if (file.pixels) facts.push(`${file.pixels.join(' × ')} ${zh ? '像素' : 'pixels'}`);
  if (file.text) {
    const first = shorten(file.text, FIRST_WORDS);
    facts.push(zh ? `开头是“${first}”` : `beginning “${first}”`);
  }
  return `- **${name}**${zh ? '：' : ': '}${facts.join(zh ? '，' : ', ')}`;
}

function list({ files = [] }: Asked, language: Language): string {
  return files.map((file, index) => describeFile(file, index, language)).join('\n');
}

/** What is seen of files at a glance, or what the purchases in one add up to. */
export const FILES: Topic = {
  matches: ({ files = [] }) => files.length > 0,
  answer: {
    zh: (asked) =>
      sumPurchases(asked, 'zh') ??
      `收到你的 ${asked.files?.length} 个文件：\n\n${list(asked, 'zh')}\n\n配置好 API Key 之后，真实的模型会读这些内容，回答你的问题。`,
    en: (asked) =>
      sumPurchases(asked, 'en') ??
      `I have your ${asked.files?.length === 1 ? 'file' : `${asked.files?.length} files`}:\n\n${list(asked, 'en')}\n\nOnce an API key is set, a real model reads all of this and answers your question.`,
  },
};
