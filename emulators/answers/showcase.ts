import type { Language, Topic } from './topic.ts';

const PARTS: Record<Language, string[]> = {
  zh: [
    '# 排版示例\n\n**加粗。**后面紧跟文字，*强调*与~~删除~~，`行内代码`，一条[链接](https://example.com/docs)，裸网址 https://example.com/a。后面还是正文。脚注[^一]和另一个[^二]。',
    '## 列表与任务\n\n1. 第一步：量体温\n2. 第二步\n   - 里面一层\n   - 再一条\n\n- [x] 已经做完\n- [ ] 还没做',
    '> 引用里也有**重点**和 $a^2 + b^2 = c^2$。\n>\n> 第二段引用。',
    '## 公式与价格\n\n质能方程 $E = mc^2$，变量$x$紧贴中文。从 $5 涨到 $6，不是公式。\n\n$$\n\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi}\n$$\n\n写错的公式照原样显示：$\\frac{1}{$',
    '## 代码\n\n```ts\n/** 把一列价格加起来，单位是分。 */\nexport function total(items: readonly { price: number; count: number }[]): number {\n  const sum = items.reduce((all, item) => all + item.price * item.count, 0);\n  return sum > 0 ? sum : 0; // 空列表是 0，这一行故意写得很长很长很长，用来看横向滚动与自动换行\n}\n```\n\n```python\ndef greet(name: str = "世界") -> str:\n    """返回一句问候。"""\n    return f"你好，{name}！" * 2\n```\n\n```diff\n- 旧的一行\n+ 新的一行\n```',
    '## 表格\n\n| 方式 | 用时 | 费用 | 说明 |\n| :-- | --: | --: | :-- |\n| 高铁 | 6 小时 | 553 元 | **准点**，可以看书 |\n| 飞机 | 5 小时 | 800 元 | 看天气 |\n| 自驾 | 13 小时 | 1,000 元 | 累，但自由 |',
    '## 图\n\n```mermaid\nflowchart LR\n  问题 --> 预扣[预扣 Credits]\n  预扣 --> 模型{模型回答}\n  模型 -- 成功 --> 结算\n  模型 -- 失败 --> 退回\n```\n\n![一张示意图](https://pictures.example/diagram.png)',
    '## 其他文字\n\nمرحبا بالعالم، هذه فقرة من اليمين إلى اليسار.\n\n表情：👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽\n\n---\n\n[^一]: 第一个脚注，带 `代码`。\n[^二]: 第二个脚注，见[文档](https://example.com/notes)。',
  ],
  en: [
    '# A page of everything\n\n**Bold**, *emphasis*, ~~struck out~~, `inline code`, a [link](https://example.com/docs), a bare address https://example.com/a. A footnote[^one] and another[^two].',
    '## Lists and tasks\n\n1. First, take the temperature\n2. Then the rest\n   - one level in\n   - and another\n\n- [x] Done\n- [ ] Still open',
    '> A quotation with **stress** and $a^2 + b^2 = c^2$.\n>\n> Its second paragraph.',
    '## Formulas and prices\n\nMass and energy: $E = mc^2$. From $5 to $6 isn’t a formula.\n\n$$\n\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi}\n$$\n\nOne with a mistake is shown as written: $\\frac{1}{$',
    '## Code\n\n```ts\n/** Adds up prices, in cents. */\nexport function total(items: readonly { price: number; count: number }[]): number {\n  const sum = items.reduce((all, item) => all + item.price * item.count, 0);\n  return sum > 0 ? sum : 0; // an empty list is 0, and this line is long on purpose so that it has to scroll or wrap\n}\n```\n\n```python\ndef greet(name: str = "world") -> str:\n    """A greeting."""\n    return f"Hello, {name}!" * 2\n```\n\n```diff\n- the old line\n+ the new line\n```',
    '## A table\n\n| Mode | Time | Cost | Remark |\n| :-- | --: | --: | :-- |\n| Train | 6 h | $80 | **On time**, and you can read |\n| Plane | 5 h | $120 | Depends on the weather |\n| Car | 13 h | $140 | Tiring, but free |',
    '## A diagram\n\n```mermaid\nflowchart LR\n  Question --> Hold[Hold credits]\n  Hold --> Model{Model answers}\n  Model -- well --> Charge\n  Model -- badly --> Release\n```\n\n![A sketch](https://pictures.example/diagram.png)',
    '## Other scripts\n\nمرحبا بالعالم، هذه فقرة من اليمين إلى اليسار.\n\nEmoji: 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽\n\n---\n\n[^one]: The first note, with `code`.\n[^two]: The second note, see the [docs](https://example.com/notes).',
  ],
};

/** One answer with everything that an answer can have, for those who look how it is drawn. */
export const SHOWCASE: Topic = {
  matches: ({ prompt }) => /排版示例|所有格式|formatting (?:showcase|sample)|every construct/i.test(prompt),
  answer: { zh: () => PARTS.zh.join('\n\n'), en: () => PARTS.en.join('\n\n') },
};
