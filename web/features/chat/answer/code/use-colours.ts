import { useEffect, useRef, useState } from 'react';
import { type ColouredLines, highlight } from './highlighter.ts';

const NONE: readonly ColouredLines[] = [];

/** Code that changed is still being written, as in a list, whose end is not known; it is coloured when it stays the same. */
const REST_MS = 200;

/** The coloured chunks of code as they come, by their place; nothing before the code is `whole`. */
export function useColours(language: string, code: string, whole: boolean): readonly ColouredLines[] {
  const [coloured, setColoured] = useState({ code, chunks: NONE });
  const first = useRef(code);
  useEffect(() => {
    if (!whole || language === '') return;
    let stop = () => {};
    const begin = () => {
      stop = highlight(language, code, ({ place, lines }) =>
        setColoured((last) => {
          const chunks = last.code === code ? [...last.chunks] : [];
          chunks[place] = lines;
          return { code, chunks };
        }),
      );
    };
    const timer = setTimeout(begin, first.current === code ? 0 : REST_MS);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [language, code, whole]);
  return coloured.code === code ? coloured.chunks : NONE;
}
