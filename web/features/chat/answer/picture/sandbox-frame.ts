/**
 * Puts an order to a document of ours that runs in a sandbox, which has no origin and thus none of this page's rights, and passes
 * on what it says. The frame needs `sandbox="allow-scripts"` and nothing more, and must not have loaded yet: React calls this in a
 * layout effect. Returns what ends it.
 */
export function orderFrame(
  frame: HTMLIFrameElement,
  order: unknown,
  onAnswer: (data: unknown) => void,
): () => void {
  const receive = ({ source, data }: MessageEvent<unknown>) => {
    if (source === frame.contentWindow) onAnswer(data);
  };
  const give = () => frame.contentWindow?.postMessage(order, '*');
  addEventListener('message', receive);
  frame.addEventListener('load', give);
  return () => {
    removeEventListener('message', receive);
    frame.removeEventListener('load', give);
  };
}
