import { shorten, type Topic } from './topic.ts';

const QUOTED = 60;

/** Questions about what is going on now: nothing here is connected to anything. */
export const LIVE_NEWS: Topic = {
  matches: ({ prompt }) =>
    prompt.length < QUOTED &&
    /天气|几点|今天(是)?(几号|星期)|新闻|股价|汇率|\bweather\b|what time|today(’|')?s date|\bnews\b|stock price|exchange rate/i.test(
      prompt,
    ),
  answer: {
    zh: () =>
      '我没有联网，看不到实时信息，所以不想随口编一个给你。\n\n可以这样做：\n\n- 天气：看手机自带的天气，留意逐小时降水；\n- 新闻：同一件事至少看两个来源；\n- 价格和汇率：以交易平台显示的时间为准。\n\n把查到的内容贴给我，我可以帮你整理和比较。',
    en: () =>
      'I’m not connected to anything live, and I’d rather not make something up.\n\nHere is what works:\n\n- Weather: your phone’s forecast, hour by hour for rain.\n- News: at least two sources for the same story.\n- Prices and rates: whatever the trading platform shows, with its time stamp.\n\nPaste what you find and I’ll help you sort and compare it.',
  },
};

export const TRANSLATION: Topic = {
  matches: ({ prompt }) => /翻译|译成|\btranslate\b|\btranslation\b/i.test(prompt),
  answer: {
    zh: ({ prompt }) =>
      `你想翻译的是：\n\n> ${shorten(prompt, QUOTED)}\n\n翻译需要真实的模型，本机的替身只认得几句常用的话：\n\n| 中文 | English | Français |\n| :-- | :-- | :-- |\n| 你好 | Hello | Bonjour |\n| 谢谢你的帮助 | Thank you for your help | Merci pour votre aide |\n| 今天天气很好 | The weather is lovely today | Il fait beau aujourd’hui |\n\n配置好 API Key 之后，同样的问题就会由真实模型来回答。`,
    en: ({ prompt }) =>
      `You’d like this translated:\n\n> ${shorten(prompt, QUOTED)}\n\nTranslation takes a real model; the local stand-in only knows a few phrases:\n\n| English | 中文 | Français |\n| :-- | :-- | :-- |\n| Hello | 你好 | Bonjour |\n| Thank you for your help | 谢谢你的帮助 | Merci pour votre aide |\n| The weather is lovely today | 今天天气很好 | Il fait beau aujourd’hui |\n\nOnce an API key is set, a real model answers the same question.`,
  },
};
