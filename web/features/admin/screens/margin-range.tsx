import { type FormEvent, type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { MARGIN_DAYS, MAX_MARGIN_DAYS } from '#contract/admin/margin.ts';
import { DAY_MS } from '#contract/time.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { Choice } from '../show/choice.tsx';

/** What is asked for where the address says nothing else. */
const DEFAULT_DAYS = '30';
const CUSTOM = 'custom';

/** The query string that asks for what the address of the screen says, with its question mark. */
export function marginQuery(parameters: URLSearchParams): string {
  const of = (name: string) => parameters.get(name) ?? '';
  const isCustom = of('days') === CUSTOM;
  const asked = new URLSearchParams(
    Object.entries({
      days: isCustom ? '' : of('days') || DEFAULT_DAYS,
      from: isCustom ? of('from') : '',
      to: isCustom ? of('to') : '',
      users: of('users'),
    }).filter(([, value]) => value !== ''),
  );
  return `?${asked}`;
}

/** Whether these days can be asked for; an empty one is left to the server. */
export function areDays(from: string, to: string): boolean {
  if (from === '' || to === '') return true;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return days >= 1 && days <= MAX_MARGIN_DAYS;
}

/** Chooses the days and whose answers are counted; both stand in the address. */
export function MarginRange({ children }: { children: ReactNode }) {
  const { t } = useTranslation('admin');
  const isCustom = useSearchParams()[0].get('days') === CUSTOM;
  const labelOf = (days: string) =>
    days === '1' ? t('admin.margin.today') : t('admin.margin.lastDays', { days });
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Choice
        name="days"
        label={t('admin.margin.days')}
        options={[
          ...MARGIN_DAYS.map((days) => ({ value: days === DEFAULT_DAYS ? '' : days, label: labelOf(days) })),
          { value: CUSTOM, label: t('admin.margin.custom') },
        ]}
      />
      <Choice
        name="users"
        label={t('admin.margin.users')}
        options={[
          { value: '', label: t('admin.margin.everyone') },
          { value: 'paid', label: t('admin.margin.paid') },
        ]}
      />
      {isCustom ? <Dates /> : null}
      {children}
    </div>
  );
}

/** The first and the last day. */
function Dates() {
  const { t } = useTranslation('admin');
  const [parameters, setParameters] = useSearchParams();
  const [isWrong, setIsWrong] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const areFine = areDays(String(typed.get('from')), String(typed.get('to')));
    setIsWrong(!areFine);
    if (!areFine) return;
    setParameters((before) => {
      const next = new URLSearchParams(before);
      for (const name of ['from', 'to']) {
        const value = String(typed.get(name));
        if (value === '') next.delete(name);
        else next.set(name, value);
      }
      return next;
    });
  };
  const fields = [
    { name: 'from', label: t('admin.margin.from') },
    { name: 'to', label: t('admin.margin.to') },
  ];
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      {fields.map(({ name, label }) => (
        <TextField
          key={name}
          type="date"
          name={name}
          label={label}
          defaultValue={parameters.get(name) ?? ''}
          error={isWrong && name === 'to' ? t('admin.margin.wrongDays') : undefined}
        />
      ))}
      <Button type="submit" variant="secondary">
        {t('admin.margin.show')}
      </Button>
    </form>
  );
}
