import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Proposal } from '#contract/admin/acts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { DecisionDialog } from '../acts/decision-dialog.tsx';
import { useActText } from '../acts/use-act-text.ts';
import { Address } from '../show/address.tsx';
import { proposalsQuery } from '../show/admin-query.ts';
import { UserLink } from '../show/links.tsx';
import { Records } from '../show/records.tsx';
import { Loaded, Screen } from '../show/screen.tsx';
import { When } from '../show/when.tsx';

/** Acts above the limit, which a second operator agrees to or refuses. */
export function ProposalsScreen() {
  const { t } = useTranslation('admin');
  const actText = useActText();
  const query = useQuery(proposalsQuery);
  const [deciding, setDeciding] = useState<Proposal | null>(null);
  return (
    <Screen title={t('admin.screen.proposals')} lead={t('admin.proposals.lead')}>
      <Loaded query={query}>
        {({ proposals }) => (
          <Records
            label={t('admin.screen.proposals')}
            rows={proposals}
            keyOf={({ id }) => id}
            empty={t('admin.proposals.none')}
            columns={[
              { name: t('admin.column.act'), cell: ({ act }) => actText(act) },
              {
                name: t('admin.column.about'),
                cell: ({ act, who }) => ('userId' in act ? <UserLink id={act.userId} email={who} /> : who),
              },
              { name: t('admin.column.reason'), cell: ({ reason }) => reason },
              { name: t('admin.proposals.by'), cell: ({ proposedBy }) => <Address address={proposedBy} /> },
              {
                name: t('admin.column.asked'),
                kind: 'short',
                cell: ({ proposedAt }) => <When at={proposedAt} />,
              },
              {
                name: t('admin.proposals.decide'),
                kind: 'action',
                cell: (proposal) =>
                  proposal.isOwn ? (
                    <span className="text-soft">{t('admin.proposals.own')}</span>
                  ) : (
                    <Button
                      variant="secondary"
                      size="small"
                      aria-label={t('admin.proposals.decideNamed', { act: actText(proposal.act) })}
                      onClick={() => setDeciding(proposal)}
                    >
                      {t('admin.proposals.decide')}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {deciding ? <DecisionDialog proposal={deciding} onClose={() => setDeciding(null)} /> : null}
    </Screen>
  );
}
