import { type Asked, shorten, type Topic } from './topic.ts';

const SUBJECT_ZH =
  /(?:列|给我|想|推荐)(?:出|我)?(?:几|一些|三|五|\d+)?(?:个|条|点)?\s*(?:关于)?\s*(.{1,20}?)(?:的)?(?:点子|主意|创意|推荐|想法)/;
const SUBJECT_EN = /(?:ideas|suggestions|recommendations)\s+(?:for|about|on)\s+(.{1,50}?)(?=$|[.?!])/i;

function subjectOf({ prompt }: Asked): string {
  const found = SUBJECT_ZH.exec(prompt) ?? SUBJECT_EN.exec(prompt);
  return shorten(found?.[1] ?? prompt, 30);
}

export const IDEAS: Topic = {
  matches: ({ prompt }) =>
    /点子|主意|创意|推荐几|推荐一些|列出|列几|\bideas?\b|\bsuggest|\brecommend|\blist (three|five|some|\d+)\b/i.test(
      prompt,
    ),
  answer: {
    zh: (asked) =>
      `围绕“${subjectOf(asked)}”，这里有五个方向，从轻到重：\n\n- **五分钟的**：写一张手写卡片，只说一件具体的事。\n- **一起做的**：一起做一顿饭，分工写在便签上。\n- **留得下来的**：挑十张照片，每张配一句话，印成小册子。\n- **出门的**：去一个都没去过的地方，来回不超过一天。\n- **意料之外的**：请一位很久没联系的朋友录一段话。\n\n告诉我人数、预算和时间，我可以挑一个展开。`,
    en: (asked) =>
      `For “${subjectOf(asked)}”, here are five directions, from light to elaborate:\n\n- **Five minutes**: a handwritten card about one particular thing.\n- **Done together**: cook a meal, with the jobs on sticky notes.\n- **Something to keep**: ten photos, one sentence each, printed as a booklet.\n- **Out of the house**: somewhere neither of you has been, there and back in a day.\n- **A surprise**: a short recording from a friend not heard from in ages.\n\nTell me how many people, the budget and the date, and I’ll work one of them out.`,
  },
};
