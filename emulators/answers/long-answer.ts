import { EMULATOR_LINE } from './answer-prompt.ts';
import { detectLanguage, type Language, shorten } from './topic.ts';

const SECTIONS: Record<Language, ((number: number) => string)[]> = {
  zh: [
    (n) =>
      `## ${n}. 从哪里开始\n\n**先把问题写下来。**写得越具体，后面走的弯路越少。很多时候，写到第三行，答案自己就出来了。\n\n`,
    (n) =>
      `## ${n}. 三个容易忽略的地方\n\n1. 时间：留出一倍的余量。\n2. 沟通：把“我以为”换成“我确认过”。\n3. 复查：隔一夜再看，和当天看完全不同。\n\n`,
    (n) =>
      `## ${n}. 一个小例子\n\n\`\`\`ts\nconst total = items.reduce((sum, item) => sum + item.price * item.count, 0);\n\`\`\`\n\n这里的 \`reduce\` 把一列数变成一个数，**关键**在初始值 \`0\`。\n\n`,
    (n) =>
      `## ${n}. 对照\n\n| 做法 | 好处 | 代价 |\n| --- | --- | --- |\n| 一次做完 | 思路连贯 | 容易疲劳 |\n| 分几天做 | 有时间反省 | 需要记录 |\n\n`,
    (n) =>
      `## ${n}. 换个角度\n\n> 把复杂的事说简单，是本事；把简单的事做扎实，也是本事。\n\n如果只能留下一句话，你会留下哪一句？先留下它，别的都可以慢慢补。\n\n`,
  ],
  en: [
    (n) =>
      `## ${n}. Where to begin\n\n**Write the question down.** The sharper it is, the fewer detours you’ll take. Quite often the answer turns up by the third line.\n\n`,
    (n) =>
      `## ${n}. Three things people overlook\n\n1. Time: plan for twice as much.\n2. Communication: replace “I assumed” with “I checked”.\n3. Review: it reads differently the next morning.\n\n`,
    (n) =>
      `## ${n}. A small example\n\n\`\`\`ts\nconst total = items.reduce((sum, item) => sum + item.price * item.count, 0);\n\`\`\`\n\nHere \`reduce\` turns a list into one number; the **initial value** \`0\` is what makes an empty list safe.\n\n`,
    (n) =>
      `## ${n}. Side by side\n\n| Approach | Gain | Cost |\n| --- | --- | --- |\n| All at once | One train of thought | Tiring |\n| Over several days | Room to reconsider | Needs notes |\n\n`,
    (n) =>
      `## ${n}. Another angle\n\n> Making a hard thing simple is a skill; doing a simple thing well is another.\n\nIf only one sentence could stay, which would it be? Keep that one first; the rest can follow.\n\n`,
  ],
};

/** A Markdown text of at least `characters` UTF-16 units, with headings, lists, code and tables. */
export function writeLongAnswer(prompt: string, characters: number): string {
  const language = detectLanguage(prompt);
  const sections = SECTIONS[language];
  let text = `# ${shorten(prompt, 40) || (language === 'zh' ? '一篇长文' : 'A long read')}\n\n`;
  for (let number = 1; text.length < characters; number += 1)
    text += sections[(number - 1) % sections.length]?.(number);
  return `${text}> ${EMULATOR_LINE[language]}`;
}
