import type { ReactNode } from 'react';
import { Navigate, type RouteObject, useParams } from 'react-router';
import { ModelsScreen } from '../models/models-screen.tsx';
import { OrderScreen } from '../orders/order.tsx';
import { AbuseScreen } from '../screens/abuse.tsx';
import { AuditScreen } from '../screens/audit.tsx';
import { FailuresScreen } from '../screens/failures.tsx';
import { PersonalDataScreen } from '../screens/personal-data.tsx';
import { ProposalsScreen } from '../screens/proposals.tsx';
import { TodayScreen } from '../screens/today.tsx';
import { UsersScreen } from '../screens/users.tsx';
import { UserScreen } from '../user/user-screen.tsx';
import { MONEY_SCREENS } from './money-screens.tsx';
import type { ScreenName } from './screens.ts';

const SCREEN: Record<ScreenName, ReactNode> = {
  today: <TodayScreen />,
  users: <UsersScreen />,
  abuse: <AbuseScreen />,
  models: <ModelsScreen />,
  ...MONEY_SCREENS,
  failures: <FailuresScreen />,
  'personal-data': <PersonalDataScreen />,
  proposals: <ProposalsScreen />,
  audit: <AuditScreen />,
};

/** The screens under `/admin`; an unknown one is today. */
export const SCREEN_ROUTES: RouteObject[] = [
  { index: true, element: SCREEN.today },
  ...Object.entries(SCREEN)
    .filter(([path]) => path !== 'today')
    .map(([path, element]) => ({ path, element })),
  { path: 'users/:id', element: <OneUser /> },
  { path: 'orders/:id', element: <OneOrder /> },
  { path: '*', element: <Navigate to="/admin" replace /> },
];

function OneUser() {
  const { id = '' } = useParams();
  return <UserScreen key={id} userId={id} />;
}

function OneOrder() {
  const { id = '' } = useParams();
  return <OrderScreen key={id} orderId={id} />;
}
