import { type Asked, shorten, type Topic } from './topic.ts';

const FENCED = /```([\w+#-]*)\n([\s\S]*?)(?:```|$)/;
const NAMED = /\b(?:function|def|fn|func|class|interface|const|let|var)\s+([A-Za-z_$][\w$]*)/g;

const TYPESCRIPT = `\`\`\`ts
/** Runs \`action\` once the calls have paused for \`waitMs\` milliseconds. */
export function debounce<Args extends unknown[]>(
  action: (...args: Args) => void,
  waitMs: number,
): (...args: Args) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), waitMs);
  };
}
\`\`\``;

const PYTHON = `\`\`\`python
from collections import Counter
from pathlib import Path


def most_common_words(path: str, count: int = 10) -> list[tuple[str, int]]:
    """The most frequent words of a text file, with how often each occurs."""
    words = Path(path).read_text(encoding="utf-8").lower().split()
    return Counter(words).most_common(count)
\`\`\``;

const SQL = `\`\`\`sql
select customer_id,
       sum(amount) as total,
       count(*)    as orders
from   orders
where  created_at >= date_trunc('month', now())
group  by customer_id
order  by total desc
limit  10;
\`\`\``;

interface Pasted {
  lines: number;
  names: string[];
  language: string;
  hasLoop: boolean;
  hasBranch: boolean;
  isAsync: boolean;
}

function readPasted({ prompt }: Asked): Pasted | null {
  const found = FENCED.exec(prompt);
  if (!found) return null;
  const [, language = '', code = ''] = found;
  return {
    lines: code.trimEnd().split('\n').length,
    names: [...new Set([...code.matchAll(NAMED)].map(([, name = '']) => shorten(name, 30)))].slice(0, 6),
    language: language || 'code',
    hasLoop: /\b(for|while|loop)\b|\.map\(|\.forEach\(/.test(code),
    hasBranch: /\b(if|switch|match|case|elif|else)\b/.test(code),
    isAsync: /\b(async|await|Promise|go func|tokio)\b/.test(code),
  };
}

function explainZh({ lines, names, hasLoop, hasBranch, isAsync }: Pasted): string {
  const named = names.length > 0 ? `，里面出现的名字有 ${names.map((name) => `\`${name}\``).join('、')}` : '';
  const notes = [
    hasLoop ? '- **循环**：留意它遍历的数据有多大，以及循环体里有没有可以提到外面的计算。' : '',
    hasBranch ? '- **分支**：每个条件都想一遍“不成立时会怎样”，空值和边界值最容易漏。' : '',
    isAsync ? '- **异步**：等待期间状态可能已经变了；出错和取消都要有去处。' : '',
    '- **命名**：名字如果需要注释才看得懂，就值得换一个。',
  ].filter((note) => note !== '');
  return `这段代码一共 ${lines} 行${named}。我会这样读它：\n\n1. 先看输入和输出，弄清它**答应了什么**；\n2. 再顺着主流程走一遍，不管异常；\n3. 最后回头看异常和边界。\n\n读的时候可以留意：\n\n${notes.join('\n')}\n\n如果告诉我你卡在哪一行，我可以就那一处讲得更细。`;
}

function explainEn({ lines, names, hasLoop, hasBranch, isAsync }: Pasted): string {
  const named = names.length > 0 ? ` and introduces ${names.map((name) => `\`${name}\``).join(', ')}` : '';
  const notes = [
    hasLoop
      ? '- **Loops**: check how large the data can get and whether anything in the body could move outside.'
      : '',
    hasBranch
      ? '- **Branches**: ask of each condition what happens when it is false; empty and boundary values slip through here.'
      : '',
    isAsync
      ? '- **Async**: state may have changed while it waited; failures and cancellation both need somewhere to go.'
      : '',
    '- **Names**: if a name needs a comment, it deserves a better name.',
  ].filter((note) => note !== '');
  return `This snippet has ${lines} ${lines === 1 ? 'line' : 'lines'}${named}. Here is how I’d read it:\n\n1. Start with inputs and outputs: what does it **promise**?\n2. Walk the main path once, ignoring errors.\n3. Go back for the errors and edge cases.\n\nWhile reading, watch for:\n\n${notes.join('\n')}\n\nTell me which line puzzles you and I’ll go into detail there.`;
}

function sampleFor(prompt: string): string {
  if (/python|\bpy\b/i.test(prompt)) return PYTHON;
  if (/\bsql\b|postgres|mysql|查询语句/i.test(prompt)) return SQL;
  return TYPESCRIPT;
}

const NOTES: Record<string, { zh: string; en: string }> = {
  [TYPESCRIPT]: {
    zh: '- `timer` 留在闭包里，每个防抖函数各有一个，互不影响。\n- 每次调用都先取消上一次的定时，所以只有**最后一次**会真正执行。\n- 用 `Args` 这个类型参数，参数类型会原样传给内层函数。',
    en: '- `timer` lives in the closure, so each debounced function has its own.\n- Every call cancels the one before it, so only the **last** one really runs.\n- The type parameter `Args` carries the argument types through unchanged.',
  },
  [PYTHON]: {
    zh: '- `Counter` 一次遍历就完成计数，不需要自己写字典。\n- 明确写出 `encoding="utf-8"`，在不同系统上结果才一致。\n- 中文没有空格分词，要统计中文请先用分词库处理。',
    en: '- `Counter` tallies everything in one pass; no dictionary bookkeeping needed.\n- Naming `encoding="utf-8"` keeps the result the same on every system.\n- `split()` breaks on whitespace only, so punctuation stays attached; strip it first if that matters.',
  },
  [SQL]: {
    zh: '- `date_trunc` 取当月第一天，条件可以用上 `created_at` 的索引。\n- 先分组再排序，`limit` 只在最后起作用。\n- 金额请用整数分或 `numeric`，不要用浮点数。',
    en: '- `date_trunc` yields the first day of this month, so an index on `created_at` still helps.\n- Grouping comes before sorting; `limit` only applies at the very end.\n- Store amounts as integer cents or `numeric`, never as floats.',
  },
};

export const CODE: Topic = {
  matches: ({ prompt }) =>
    FENCED.test(prompt) ||
    /代码|函数|编程|写个脚本|防抖|正则|\b(code|function|script|typescript|javascript|python|sql|regex|algorithm|debounce)\b/i.test(
      prompt,
    ),
  thoughts: {
    zh: '**理解需求**\n\n先弄清要解决什么问题、用哪种语言，再给出能直接运行的最小例子，并解释关键的两三处。',
    en: '**Understanding the request**\n\nI’ll work out which problem and which language, give the smallest example that runs as is, and explain the two or three lines that matter.',
  },
  answer: {
    zh: (asked) => {
      const pasted = readPasted(asked);
      if (pasted) return explainZh(pasted);
      const sample = sampleFor(asked.prompt);
      return `可以这样写：\n\n${sample}\n\n几个要点：\n\n${NOTES[sample]?.zh}\n\n需要我补上测试，或者换一种语言吗？`;
    },
    en: (asked) => {
      const pasted = readPasted(asked);
      if (pasted) return explainEn(pasted);
      const sample = sampleFor(asked.prompt);
      return `Here is one way to write it:\n\n${sample}\n\nWhat to notice:\n\n${NOTES[sample]?.en}\n\nShall I add tests, or show it in another language?`;
    },
  },
};
