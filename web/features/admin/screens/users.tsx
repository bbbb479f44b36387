import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useSearchParams } from 'react-router';
import type { UsersScreen as Users } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { screenQuery } from '../show/admin-query.ts';
import { UserLink } from '../show/links.tsx';
import { Records } from '../show/records.tsx';
import { Loaded, Screen } from '../show/screen.tsx';
import { When } from '../show/when.tsx';

/** Finds users; what is looked for stands in the address. */
export function UsersScreen() {
  const { t } = useTranslation('admin');
  const [parameters, setParameters] = useSearchParams();
  const find = parameters.get('find') ?? '';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('find')).trim();
    setParameters(typed === '' ? {} : { find: typed });
  };
  return (
    <Screen title={t('admin.screen.users')} lead={t('admin.users.lead')}>
      {/* biome-ignore lint/a11y/useSemanticElements: <search> is not known to every browser. */}
      <form role="search" onSubmit={submit} className="flex max-w-prose flex-wrap items-end gap-2">
        <TextField
          key={find}
          label={t('admin.users.find')}
          name="find"
          type="search"
          defaultValue={find}
          maxLength={254}
          autoComplete="off"
          spellCheck={false}
          className="min-w-0 flex-1 basis-64"
        />
        <Button type="submit">{t('admin.users.submit')}</Button>
      </form>
      {find === '' ? null : <Found find={find} />}
    </Screen>
  );
}

function Found({ find }: { find: string }) {
  const { t } = useTranslation('admin');
  const query = useQuery(screenQuery<Users>(`users?${new URLSearchParams({ find })}`));
  return (
    <Loaded query={query}>
      {({ users }) => (
        <Records
          label={t('admin.screen.users')}
          rows={users}
          keyOf={({ id }) => id}
          empty={t('admin.users.none')}
          columns={[
            { name: t('admin.column.email'), cell: ({ id, email }) => <UserLink id={id} email={email} /> },
            { name: t('admin.column.name'), cell: ({ name }) => <bdi>{name}</bdi> },
            {
              name: t('admin.column.opened'),
              kind: 'short',
              cell: ({ createdAt }) => <When at={createdAt} />,
            },
            {
              name: t('admin.column.lastSignIn'),
              kind: 'short',
              cell: ({ lastSignInAt }) => <When at={lastSignInAt} />,
            },
            {
              name: t('admin.column.state'),
              kind: 'short',
              cell: ({ isLeaving }) => (isLeaving ? t('admin.users.leaving') : t('admin.users.usual')),
            },
          ]}
        />
      )}
    </Loaded>
  );
}
