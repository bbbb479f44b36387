import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useFormat } from './use-format.ts';

/** Names and values, side by side. What is null is left out. */
export function Facts({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-4 sm:grid sm:grid-cols-[repeat(auto-fill,minmax(15rem,1fr))]">
      {items
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name} className="min-w-fit max-w-full grow basis-2/5 sm:min-w-0">
            <dt className="text-soft text-sm">{name}</dt>
            <dd className="break-words tabular-nums">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Figures that are looked at first, in boxes beside each other. */
export function Figures({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-card border border-line sm:grid-cols-4">
      {children}
    </dl>
  );
}

interface FigureProps {
  name: string;
  value: number | string;
  /** The same of the day before. */
  before?: number | string;
  note?: string | null;
  to?: string;
  isFault?: boolean;
}

/** One of them; where there is more behind it, it leads there. */
export function Figure({ name, value, before, note = null, to, isFault = false }: FigureProps) {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  const say = (figure: number | string) => (typeof figure === 'number' ? whole(figure) : figure);
  const shown = say(value);
  const beneath = before === undefined ? note : t('admin.today.before', { value: say(before) });
  return (
    <div className="relative row-span-2 -mr-px -mb-px grid grid-rows-subgrid gap-0.5 border-line border-r border-b px-4 py-3 has-[a:hover]:bg-sunken max-sm:last:odd:col-span-2 sm:last:nth-[4n+2]:col-span-3 sm:last:nth-[4n+3]:col-span-2">
      <dt className="text-soft text-sm">{name}</dt>
      <dd>
        <span
          className={classNames(
            'font-medium text-xl tabular-nums',
            isFault && 'text-danger',
            value === 0 && 'text-soft',
          )}
        >
          {to ? (
            <Link
              to={to}
              className={classNames(
                'after:absolute after:inset-0',
                value !== 0 && 'underline underline-offset-4',
                !isFault && 'decoration-line',
              )}
              aria-label={`${name} ${shown}`}
            >
              {shown}
            </Link>
          ) : (
            shown
          )}
        </span>
        {beneath ? <span className="block text-soft text-sm">{beneath}</span> : null}
      </dd>
    </div>
  );
}
