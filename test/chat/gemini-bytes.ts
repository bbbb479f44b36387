/** A stream as Gemini sends it: each event a list of parts as JSON text, the last with the reason of the end and what else `last` says. */
export function geminiBytes(events: string[][], last: object = {}): string {
  return events
    .map((parts, index) => {
      const isLast = index === events.length - 1;
      const fields = isLast ? JSON.stringify({ finishReason: 'STOP', ...last }).slice(1, -1) : '';
      const end = fields === '' ? '' : `,${fields}`;
      return `data: {"candidates":[{"content":{"parts":[${parts.join(',')}],"role":"model"}${end},"index":0}],"modelVersion":"m-1"}\r\n\r\n`;
    })
    .join('');
}

/** What Gemini says of so many searches: one source, which stands behind the first three bytes. */
export function searched(times: number): object {
  return {
    groundingMetadata: {
      webSearchQueries: Array.from({ length: times }, (_, n) => `query ${n}`),
      groundingChunks: [{ web: { uri: 'https://a.example/', title: 'A' } }],
      groundingSupports: [{ segment: { startIndex: 0, endIndex: 3 }, groundingChunkIndices: [0] }],
    },
  };
}
