import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useOutletContext } from 'react-router';
import type { UserRecord } from '#contract/accounts.ts';
import type { DeletionState } from '#contract/personal-data.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { PlainPageHead } from '#web/lib/page-head.tsx';
import type { AccountPage } from '#web/lib/pages.ts';
import { classNames } from '#web/ui/class-names.ts';

/** What the account page gives its sections. */
export interface AccountContext {
  /** Null: not known, or signed out. */
  user: UserRecord | null;
  onDeletion: (state: DeletionState | 'leaving' | null) => void;
  /** What stands in a section's place without a user; `text` says to a visitor what is here after logging in. */
  gate: (text: string) => ReactNode;
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
        <BackLink to="/profile" className="lg:hidden">
          {t('accountPages.index')}
        </BackLink>
      ) : null}
      <h1 className="headline mb-2 text-4xl">{t(`accountPages.${page}`)}</h1>
      {context.user ? (
        children(context.user, context)
      ) : (
        <div className="mt-8">{context.gate(t('profile.signedOutText'))}</div>
      )}
    </div>
  );
}

interface BillingRecordsProps {
  head: ReactNode;
  /** Null: what is shown has a heading of its own. */
  title: string | null;
  lead: string;
  /** Says to a visitor what is here after logging in. */
  signedOutText: string;
  /** One record of a list leads back to the list; without it, the way leads to the billing section. */
  back?: { to: string; label: string };
  children: (user: UserRecord) => ReactNode;
}

/** Records of the billing section that have an address outside of the account, with the way back. */
export function BillingRecords({ head, title, lead, signedOutText, back, children }: BillingRecordsProps) {
  const { t } = useTranslation('common');
  const { user, gate } = useOutletContext<AccountContext>();
  const { to, label } = back ?? { to: '/profile/billing', label: t('accountPages.profile/billing') };
  return (
    <div className="min-w-0">
      {head}
      {user ? (
        <BackLink to={to} className="print:hidden">
          {label}
        </BackLink>
      ) : null}
      {title === null ? null : (
        <>
          <h1 className="headline mb-2 text-4xl">{title}</h1>
          <p className="mb-8 max-w-prose text-soft">{lead}</p>
        </>
      )}
      {user ? children(user) : gate(signedOutText)}
    </div>
  );
}

/** The way back that stands above a heading. */
export function BackLink({ to, className, children }: { to: string; className?: string; children: string }) {
  return (
    <Link
      to={to}
      className={classNames(
        '-ml-1 mb-2 inline-flex min-h-11 items-center gap-1 text-soft hover:text-ink',
        className,
      )}
    >
      <ChevronLeft aria-hidden size={18} strokeWidth={1.5} />
      {children}
    </Link>
  );
}
