import { calculate } from '../answers/calculate.ts';
import { detectLanguage, shorten } from '../answers/topic.ts';
import type { Question } from '../plan-answer.ts';
import { drawPlot } from './draw-plot.ts';
import { groundingOf, queriesFor } from './found-pages.ts';
import { InvalidArgument } from './invalid-argument.ts';

/** What Google's own tools brought for an answer. */
export interface UsedTools {
  /** Parts that come before the text. */
  parts: object[];
  /** What is said instead of what the prompt alone would bring; null: nothing else. */
  answer: string | null;
  /** Fields of the last candidate, once the whole answer is known. */
  metadata(answer: string): object;
  /** Tokens of what was opened. */
  toolTokens: number;
}

const IS_TOLD = /\bsearch the web\b/i;
const NEEDS_SEARCH =
  /最新|最近|今天|今年|本周|新闻|天气|股价|汇率|\b(latest|recent|today|this (week|year)|news|weather|stock price|exchange rate)\b/i;
const ADDRESS = /https?:\/\/[^\s<>"'，。；！？、（）]+/gi;
const NEEDS_CODE =
  /计算|求和|平均|统计|画(一|个|出)?|图表|\b(calculate|compute|sum of|average|plot|chart)\b|\d\s*[-+*/×÷]\s*\d/i;
/** Google opens no more for one question, and a usual page is so long. */
const MAX_ADDRESSES = 20;
const PAGE_TOKENS = 5_500;

/** What the tools that a request offers are used for; null: for nothing. Throws `InvalidArgument`. */
export function playTools(question: Question, prompt: string): UsedTools | null {
  const { tools, system } = question;
  const isSearched = tools?.search === true && (IS_TOLD.test(system) || NEEDS_SEARCH.test(prompt));
  const pages = tools?.addresses ? openPages(prompt) : [];
  const ran = tools?.code && NEEDS_CODE.test(prompt) ? runCode(question, prompt) : null;
  if (!isSearched && pages.length === 0 && !ran) return null;
  const queries = isSearched ? queriesFor(prompt) : [];
  const language = detectLanguage(prompt);
  const said = [
    ...(pages.length > 0 ? [SAYS_PAGES[language](pages)] : []),
    ...(isSearched && NEEDS_SEARCH.test(prompt) ? [SAYS_FOUND[language](shorten(prompt, 24))] : []),
    ...(ran?.answer ? [ran.answer] : []),
  ];
  return {
    parts: [...(tools?.echoes ? toolParts(question, queries, pages) : []), ...(ran?.parts ?? [])],
    answer: said.length > 0 ? said.join('\n\n') : null,
    metadata: (answer) => ({
      ...(isSearched ? { groundingMetadata: groundingOf(answer, queries) } : {}),
      ...(pages.length > 0 ? { urlContextMetadata: { urlMetadata: pages } } : {}),
    }),
    toolTokens: pages.filter(({ urlRetrievalStatus }) => urlRetrievalStatus === SUCCESS).length * PAGE_TOKENS,
  };
}

interface OpenedPage {
  retrievedUrl: string;
  urlRetrievalStatus: string;
}

const SUCCESS = 'URL_RETRIEVAL_STATUS_SUCCESS';

/** What is behind each address is played by a word in it (https://ai.google.dev/gemini-api/docs/url-context). */
function openPages(prompt: string): OpenedPage[] {
  const found = [...new Set(prompt.match(ADDRESS))].map((one) => one.replace(/[.,;:!?)\]]+$/, ''));
  if (found.length > MAX_ADDRESSES) {
    throw new InvalidArgument(
      `Number of urls to lookup exceeds the limit (${found.length} > ${MAX_ADDRESSES})`,
    );
  }
  return found.map((retrievedUrl) => {
    const word = /paywall|unsafe|missing/.exec(retrievedUrl)?.[0];
    const status = { paywall: 'PAYWALL', unsafe: 'UNSAFE', missing: 'ERROR' }[word ?? ''] ?? 'SUCCESS';
    return { retrievedUrl, urlRetrievalStatus: `URL_RETRIEVAL_STATUS_${status}` };
  });
}

const SAYS_PAGES = {
  zh: (pages: OpenedPage[]) =>
    `我打开了你给的 ${pages.length} 个地址：\n\n${pages
      .map(({ retrievedUrl, urlRetrievalStatus }) =>
        urlRetrievalStatus === SUCCESS
          ? `- \`${retrievedUrl}\`：读到了正文，讲的是一件事的起因、经过和结果。`
          : `- \`${retrievedUrl}\`：没能读到内容。`,
      )
      .join('\n')}`,
  en: (pages: OpenedPage[]) =>
    `I opened the ${pages.length === 1 ? 'address' : `${pages.length} addresses`} you gave:\n\n${pages
      .map(({ retrievedUrl, urlRetrievalStatus }) =>
        urlRetrievalStatus === SUCCESS
          ? `- \`${retrievedUrl}\`: read it; it tells how something began, went on and ended.`
          : `- \`${retrievedUrl}\`: could not be read.`,
      )
      .join('\n')}`,
};

const SAYS_FOUND = {
  zh: (matter: string) =>
    `关于“${matter}”，本机模拟的搜索结果是这样说的：\n\n- 第一个网页给出了时间和地点，并且说明数字会变化。\n- 第二个网页的说法相同 😀，只是范围更窄一些。\n- 第三个网页提醒大家，引用之前先核对日期。\n\n三个网页一致的部分最可靠。`,
  en: (matter: string) =>
    `The local stand-in for a search says this about “${matter}”:\n\n- The first page names dates and places, and says that the figures change.\n- The second page agrees 😀 within a narrower scope.\n- The third page advises checking the date before quoting it.\n\nWhat all three pages share is the most reliable part.`,
};

const SQUARES = [1, 4, 9, 16, 25, 36, 49, 64, 81, 100];

/** Code that was run, what it printed, and its plot (https://ai.google.dev/gemini-api/docs/code-execution). */
function runCode(question: Question, prompt: string): { parts: object[]; answer: string | null } {
  const plain = prompt.replace(/[×xX]/g, '*').replace(/÷/g, '/');
  const expression = /\(*\d[\d.]*(?:\s*[-+*/]\s*\(*\d[\d.]*\)*)+/.exec(plain)?.[0];
  const value = expression === undefined ? null : calculate(expression);
  const numbers =
    value === null ? SQUARES : [...(expression?.match(/\d+(?:\.\d+)?/g) ?? []).map(Number), value];
  const code =
    value === null
      ? 'import matplotlib.pyplot as plt\n\nvalues = [n * n for n in range(1, 11)]\nprint(sum(values))\nplt.bar(range(1, 11), values)\nplt.show()\n'
      : `import matplotlib.pyplot as plt\n\nresult = ${expression}\nprint(result)\nplt.bar(range(${numbers.length}), [${numbers.join(', ')}])\nplt.show()\n`;
  const output = `${value ?? 385}\n`;
  const data = drawPlot(numbers).toString('base64');
  const said = { zh: '1 到 10 的平方和是 **385**。', en: 'The squares of 1 to 10 add up to **385**.' };
  return {
    parts: [
      { executableCode: { language: 'PYTHON', code }, thoughtSignature: `sig/${question.model}/code` },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output } },
      { inlineData: { mimeType: 'image/png', data } },
    ],
    answer: value === null ? said[detectLanguage(prompt)] : null,
  };
}

/** With `includeServerSideToolInvocations` the calls of Google's own tools are parts, which are to come back as they are. */
function toolParts({ model }: Question, queries: string[], pages: OpenedPage[]): object[] {
  const calls = [
    ...(queries.length > 0 ? [{ toolType: 'GOOGLE_SEARCH_WEB', args: { queries } }] : []),
    ...(pages.length > 0
      ? [{ toolType: 'URL_CONTEXT', args: { urls: pages.map(({ retrievedUrl }) => retrievedUrl) } }]
      : []),
  ];
  return calls.flatMap(({ toolType, args }, index) => [
    { toolCall: { id: `tool-${index}`, toolType, args }, thoughtSignature: `sig/${model}/tool-${index}` },
    { toolResponse: { id: `tool-${index}`, toolType, response: {} } },
  ]);
}
