import { useQuery } from '@tanstack/react-query';
import {
  Activity,
  BookOpenCheck,
  Bot,
  CircleX,
  Download,
  Inbox,
  Receipt,
  ScrollText,
  ShieldAlert,
  TrendingUp,
  Undo2,
  UserRound,
  UsersRound,
} from 'lucide-react';
import { NavLink } from 'react-router';
import { useTranslation } from '#web/lib/i18n.tsx';
import { proposalsQuery } from '../show/admin-query.ts';
import { SCREENS, type ScreenName, screenPath } from './screens.ts';

const ICON = {
  today: Activity,
  users: UserRound,
  abuse: ShieldAlert,
  models: Bot,
  margin: TrendingUp,
  ledger: BookOpenCheck,
  orders: Receipt,
  inbox: Inbox,
  disputes: Undo2,
  failures: CircleX,
  'personal-data': Download,
  proposals: UsersRound,
  audit: ScrollText,
} as const satisfies Record<ScreenName, typeof Activity>;

/** Every screen; beside the one that others wait at, how much waits. */
export function ScreenList() {
  const { t } = useTranslation('admin');
  const { data } = useQuery(proposalsQuery);
  const waiting = data?.proposals.length ?? 0;
  return (
    <nav aria-label={t('admin.screens')}>
      <ul>
        {SCREENS.map((screen) => {
          const Icon = ICON[screen];
          return (
            <li key={screen}>
              <NavLink
                to={screenPath(screen)}
                end={screen === 'today'}
                className="flex min-h-11 items-center gap-3 rounded-control px-3 hover:bg-sunken aria-[current=page]:bg-selected aria-[current=page]:font-medium"
              >
                <Icon aria-hidden size={18} strokeWidth={1.5} className="shrink-0 text-soft" />
                {t(`admin.screen.${screen}`)}
                {screen === 'proposals' && waiting > 0 ? (
                  <span className="ml-auto min-w-6 rounded-full bg-ink px-1.5 text-center text-paper text-sm tabular-nums">
                    {waiting}
                  </span>
                ) : null}
              </NavLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
