import { useLayoutEffect, useRef, useState } from 'react';
import { useModule } from '#web/lib/use-module.ts';
import { classNames } from '#web/ui/class-names.ts';

const loadKatex = () => import('./katex.ts');

/** A formula in TeX, drawn as soon as what draws it is here; shown as it is written until then and where it cannot be drawn. */
export function Formula({ formula, display }: { formula: string; display: boolean }) {
  const katex = useModule(true, loadKatex);
  const place = useRef<HTMLSpanElement>(null);
  const [drawn, setDrawn] = useState(false);
  useLayoutEffect(() => {
    if (katex && place.current) setDrawn(katex.drawFormula(place.current, formula, display));
  }, [katex, formula, display]);
  const failed = katex !== null && !drawn;
  return (
    <span className={classNames('formula', display && 'display')} tabIndex={display ? 0 : undefined}>
      {drawn ? null : <code className={failed ? 'failed' : undefined}>{formula}</code>}
      <span ref={place} hidden={!drawn} />
    </span>
  );
}
