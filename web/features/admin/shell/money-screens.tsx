import type { ReactNode } from 'react';
import { LedgerScreen } from '../ledger/ledger-screen.tsx';
import { OrdersScreen } from '../orders/orders.tsx';
import { DisputesScreen } from '../screens/disputes.tsx';
import { InboxScreen } from '../screens/inbox.tsx';
import { MarginScreen } from '../screens/margin.tsx';
import type { ScreenName } from './screens.ts';

/** The screens about money. */
export const MONEY_SCREENS = {
  margin: <MarginScreen />,
  ledger: <LedgerScreen />,
  orders: <OrdersScreen />,
  inbox: <InboxScreen />,
  disputes: <DisputesScreen />,
} as const satisfies Partial<Record<ScreenName, ReactNode>>;
