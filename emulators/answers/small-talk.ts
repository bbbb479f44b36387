import type { Topic } from './topic.ts';

export const GREETING: Topic = {
  matches: ({ prompt }) =>
    /^\s*(你好|您好|嗨|哈喽|早上好|下午好|晚上好|在吗|hi|hello|hey|good (morning|afternoon|evening))(?![a-z])[\s\S]{0,20}$/i.test(
      prompt,
    ),
  answer: {
    zh: ({ earlier }) =>
      earlier.length === 0
        ? '你好！很高兴见到你。\n\n想聊点什么？你可以问我一个问题，贴一段代码让我讲解，或者让我帮你写一小段文字。'
        : '又见面了！我们前面聊的内容我都还记得，接着说就好。',
    en: ({ earlier }) =>
      earlier.length === 0
        ? 'Hello! Nice to meet you.\n\nWhat is on your mind? Ask me a question, paste some code you want explained, or have me draft a few lines for you.'
        : 'Hello again! I still have everything we said earlier, so just pick up where you left off.',
  },
};

export const THANKS: Topic = {
  matches: ({ prompt }) =>
    /^\s*(谢谢|多谢|感谢|辛苦了|thanks|thank you|thx|cheers)[\s\S]{0,30}$/i.test(prompt),
  answer: {
    zh: () => '不客气！还有别的问题，随时说。',
    en: () => 'You’re welcome! Just ask if anything else comes up.',
  },
};

export const CAPABILITIES: Topic = {
  matches: ({ prompt }) =>
    /你(是谁|是什么|能做什么|会做什么|会什么|能帮我|可以做什么|有什么功能)|what can you do|who are you|what are you|your capabilities|how can you help/i.test(
      prompt,
    ),
  answer: {
    zh: ({ model }) =>
      `我是 \`${model}\` 在本机的**替身**：没有配置 API Key 时，由我来回答，方便你把整个产品走一遍。\n\n你可以试试这些：\n\n- **讲解代码**：贴一段代码，或者说“用 TypeScript 写一个防抖函数”\n- **做对比表**：“对比一下高铁和飞机”\n- **列计划**：“帮我列一个学英语的计划”\n- **写首小诗**：“写一首关于秋天的诗”\n- **算数**：“(12 + 30) × 4 等于多少？”\n- **记住上下文**：先说“我叫小林”，再问“我叫什么名字？”；或者让我“总结一下刚才聊的内容”\n\n想看出错时界面是什么样子，可以输入 \`/emulate\`，我会列出所有可以模拟的情况。`,
    en: ({ model }) =>
      `I’m the local **stand-in** for \`${model}\`. When no API key is set, I answer instead, so that you can walk through the whole product.\n\nHere are some things to try:\n\n- **Explain code**: paste some, or say “write a debounce function in TypeScript”\n- **Compare in a table**: “compare trains and planes”\n- **Make a plan**: “give me a plan for learning Spanish”\n- **Write a short poem**: “a poem about autumn”\n- **Do arithmetic**: “what is (12 + 30) * 4?”\n- **Remember the conversation**: say “my name is Alex”, then ask “what’s my name?”, or have me “summarize what we’ve said so far”\n\nTo see how the interface handles trouble, type \`/emulate\` and I’ll list everything that can be staged.`,
  },
};
