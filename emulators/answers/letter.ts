import type { Topic } from './topic.ts';

const LEAVE_ZH = `**主题：** 请假申请（12 月 3 日，一天）

李经理：

您好！

因家中有事需要处理，我想在 12 月 3 日（周四）请假一天，12 月 4 日照常上班。

手头的工作已经安排好：

- 周报今天下班前发出；
- 客户的问题由小陈代为跟进，资料已交接；
- 有急事可以打我电话。

如有不便，请告诉我，我再调整。谢谢！

林晓`;

const LEAVE_EN = `**Subject:** Request for a day off on Thursday, 3 December

Dear Ms Lee,

I’d like to take Thursday, 3 December off to deal with a family matter. I’ll be back on Friday morning.

My work is covered:

- the weekly report goes out before I leave today;
- Chen will look after customer questions and has everything he needs;
- I can be reached by phone if anything urgent comes up.

Please let me know if another day would suit the team better. Thank you!

Kind regards,
Alex`;

export const LETTER: Topic = {
  matches: ({ prompt }) => /邮件|写(一)?封|请假条|\bemail\b|\be-mail\b|\bletter\b/i.test(prompt),
  thoughts: {
    zh: '**想清楚写给谁**\n\n先定语气和目的，第一段就说清要什么；再补上对方会担心的事；最后留一个好回复的结尾。',
    en: '**Thinking about the reader**\n\nSettle tone and purpose, state the request in the first paragraph, answer the worries they may have, and end in a way that is easy to reply to.',
  },
  answer: {
    zh: () =>
      `可以这样写，时间和称呼换成你自己的就行：\n\n---\n\n${LEAVE_ZH}\n\n---\n\n要更正式、更简短，或者换成别的事由，都可以告诉我。`,
    en: () =>
      `Here is a draft. Swap in your own names and dates:\n\n---\n\n${LEAVE_EN}\n\n---\n\nTell me if you’d like it more formal, shorter, or about something else.`,
  },
};
