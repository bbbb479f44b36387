import mermaid from 'mermaid';
import { themeOf } from './theme.ts';

/** What the chat wants drawn; see `web/features/chat/answer/picture/draw-diagram.ts`. */
interface DiagramOrder {
  id: number;
  source: string;
  dark: boolean;
}

let line = Promise.resolve();

addEventListener('message', ({ source, data }: MessageEvent<DiagramOrder | null>) => {
  if (source === parent && data) line = line.then(() => answer(data));
});
parent.postMessage('ready', '*');

/** Draws one diagram and sends the chat its picture and size, or nothing but the order's number when it cannot be drawn. */
async function answer({ id, source, dark }: DiagramOrder): Promise<void> {
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      maxEdges: 300,
      fontFamily: 'system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif',
      ...themeOf(dark),
    });
    const { svg } = await mermaid.render(`diagram-${id}`, source);
    parent.postMessage({ id, ...asPicture(svg) }, '*');
  } catch {
    document.body.replaceChildren();
    parent.postMessage({ id }, '*');
  }
}

/** The drawing with a size of its own, as well-formed XML. */
function asPicture(svg: string) {
  const box = document.createElement('div');
  box.innerHTML = svg;
  const picture = box.querySelector('svg');
  if (!picture) throw new Error('nothing was drawn');
  const { width, height } = picture.viewBox.baseVal;
  picture.setAttribute('width', String(width));
  picture.setAttribute('height', String(height));
  picture.style.removeProperty('max-width');
  return { svg: new XMLSerializer().serializeToString(picture), width, height };
}
