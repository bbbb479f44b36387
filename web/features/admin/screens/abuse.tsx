import { useQuery } from '@tanstack/react-query';
import type { AbuseScreen as Abuse } from '#contract/admin/abuse.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { screenQuery } from '../show/admin-query.ts';
import { Loaded, Part, Screen } from '../show/screen.tsx';
import { DeclineRecords, FileRecords, FreeMessageRecords, SignInRecords } from './abuse-records.tsx';
import { DomainRecords, NetworkRecords } from './sign-up-records.tsx';

/** Signs of abuse, each with the way to the user. */
export function AbuseScreen() {
  const { t } = useTranslation('admin');
  const query = useQuery(screenQuery<Abuse>('abuse'));
  return (
    <Screen title={t('admin.screen.abuse')} lead={t('admin.abuse.lead')}>
      <Loaded query={query}>{(abuse) => <Signs abuse={abuse} />}</Loaded>
    </Screen>
  );
}

function Signs({ abuse: { networks, domains, freeMessages, signIns, declines, files } }: { abuse: Abuse }) {
  const { t } = useTranslation('admin');
  const { unansweredLimit: unanswered, unchargedLimit: uncharged } = freeMessages;
  return (
    <>
      <Part title={t('admin.abuse.networks')}>
        <Note>{t('admin.abuse.networkNote')}</Note>
        <NetworkRecords networks={networks} />
      </Part>
      <Part title={t('admin.abuse.domains')}>
        <DomainRecords domains={domains} />
      </Part>
      <Part title={t('admin.abuse.freeMessages')}>
        <Note>{t('admin.abuse.freeMessagesNote', { unanswered, uncharged })}</Note>
        <FreeMessageRecords freeMessages={freeMessages} />
      </Part>
      <Part title={t('admin.abuse.signIns')}>
        <Note>{t('admin.abuse.signInsNote')}</Note>
        <SignInRecords signIns={signIns} />
      </Part>
      <Part title={t('admin.abuse.declines')}>
        <DeclineRecords declines={declines} />
      </Part>
      <Part title={t('admin.abuse.files')}>
        <FileRecords files={files} />
      </Part>
    </>
  );
}

function Note({ children }: { children: string }) {
  return <p className="max-w-prose text-soft text-sm">{children}</p>;
}
