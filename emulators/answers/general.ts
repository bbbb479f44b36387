import { type Asked, shorten, type Topic } from './topic.ts';

const SHOWN = 120;

function lastQuestion({ earlier }: Asked): string | null {
  const last = earlier.findLast((turn) => turn.role === 'user');
  return last ? shorten(last.text, 40) : null;
}

/** Any other question: quoted, and taken apart without inventing facts. */
export const GENERAL: Topic = {
  matches: () => true,
  thoughts: {
    zh: '**理解问题**\n\n先看用户真正想要的结果是什么，再判断缺哪些信息，最后给出能马上用的下一步。',
    en: '**Understanding the question**\n\nWhat outcome does the user really want? I’ll note what is missing, then offer a next step that can be used right away.',
  },
  answer: {
    zh: (asked) => {
      const before = lastQuestion(asked);
      const link = before ? `接着前面的“${before}”，我们来看这一个。` : '';
      return `${link}你问的是：\n\n> ${shorten(asked.prompt, SHOWN)}\n\n我会从三个方面来想：\n\n- **目标**：先弄清你最终想得到什么，是一个结论、一份文字，还是一个决定。\n- **条件**：有哪些限制不能动，比如时间、预算、受众或格式。\n- **判断标准**：怎样才算“好”，最好能用一句话说出来。\n\n**下一步：**把其中最不确定的一项告诉我，我们就从那里开始。例如：“我想要一个结论，今天之内，给完全不懂的人看。”`;
    },
    en: (asked) => {
      const before = lastQuestion(asked);
      const link = before ? `Following on from “${before}”, let’s look at this one. ` : '';
      return `${link}You asked:\n\n> ${shorten(asked.prompt, SHOWN)}\n\nI’d come at it from three sides:\n\n- **Goal**: what should you end up with: an answer, a piece of writing, or a decision?\n- **Constraints**: what can’t move, such as time, budget, audience or format?\n- **Yardstick**: how will you know that it’s good? One sentence is enough.\n\n**Next step:** tell me whichever of these is least clear and we’ll start there. For example: “I need a decision, by tonight, for someone new to the subject.”`;
    },
  },
};
