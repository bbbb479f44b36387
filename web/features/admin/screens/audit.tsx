import type { FormEvent } from 'react';
import { useSearchParams } from 'react-router';
import { AUDIT_ACTS } from '#contract/admin/acts.ts';
import type { AuditScreen as Audit } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { buttonStyle } from '#web/ui/button-style.ts';
import { TextField } from '#web/ui/text-field.tsx';
import { AuditRecords } from '../show/audit-records.tsx';
import { Choice } from '../show/choice.tsx';
import { Pages } from '../show/pages.tsx';
import { Screen } from '../show/screen.tsx';
import { useWords } from '../show/use-words.ts';

/** Everything that operators did; nothing in it changes or goes. */
export function AuditScreen() {
  const { t } = useTranslation('admin');
  const [parameters] = useSearchParams();
  const of = (name: string) => parameters.get(name) ?? '';
  const filter = { actor: of('actor'), act: of('act'), userId: of('userId') };
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return (
    <Screen title={t('admin.screen.audit')} lead={t('admin.audit.lead')}>
      <Filters filter={filter} />
      <Pages<Audit> path="audit" filter={filter}>
        {(pages) => (
          <AuditRecords
            hasUser
            lines={pages.flatMap(({ lines }) => lines)}
            empty={t(isFiltered ? 'admin.audit.noneOfThese' : 'admin.audit.none')}
          />
        )}
      </Pages>
    </Screen>
  );
}

function Filters({ filter }: { filter: { actor: string; userId: string } }) {
  const { t } = useTranslation('admin');
  const word = useWords();
  const [, setParameters] = useSearchParams();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    setParameters((before) => {
      const next = new URLSearchParams(before);
      for (const name of ['actor', 'userId']) {
        const value = String(typed.get(name)).trim();
        if (value === '') next.delete(name);
        else next.set(name, value);
      }
      return next;
    });
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <Choice
        name="act"
        label={t('admin.column.act')}
        options={[
          { value: '', label: t('admin.everything') },
          ...AUDIT_ACTS.map((value) => ({ value, label: word('act', value) })),
        ]}
      />
      <TextField
        key={`actor ${filter.actor}`}
        label={t('admin.column.actor')}
        name="actor"
        defaultValue={filter.actor}
        autoComplete="off"
        className="min-w-0 flex-1 basis-48"
      />
      <TextField
        key={`user ${filter.userId}`}
        label={t('admin.audit.userId')}
        name="userId"
        defaultValue={filter.userId}
        autoComplete="off"
        spellCheck={false}
        className="min-w-0 flex-1 basis-48"
      />
      <Button type="submit" variant="secondary">
        {t('admin.audit.filter')}
      </Button>
      <a href="/api/admin/audit.csv" download className={buttonStyle('quiet')}>
        {t('admin.audit.csv')}
      </a>
    </form>
  );
}
