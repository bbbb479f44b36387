const PAGES = [
  ['https://www.example.com/red-leaves', 'Red leaves in Kyoto: when and where'],
  ['https://zh.example.org/hongye', '京都红叶时间表'],
  ['https://xn--fiq228c.example/guide', 'A guide to temples at night'],
] as const;

/** What a hostile page says of itself: each is to be shown as text, and lead nowhere that it should not. */
const HOSTILE = [
  ['javascript:alert(document.domain)', '<img src=x onerror=alert(1)>'],
  ['data:text/html,<script>alert(1)</script>', 'https://www.bank.example'],
  ['https://xn--pple-43d.example/login', '\u202Emoc.elppa.www'],
] as const;

/**
 * The last event of an answer that searched the web (https://ai.google.dev/gemini-api/docs/google-search): the pages, and which of
 * them stand behind each sentence. Its places count UTF-8 bytes.
 */
export function foundPages(answer: string, isHostile: boolean): string {
  const pages = isHostile ? HOSTILE : PAGES;
  const supports = [...answer.matchAll(/[^\n。.!?！？]{6,}[。.!?！？]/g)].map(
    ({ 0: text, index }, place) => ({
      segment: {
        startIndex: Buffer.byteLength(answer.slice(0, index)),
        endIndex: Buffer.byteLength(answer.slice(0, index + text.length)),
        text,
      },
      groundingChunkIndices: place % 4 === 3 ? [0, 1, 2] : [place % pages.length],
    }),
  );
  const groundingMetadata = {
    webSearchQueries: ['京都 红叶 时间', 'Kyoto autumn leaves'],
    groundingChunks: pages.map(([uri, title]) => ({ web: { uri, title } })),
    groundingSupports: supports,
  };
  return event({
    content: { parts: [{ text: '' }], role: 'model' },
    finishReason: 'STOP',
    index: 0,
    groundingMetadata,
  });
}

/** Code that was run for an answer, and what it printed (https://ai.google.dev/gemini-api/docs/code-execution). */
export function ranCode(): string {
  const code = 'total = sum(n * n for n in range(1, 11))\nprint(total)\n';
  return [
    { executableCode: { language: 'PYTHON', code } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '385\n' } },
  ]
    .map((part) => event({ content: { parts: [part], role: 'model' }, index: 0 }))
    .join('');
}

function event(candidate: object): string {
  return `data: ${JSON.stringify({ candidates: [candidate] })}\r\n\r\n`;
}
