import type { FailuresScreen as Failures } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { FailureCause } from '../show/failure-cause.tsx';
import { UserLink } from '../show/links.tsx';
import { Pages } from '../show/pages.tsx';
import { Records } from '../show/records.tsx';
import { Screen } from '../show/screen.tsx';
import { ShortId } from '../show/short-id.tsx';
import { StateTag } from '../show/state-tag.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';
import { When } from '../show/when.tsx';

/** Answers that did not come, and the credits that went back. */
export function FailuresScreen() {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  const word = useWords();
  return (
    <Screen title={t('admin.screen.failures')} lead={t('admin.failures.lead')}>
      <Pages<Failures> path="failures" filter={{}}>
        {(pages) => (
          <Records
            label={t('admin.screen.failures')}
            rows={pages.flatMap(({ failures }) => failures)}
            keyOf={({ messageId }) => messageId}
            empty={t('admin.failures.none')}
            columns={[
              { name: t('admin.failures.cause'), cell: (row) => <FailureCause {...row} /> },
              {
                name: t('admin.column.state'),
                kind: 'short',
                cell: ({ status }) => <StateTag state={status} word={word('answer', status)} />,
              },
              {
                name: t('admin.failures.model'),
                cell: ({ model, upstreamModel }) => (
                  <span lang="zxx">{upstreamModel === null ? model : `${model} (${upstreamModel})`}</span>
                ),
              },
              {
                name: t('admin.failures.via'),
                kind: 'short',
                cell: ({ viaApi }) => t(viaApi ? 'admin.failures.api' : 'admin.failures.chat'),
              },
              { name: t('admin.failures.released'), kind: 'number', cell: ({ released }) => whole(released) },
              { name: t('admin.column.user'), cell: ({ userId }) => <UserLink id={userId} /> },
              { name: t('admin.failures.message'), cell: ({ messageId }) => <ShortId id={messageId} /> },
              { name: t('admin.column.time'), kind: 'short', cell: ({ endedAt }) => <When at={endedAt} /> },
            ]}
          />
        )}
      </Pages>
    </Screen>
  );
}
