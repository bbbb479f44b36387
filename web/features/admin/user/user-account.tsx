import type { UserScreen } from '#contract/admin/screens.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { ActButton } from '../acts/acts-provider.tsx';
import { Facts } from '../show/facts.tsx';
import { Part } from '../show/screen.tsx';
import { ShortId } from '../show/short-id.tsx';
import { useFormat } from '../show/use-format.ts';
import { When } from '../show/when.tsx';

/** The account itself: since when it is there, and where it is signed in. */
export function UserAccount({ screen: { user, sessions } }: { screen: UserScreen }) {
  const { t } = useTranslation('admin');
  const { whole } = useFormat();
  return (
    <Part
      title={t('admin.user.account')}
      actions={
        user.deletedAt === null && sessions > 0 ? (
          <ActButton act={{ act: 'sign_out', userId: user.id }} about={{ who: user.email }} />
        ) : null
      }
    >
      <Facts
        items={[
          [t('admin.column.id'), <ShortId key="id" id={user.id} />],
          [
            t('admin.user.verified'),
            t(user.emailVerified ? 'admin.user.isVerified' : 'admin.user.isUnverified'),
          ],
          [t('admin.column.opened'), <When key="opened" at={user.createdAt} />],
          [t('admin.column.lastSignIn'), <When key="signed" at={user.lastSignInAt} />],
          [t('admin.user.sessions'), whole(sessions)],
          [
            t('admin.user.leavingAt'),
            user.leavingAt === null ? null : <When key="leaving" at={user.leavingAt} />,
          ],
          [
            t('admin.user.deletedAt'),
            user.deletedAt === null ? null : <When key="deleted" at={user.deletedAt} />,
          ],
        ]}
      />
    </Part>
  );
}
