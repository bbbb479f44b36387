import { ChevronDown } from 'lucide-react';
import type { ButtonHTMLAttributes, Ref } from 'react';
import type { UserRecord } from '#contract/accounts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { Avatar } from '../profile/avatar.tsx';

interface AccountButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  user: UserRecord;
  ref?: Ref<HTMLButtonElement>;
}

/** The button that opens the account menu: picture and name. */
export function AccountButton({ user, ...button }: AccountButtonProps) {
  const { t } = useTranslation('common');
  const name = user.displayName || user.email;
  return (
    <button
      type="button"
      aria-haspopup="menu"
      {...button}
      className="flex min-h-11 items-center gap-2 rounded-control px-1 hover:bg-sunken sm:px-2"
    >
      <Avatar photoURL={user.photoURL} name={name} />
      <span className="max-w-40 truncate text-sm max-nav:sr-only">{name}</span>
      <span className="sr-only">{t('nav.accountMenu')}</span>
      <ChevronDown aria-hidden size={16} strokeWidth={1.5} className="text-soft max-sm:hidden" />
    </button>
  );
}
