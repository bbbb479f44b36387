import { KNOWN_PAIRS } from './known-pairs.ts';
import { type Asked, type Language, shorten, type Topic } from './topic.ts';

const PAIRS = [
  /(?:对比|比较)(?:一下|下)?\s*(.{1,16}?)\s*(?:和|与|跟|、|vs\.?)\s*(.{1,16}?)(?=$|[，。？?！!\s的])/i,
  /(.{1,16}?)\s*(?:和|与|跟)\s*(.{1,16}?)\s*(?:有什么区别|有何区别|的区别|的差别|的不同|哪个好|怎么选)/,
  /(?:difference between|compare)\s+(.{1,30}?)\s+(?:and|with|to)\s+(.{1,30}?)(?=$|[,.?!]|\s+(?:in|for|as)\b)/i,
  /\b([\w.+#-]{1,20})\s+(?:vs\.?|versus)\s+([\w.+#-]{1,20})/i,
];

function readPair({ prompt }: Asked): [string, string] | null {
  for (const pattern of PAIRS) {
    const found = pattern.exec(prompt);
    if (found?.[1] && found[2]) return [shorten(found[1], 20), shorten(found[2], 20)];
  }
  return null;
}

function knownTable({ prompt }: Asked, language: Language): string | null {
  const known = KNOWN_PAIRS.find(({ both }) => both.every((name) => name.test(prompt)));
  return known?.tables[language] ?? null;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

const TRAVEL_ZH = `以北京到上海为例：

| 方式 | 门到门 | 费用 |
| :-- | --: | --: |
| 高铁 | 约 6 小时 | 550–650 元 |
| 飞机 | 约 5 小时 | 500–1,200 元 |
| 自驾 | 约 13 小时 | 约 1,000 元 |

**结论：**想在路上看书、办公，坐高铁；当天往返，坐飞机；人多、行李多，再考虑自驾。`;

const TRAVEL_EN = `For a trip of about 500 km:

| Mode | Door to door | Cost |
| :-- | --: | --: |
| Train | 5–6 h | $60–120 |
| Plane | 3–4 h | $80–250 |
| Car | 6 h or more | $50–90 |

**In short:** to read or work on the way, take the train; to be back the same day, fly; with luggage or a family, drive.`;

export const TABLE: Topic = {
  matches: (asked) =>
    readPair(asked) !== null ||
    /表格|做个表|列个表|对比|比较一下|区别|\btable\b|\bcompare\b|\bcomparison\b|\bversus\b/i.test(
      asked.prompt,
    ),
  thoughts: {
    zh: '**拆分比较的角度**\n\n先找出要比较的两边，再挑几项真正影响选择的维度，最后给一句结论，不要让读者自己从表里猜。',
    en: '**Choosing what to compare**\n\nI’ll find the two sides first, then pick the few criteria that really drive the choice, and close with a plain verdict.',
  },
  answer: {
    zh: (asked) => {
      const known = knownTable(asked, 'zh');
      if (known) return `把两边放在一起看：\n\n${known}`;
      const pair = readPair(asked);
      if (!pair || /高铁|飞机/.test(asked.prompt)) return TRAVEL_ZH;
      const [left, right] = pair.map(cell);
      return `先把 **${left}** 和 **${right}** 放在一起，按做选择时最常看的几项来比：\n\n| 看什么 | ${left} | ${right} |\n| :-- | :-- | :-- |\n| 上手成本 | 先用一个小任务试半天 | 同一个任务再试半天 |\n| 日常花费 | 时间、钱、维护各记一笔 | 同左，用同一把尺子 |\n| 出问题时 | 谁能帮你，多久能恢复 | 同左 |\n| 以后想换 | 数据和习惯能带走多少 | 同左 |\n\n**怎么定：**把对你最重要的那一项单独打分，差距明显就选高的；分数接近，就选你身边有人正在用的那个。`;
    },
    en: (asked) => {
      const known = knownTable(asked, 'en');
      if (known) return `Side by side:\n\n${known}`;
      const pair = readPair(asked);
      if (!pair || /train|plane/i.test(asked.prompt)) return TRAVEL_EN;
      const [left, right] = pair.map(cell);
      return `Let’s put **${left}** and **${right}** side by side, using the criteria that usually decide it:\n\n| Criterion | ${left} | ${right} |\n| :-- | :-- | :-- |\n| Getting started | Try one small task for half a day | Repeat the very same task |\n| Running cost | Note time, money and upkeep | Measure with the same yardstick |\n| When it breaks | Who can help, and how fast | Same question |\n| Leaving later | How much you can take with you | Same question |\n\n**How to decide:** score only the criterion you care about most. If the gap is clear, take the winner; if it’s close, take the one somebody near you already uses.`;
    },
  },
};
