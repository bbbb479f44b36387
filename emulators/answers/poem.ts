import type { Language, Topic } from './topic.ts';

interface Poem {
  theme: RegExp;
  zh: string;
  en: string;
}

const POEMS: Poem[] = [
  {
    theme: /秋|autumn|fall\b/i,
    zh: '**《秋日》**\n\n一阵风过，\n满街的银杏忽然有了声音。\n我把外套拢紧一点，\n又舍不得走得太快。\n\n黄昏把影子拉得很长，\n像一封还没有写完的信。',
    en: '**Autumn**\n\nThe ginkgo lets its small coins fall,\nand no one stops to count them all.\nI button up and slow my pace;\nthe light has such a leaving grace.',
  },
  {
    theme: /海|浪|sea|ocean|wave/i,
    zh: '**《听海》**\n\n潮水来了又退，\n把昨天的脚印一一抚平。\n海从不解释什么，\n只是一遍一遍，\n教石头变得温柔。',
    en: '**By the Sea**\n\nThe tide comes in, the tide goes out\nand smooths away my steps of doubt.\nIt never argues, never shouts,\nyet stones grow gentle hereabouts.',
  },
  {
    theme: /春|花|spring|flower|blossom/i,
    zh: '**《初春》**\n\n冰还没有化尽，\n柳枝已经偷偷绿了一寸。\n有人推开窗，\n让整个冬天散一散。',
    en: '**Early Spring**\n\nThe ice has not quite slipped away,\nyet willows green by one inch a day.\nSomebody opens up a pane\nand lets the winter out again.',
  },
  {
    theme: /[\s\S]/,
    zh: '**《夜航》**\n\n灯一盏一盏熄了，\n只有月亮还醒着，\n把路照成浅浅的河。\n我顺着它往前走，\n不问远近，也不赶时间。',
    en: '**Night Walk**\n\nThe windows darken one by one;\nthe moon alone is not yet done.\nIt turns the road into a stream\nand I walk on as in a dream.',
  },
];

function choose(prompt: string, language: Language): string {
  return POEMS.find((poem) => poem.theme.test(prompt))?.[language] ?? '';
}

export const POEM: Topic = {
  matches: ({ prompt }) => /诗|poem|verse|haiku/i.test(prompt),
  answer: {
    zh: ({ prompt }) => `${choose(prompt, 'zh')}\n\n想要更短、更押韵，或者换一个主题，都可以告诉我。`,
    en: ({ prompt }) =>
      `${choose(prompt, 'en')}\n\nI can make it shorter, looser in rhyme, or about something else. Just say so.`,
  },
};
