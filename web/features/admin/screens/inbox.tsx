import { useSearchParams } from 'react-router';
import { INBOX_STATUSES, type InboxScreen as Inbox } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ActButton } from '../acts/acts-provider.tsx';
import { Choice } from '../show/choice.tsx';
import { Pages } from '../show/pages.tsx';
import { Records } from '../show/records.tsx';
import { Screen } from '../show/screen.tsx';
import { StateTag } from '../show/state-tag.tsx';
import { useFormat } from '../show/use-format.ts';
import { useWords } from '../show/use-words.ts';
import { When } from '../show/when.tsx';

/** What payment providers reported, and how it was taken in. */
export function InboxScreen() {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  const word = useWords();
  const status = useSearchParams()[0].get('status') ?? '';
  return (
    <Screen title={t('admin.screen.inbox')} lead={t('admin.inbox.lead')}>
      <Choice
        name="status"
        label={t('admin.column.state')}
        options={[
          { value: '', label: t('admin.everything') },
          ...INBOX_STATUSES.map((value) => ({ value, label: word('inboxStatus', value) })),
        ]}
      />
      <Pages<Inbox> path="inbox" filter={{ status }}>
        {(pages) => (
          <Records
            label={t('admin.screen.inbox')}
            rows={pages.flatMap(({ webhooks }) => webhooks)}
            keyOf={({ id }) => id}
            empty={t('admin.inbox.none')}
            columns={[
              { name: t('admin.column.number'), kind: 'short', cell: ({ id }) => id },
              {
                name: t('admin.column.provider'),
                kind: 'short',
                cell: ({ provider }) => word('provider', provider),
              },
              {
                name: t('admin.column.kind'),
                cell: ({ type }) => (
                  <span lang="zxx" className="font-mono text-[0.8125rem]">
                    {type}
                  </span>
                ),
              },
              {
                name: t('admin.column.received'),
                kind: 'short',
                cell: ({ receivedAt }) => <When at={receivedAt} />,
              },
              {
                name: t('admin.column.state'),
                kind: 'short',
                cell: (webhook) => (
                  <StateTag state={webhook.status} word={word('inboxStatus', webhook.status)} />
                ),
              },
              { name: t('admin.column.tries'), kind: 'number', cell: ({ tries }) => whole(tries) },
              { name: t('admin.column.error'), cell: ({ error }) => error },
              {
                name: t('admin.column.act'),
                kind: 'action',
                cell: ({ id }) => (
                  <ActButton
                    act={{ act: 'replay', inboxId: id }}
                    about={{ who: t('admin.inbox.named', { id }) }}
                    label={t('admin.inbox.replayNamed', { id })}
                  />
                ),
              },
            ]}
          />
        )}
      </Pages>
    </Screen>
  );
}
