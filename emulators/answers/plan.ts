import { type Asked, shorten, type Topic } from './topic.ts';

const GOAL_ZH =
  /(?:列|做|制定|给我|写)(?:一个|一份|个|份)?\s*(.{1,24}?)(?:的)?(?:学习)?(?:计划|清单|步骤|方案)/;
const GOAL_EN =
  /(?:plan|steps|checklist|tips|ideas)\s+(?:for|to|on|about)\s+(.{1,60}?)(?=$|[.?!])|how (?:do i|can i|to)\s+(.{1,60}?)(?=$|[.?!])/i;

function goalOf({ prompt }: Asked): string {
  const found = GOAL_ZH.exec(prompt) ?? GOAL_EN.exec(prompt);
  return shorten(found?.[1] ?? found?.[2] ?? prompt, 40);
}

export const PLAN: Topic = {
  matches: ({ prompt }) =>
    /计划|清单|步骤|怎么(才能|样才能|做|学|开始)|如何|建议|\bplan\b|\bsteps\b|\bchecklist\b|\btips\b|how (do i|can i|to)\b/i.test(
      prompt,
    ),
  thoughts: {
    zh: '**确定目标和范围**\n\n用户要的是可以照着做的东西。按“先小后大”来排：第一步当天就能完成，每一步都要能看出做没做到。',
    en: '**Settling goal and scope**\n\nThe user wants something to act on. I’ll order it from small to large: the first step must fit into today, and every step needs a visible result.',
  },
  answer: {
    zh: (asked) =>
      `关于“${goalOf(asked)}”，可以按下面的顺序来：\n\n1. **先定一个看得见的目标。**写成一句话，带上日期，例如“四周后能做到什么”。\n2. **今天就做最小的一步。**控制在 25 分钟以内，做完就算赢。\n3. **每周固定三个时段。**写进日历，比“有空就做”可靠得多。\n4. **每周日回看 10 分钟：**\n   - 哪一步最有用？下周多做一点。\n   - 哪一步总在拖？拆小，或者删掉。\n5. **第四周做一次检验。**对照第 1 步的那句话，再决定要不要加码。\n\n常见的坑有两个：\n\n- 一开始列得太满，第三天就断了\n- 只记“做了多久”，不看“会了什么”\n\n告诉我你每周大概有多少时间，我可以把它排成一张具体的时间表。`,
    en: (asked) =>
      `For “${goalOf(asked)}”, this order works well:\n\n1. **Set a goal you can see.** One sentence with a date: what will you be able to do in four weeks?\n2. **Take the smallest step today.** Keep it under 25 minutes; finishing it counts as a win.\n3. **Reserve three fixed slots a week.** A calendar entry beats “whenever I have time”.\n4. **Look back for ten minutes every Sunday:**\n   - Which step helped most? Do a little more of it.\n   - Which one keeps slipping? Make it smaller, or drop it.\n5. **Test yourself in week four.** Compare with the sentence from step 1, then decide whether to raise the bar.\n\nTwo common traps:\n\n- packing the first week so full that it breaks on day three\n- counting hours spent instead of things learned\n\nTell me how much time you have each week and I’ll turn this into a concrete timetable.`,
  },
};
