import { describe, expect, test } from 'vitest';
import { seeFile } from '../files/seen-file.ts';
import type { AskedTurn } from '../plan-answer.ts';
import { answerPrompt, EMULATOR_LINE } from './answer-prompt.ts';

function answer(prompt: string, earlier: AskedTurn[] = []) {
  return answerPrompt({ prompt, earlier, model: 'gemini-3.8-flash' }).answer;
}

const EARLIER: AskedTurn[] = [
  { role: 'user', text: '我叫小林' },
  { role: 'model', text: '记住了' },
  { role: 'user', text: 'What is TCP?' },
  { role: 'model', text: '…' },
];

describe('an answer of the emulator', () => {
  test.each([
    ['你好', '很高兴见到你'],
    ['Hello!', 'Nice to meet you'],
    ['谢谢你', '不客气'],
    ['Thanks a lot', 'You’re welcome'],
    ['你能做什么？', '/emulate'],
    ['What can you do?', '/emulate'],
    ['用 TypeScript 写一个防抖函数', '```ts'],
    ['Write a Python script that counts words', '```python'],
    ['本月消费最多的客户，SQL 怎么写？', '```sql'],
    ['讲讲这段代码\n```js\nfor (const a of b) { if (a) go(a); }\n```', '**循环**'],
    ['对比一下 PostgreSQL 和 MySQL', '| 看什么 | PostgreSQL | MySQL |'],
    ['What is the difference between TCP and UDP?', '| Criterion | TCP | UDP |'],
    ['帮我列一个学英语的计划', '“学英语”'],
    ['How do I learn to cook?', '“learn to cook”'],
    ['写一首关于秋天的诗', '《秋日》'],
    ['A poem about the sea', '**By the Sea**'],
    ['(12 + 30) × 4 等于多少？', '**(12 + 30) × 4 = 168**'],
    ['what is 1,024 / 0.5?', '**1024 ÷ 0.5 = 2048**'],
    ['7 - 2 * 3', '**7 - 2 × 3 = 1**'],
    ['1 / 0 是多少', '除以零'],
    ['What is 15% of 80?', '= 12**'],
    ['80 的 15% 是多少', '= 12**'],
    ['量子纠缠到底是什么意思', '**量子纠缠**'],
    ['Why is the sky blue?', 'Rayleigh'],
    ['今天天气怎么样？', '没有联网'],
    ['Translate "hello" to French', 'Bonjour'],
    ['帮我写一封请假邮件', '请假申请'],
    ['List three ideas for a birthday', '“a birthday”'],
    ['compare React and Vue', '| Style |'],
    ['第3-5章讲了什么', '> 第3-5章讲了什么'],
    ['Who wrote Dream of the Red Chamber?', '> Who wrote Dream of the Red Chamber?'],
  ])('to %j has %j in it', (prompt, part) => {
    expect(answer(prompt)).toContain(part);
  });

  test('is in the language of the prompt, or the one it asks for, and says what it is', () => {
    expect(answer('Why is the sky blue?').endsWith(`> ${EMULATOR_LINE.en}`)).toBe(true);
    expect(answer('天空为什么是蓝的').endsWith(`> ${EMULATOR_LINE.zh}`)).toBe(true);
    expect(answer('Explain React 的 useEffect 是怎么工作的').endsWith(`> ${EMULATOR_LINE.zh}`)).toBe(true);
    expect(answer('天空为什么是蓝的？请用英文回答').endsWith(`> ${EMULATOR_LINE.en}`)).toBe(true);
  });

  test('knows what was said before', () => {
    expect(answer('我叫什么名字？', EARLIER)).toContain('**小林**');
    expect(answer('我叫什么名字？')).toContain('还没有告诉过我');
    expect(answer('总结一下刚才聊的内容', EARLIER)).toContain('2. What is TCP?');
    expect(answer('Summarise our conversation so far')).toContain('nothing to summarize yet');
    expect(answer('那 UDP 是什么意思', EARLIER)).toContain('接着前面的“What is TCP?”');
  });

  test('takes a date for a date, and a table’s bar for a character', () => {
    expect(answer('2026-11-21 是什么日子')).not.toContain('=');
    expect(answer('对比一下 a|b 和 c')).toContain('a\\|b');
  });

  test('adds up the purchases of one file, and lists files where there is nothing to add up', () => {
    const about = (prompt: string, ...all: string[]) => {
      const files = all.map((rows) => seeFile(Buffer.from(rows), 'text/csv', 'April.csv'));
      return answerPrompt({ prompt, earlier: [], model: 'gemini-3.8-flash', files }).answer;
    };
    const rows = 'Item,Quantity,Price\nMonitor,6,219\nDesk lamp,12,24.5\n';
    const said = about('What do these add up to?', rows);
    expect(said).toContain('**1,608** in all. **Monitor** costs the most: 1,314, 82% of the total.');
    expect(said).toContain('| Desk lamp | 12 | 24.5 | 294 |');
    expect(about('这张采购单合计多少？', '品名,数量,单价\n键盘,10,268\n')).toContain('合计 **2,680**');
    for (const [prompt, other] of [
      ['What is in it?', rows],
      ['What do these add up to?', 'Item,Price\nMonitor,219\n'],
      ['What do these add up to?', 'Item,Quantity,Price\nMonitor,six,219\n'],
    ] as const) {
      expect(about(prompt, other)).toContain('I have your file:\n\n- **April.csv**: text, beginning “Item,');
    }
    expect(about('写了什么？', rows, '一')).toContain(
      '收到你的 2 个文件：\n\n- **April.csv**：文本，开头是“Item,Quantity,Price Monitor,6,219 Desk lamp,12,24.5”\n',
    );
  });
});
