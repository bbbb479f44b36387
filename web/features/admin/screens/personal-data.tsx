import { useQuery } from '@tanstack/react-query';
import type { PersonalDataScreen as PersonalData } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { screenQuery } from '../show/admin-query.ts';
import { UserLink } from '../show/links.tsx';
import { Records } from '../show/records.tsx';
import { Loaded, Part, Screen } from '../show/screen.tsx';
import { StateTag } from '../show/state-tag.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';
import { When } from '../show/when.tsx';

/** Exports and deletions that are due, or did not work. */
export function PersonalDataScreen() {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  const word = useWords();
  const query = useQuery(screenQuery<PersonalData>('personal-data'));
  return (
    <Screen title={t('admin.screen.personal-data')} lead={t('admin.personalData.lead')}>
      <Loaded query={query}>
        {({ exports, deletions }) => (
          <>
            <Part title={t('admin.personalData.deletions')}>
              <Records
                label={t('admin.personalData.deletions')}
                rows={deletions}
                keyOf={({ userId }) => userId}
                empty={t('admin.personalData.noDeletions')}
                columns={[
                  { name: t('admin.column.user'), cell: ({ userId }) => <UserLink id={userId} /> },
                  {
                    name: t('admin.column.asked'),
                    kind: 'short',
                    cell: ({ askedAt }) => <When at={askedAt} />,
                  },
                  { name: t('admin.column.tries'), kind: 'number', cell: ({ tries }) => whole(tries) },
                  {
                    name: t('admin.column.nextTry'),
                    kind: 'short',
                    cell: ({ nextTryAt }) => <When at={nextTryAt} />,
                  },
                  { name: t('admin.column.error'), cell: ({ error }) => error },
                ]}
              />
            </Part>
            <Part title={t('admin.personalData.exports')}>
              <Records
                label={t('admin.personalData.exports')}
                rows={exports}
                keyOf={({ userId, requestedAt }) => `${userId} ${requestedAt}`}
                empty={t('admin.personalData.noExports')}
                columns={[
                  { name: t('admin.column.user'), cell: ({ userId }) => <UserLink id={userId} /> },
                  {
                    name: t('admin.column.state'),
                    kind: 'short',
                    cell: ({ state }) => <StateTag state={state} word={word('export', state)} />,
                  },
                  {
                    name: t('admin.column.asked'),
                    kind: 'short',
                    cell: ({ requestedAt }) => <When at={requestedAt} />,
                  },
                  { name: t('admin.column.tries'), kind: 'number', cell: ({ tries }) => whole(tries) },
                  { name: t('admin.column.error'), cell: ({ error }) => error },
                ]}
              />
            </Part>
          </>
        )}
      </Loaded>
    </Screen>
  );
}
