import { CreditCard, LogOut, Monitor, Moon, ReceiptText, ScrollText, Sun, UserRound } from 'lucide-react';
import type { UserRecord } from '#contract/accounts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { THEMES, useTheme } from '#web/lib/theme.ts';
import { useLocalPath } from '#web/lib/use-language.ts';
import { Menu, MenuChoice, MenuItem, MenuLink, MenuOption, MenuSeparator } from '#web/ui/menu.tsx';
import { useSignOut } from '../session/sign-out.ts';
import { AccountButton } from './account-button.tsx';

const ICON = { size: 18, strokeWidth: 1.5, 'aria-hidden': true } as const;
const THEME_ICON = { system: Monitor, light: Sun, dark: Moon };

interface AccountMenuProps {
  user: UserRecord;
  /** Its button was pressed before it was here. */
  openAtOnce: boolean;
}

/** The signed-in user's menu: profile, subscription, statement, orders, theme, sign out. */
export function AccountMenu({ user, openAtOnce }: AccountMenuProps) {
  const { t } = useTranslation('common');
  const pathTo = useLocalPath();
  const [theme, chooseTheme] = useTheme();
  const signOut = useSignOut();
  return (
    <Menu trigger={<AccountButton user={user} />} openAtOnce={openAtOnce}>
      <p className="truncate px-3 py-2 text-soft text-sm">{user.email}</p>
      <MenuSeparator />
      <MenuLink to="/profile" icon={<UserRound {...ICON} />}>
        {t('nav.profile')}
      </MenuLink>
      <MenuLink to={pathTo('subscription')} icon={<CreditCard {...ICON} />}>
        {t('nav.subscription')}
      </MenuLink>
      <MenuLink to={pathTo('credits')} icon={<ScrollText {...ICON} />}>
        {t('nav.credits')}
      </MenuLink>
      <MenuLink to={pathTo('orders')} icon={<ReceiptText {...ICON} />}>
        {t('nav.orders')}
      </MenuLink>
      <MenuSeparator />
      <MenuChoice label={t('theme.label')} value={theme} onChange={chooseTheme}>
        {THEMES.map((choice) => {
          const Icon = THEME_ICON[choice];
          return (
            <MenuOption key={choice} value={choice}>
              <span className="flex items-center gap-3">
                <Icon {...ICON} />
                {t(`theme.${choice}`)}
              </span>
            </MenuOption>
          );
        })}
      </MenuChoice>
      <MenuSeparator />
      <MenuItem icon={<LogOut {...ICON} />} onSelect={() => void signOut()}>
        {t('nav.logout')}
      </MenuItem>
    </Menu>
  );
}
