import { Code, Workflow } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { useDark } from '#web/lib/theme.ts';
import { CodeBlock } from '../code/code-block.tsx';
import { type DrawnDiagram, drawDiagram } from './draw-diagram.ts';
import { whenNear } from './reveal.ts';

const LANGUAGE = 'mermaid';
/** A diagram is made narrower than it is drawn down to this part of its width; then it is scrolled. */
const MIN_SCALE = 0.6;

/** A Mermaid diagram: its picture as soon as it is drawn, its source until then, where it cannot be drawn, and on demand. */
export function Diagram({ source }: { source: string }) {
  const { t } = useTranslation('common');
  const [drawn, setDrawn] = useState<DrawnDiagram | null | 'waiting'>('waiting');
  const [asSource, setAsSource] = useState(false);
  const [near, setNear] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const dark = useDark();
  useEffect(() => (place.current ? whenNear(place.current, () => setNear(true)) : undefined), []);
  useEffect(() => {
    if (!near) return;
    let left = false;
    const show = (diagram: DrawnDiagram | null) => {
      if (!left) setDrawn(diagram);
    };
    drawDiagram(source, dark).then(show, () => show(null));
    return () => {
      left = true;
    };
  }, [source, dark, near]);
  const isDrawn = drawn !== 'waiting' && drawn !== null;
  return (
    <div ref={place}>
      {isDrawn && !asSource ? (
        <Sheet source={source} drawn={drawn} onSource={() => setAsSource(true)} />
      ) : (
        <CodeBlock language={LANGUAGE} code={source}>
          {drawn === null ? <span role="status">{t('chat.diagramFailed')}</span> : null}
          {isDrawn ? (
            <button type="button" onClick={() => setAsSource(false)}>
              <Workflow aria-hidden size={14} strokeWidth={1.5} />
              {t('chat.diagramShow')}
            </button>
          ) : null}
        </CodeBlock>
      )}
    </div>
  );
}

interface SheetProps {
  source: string;
  drawn: DrawnDiagram;
  onSource: () => void;
}

function Sheet({ source, drawn, onSource }: SheetProps) {
  const { t } = useTranslation('common');
  return (
    <figure className="code-block diagram">
      <figcaption>
        <span>{LANGUAGE}</span>
        <span className="actions">
          <button type="button" onClick={onSource}>
            <Code aria-hidden size={14} strokeWidth={1.5} />
            {t('chat.diagramSource')}
          </button>
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide diagram is scrolled by keyboard too. */}
      <div className="sheet" tabIndex={0}>
        <img
          src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn.svg)}`}
          width={drawn.width}
          height={drawn.height}
          style={{ minWidth: Math.round(drawn.width * MIN_SCALE) }}
          alt={t('chat.diagramOf', { kind: /^\s*(\w+)/.exec(source)?.[1] ?? LANGUAGE })}
        />
      </div>
    </figure>
  );
}
