import { Nothing } from './nothing.tsx';
import { useFormat } from './use-format.ts';

/** A moment in the operator's time zone, written out where it is pointed at or has the focus. */
export function When({ at }: { at: number | null }) {
  const { moment, fullMoment } = useFormat();
  if (at === null) return <Nothing />;
  return (
    <time
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the whole moment is to be had by keyboard and touch too.
      tabIndex={0}
      dateTime={new Date(at).toISOString()}
      data-full={fullMoment(at)}
      className="when whitespace-nowrap tabular-nums"
    >
      {moment(at)}
    </time>
  );
}
