import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useOutletContext } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import type { DeletionState } from '#contract/personal-data.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import type { AccountPage } from '#web/lib/pages.ts';

/** What the account page gives its sections. */
export interface AccountContext {
  /** Null: not known, or signed out. */
  user: UserRecord | null;
  onDeletion: (state: DeletionState | 'leaving' | null) => void;
  /** What stands in a section's place without a user. */
  gate: ReactNode;
}

interface AccountSectionProps {
  page: AccountPage;
  children: (user: UserRecord, context: AccountContext) => ReactNode;
}

/** One section of the account under its heading; on a phone with the way back to the index. */
export function AccountSection({ page, children }: AccountSectionProps) {
  const { t } = useTranslation('common');
  const context = useOutletContext<AccountContext>();
  return (
    <div className="min-w-0">
      <PlainPageHead page={page} />
      {context.user ? (
        <Link
          to="/profile"
          className="-ml-1 mb-2 inline-flex min-h-11 items-center gap-1 text-soft hover:text-ink lg:hidden"
        >
          <ChevronLeft aria-hidden size={18} strokeWidth={1.5} />
          {t('accountPages.index')}
        </Link>
      ) : null}
      <h1 className="headline mb-2 text-4xl">{t(`accountPages.${page}`)}</h1>
      {context.user ? children(context.user, context) : <div className="mt-8">{context.gate}</div>}
    </div>
  );
}
