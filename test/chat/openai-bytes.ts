/** A stream as OpenAI sends it: a chunk for each delta, then the reason of the end; undefined: it breaks off. */
export function openaiBytes(deltas: object[], finishReason: string | undefined): string {
  const choices = [
    ...deltas.map((delta) => ({ index: 0, delta, finish_reason: null })),
    ...(finishReason === undefined ? [] : [{ index: 0, delta: {}, finish_reason: finishReason }]),
  ];
  const chunks = choices.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`).join('');
  return finishReason === undefined ? chunks : `${chunks}data: [DONE]\n\n`;
}
