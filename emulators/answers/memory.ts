import { type Asked, shorten, type Topic } from './topic.ts';

const NAME_GIVEN =
  /(?:我叫|我的名字是|我的名字叫|叫我)\s*([\u3400-\u9fffA-Za-z·]{1,12}?)(?=$|[\s，。,.！!、；;吧])|(?:my name is|i am called|call me)\s+([A-Za-z][\w'-]{0,30})/i;
const NAME_ASKED =
  /我叫什么|我的名字是什么|我是谁|还记得我(的名字|叫|是)|what(?:'|’)?s my name|what is my name|who am i\b|do you remember my name/i;
const LISTED_TURNS = 8;
const SHOWN = 60;

function readName(text: string): string | null {
  if (NAME_ASKED.test(text)) return null;
  const found = NAME_GIVEN.exec(text);
  return found?.[1] ?? found?.[2] ?? null;
}

function nameFrom(asked: Asked): string | null {
  const said = asked.earlier.filter((turn) => turn.role === 'user').map((turn) => readName(turn.text));
  return said.findLast((name) => name !== null) ?? null;
}

export const NAME_QUESTION: Topic = {
  matches: ({ prompt }) => NAME_ASKED.test(prompt),
  answer: {
    zh: (asked) => {
      const name = nameFrom(asked);
      return name
        ? `你叫**${name}**，前面你告诉过我。`
        : '你还没有告诉过我你的名字。可以说“我叫……”，我会在这个对话里记住。';
    },
    en: (asked) => {
      const name = nameFrom(asked);
      return name
        ? `Your name is **${name}**. You told me earlier in this conversation.`
        : 'You haven’t told me your name yet. Say “my name is …” and I’ll remember it for the rest of this conversation.';
    },
  },
};

export const NAME_TOLD: Topic = {
  matches: ({ prompt }) => prompt.length < SHOWN && readName(prompt) !== null,
  answer: {
    zh: ({ prompt }) => `很高兴认识你，**${readName(prompt)}**！我记住了，在这个对话里你随时可以问我。`,
    en: ({ prompt }) =>
      `Nice to meet you, **${readName(prompt)}**! I’ll remember that for the rest of this conversation.`,
  },
};

function questionsOf({ earlier }: Asked): string[] {
  return earlier.filter((turn) => turn.role === 'user').map((turn) => shorten(turn.text, SHOWN));
}

function numbered(questions: string[]): string {
  const first = Math.max(0, questions.length - LISTED_TURNS);
  return questions
    .slice(first)
    .map((question, index) => `${first + index + 1}. ${question}`)
    .join('\n');
}

export const RECAP: Topic = {
  matches: ({ prompt }) =>
    /(总结|概括|回顾|复述|归纳).{0,12}(对话|聊|刚才|前面|上面|以上|之前|我们)|(刚才|前面|之前)(都)?(说|聊|问|谈)(了|过)(些)?什么|(summari[sz]e|recap|sum up).{0,30}(conversation|chat|so far|above|we|earlier|discussion)|what (did|have) (we|i) (talk|discuss|say|said|ask)/i.test(
      prompt,
    ),
  answer: {
    zh: (asked) => {
      const questions = questionsOf(asked);
      if (questions.length === 0) return '这是我们对话的第一句，前面还没有内容可以总结。先问我点什么吧。';
      const last = questions.at(-1);
      return `到目前为止，你一共问了 **${questions.length}** 个问题：\n\n${numbered(questions)}\n\n最近一次说的是“${last}”。要接着往下聊，还是换个话题？`;
    },
    en: (asked) => {
      const questions = questionsOf(asked);
      if (questions.length === 0) {
        return 'This is the first thing you’ve said, so there is nothing to summarize yet. Ask me something first.';
      }
      const count = questions.length === 1 ? 'one question' : `**${questions.length}** questions`;
      return `So far you’ve asked me ${count}:\n\n${numbered(questions)}\n\nThe latest was “${questions.at(-1)}”. Shall we carry on from there, or move to something else?`;
    },
  },
};
