import { actPreviewRequestSchema, actRequestSchema, decisionSchema } from '#contract/admin/acts.ts';
import { marginQuery } from '#contract/admin/margin.ts';
import { failuresQuery } from '#server/admin/screens/failure-routes.ts';
import { disputesQuery, inboxQuery } from '#server/admin/screens/money-routes.ts';
import { operatorOrdersQuery } from '#server/admin/screens/order-routes.ts';
import { auditQuery, usersQuery } from '#server/admin/screens/people-routes.ts';
import { asks, type RouteInput, takes } from '../routes/route-input.ts';

/** What the console's routes read. */
export const ADMIN_INPUTS: Readonly<Record<string, RouteInput>> = {
  'GET /api/admin/users': asks(usersQuery),
  'GET /api/admin/orders': asks(operatorOrdersQuery),
  'GET /api/admin/margin': asks(marginQuery),
  'GET /api/admin/margin.csv': asks(marginQuery),
  'GET /api/admin/inbox': asks(inboxQuery),
  'GET /api/admin/disputes': asks(disputesQuery),
  'GET /api/admin/failures': asks(failuresQuery),
  'GET /api/admin/audit': asks(auditQuery),
  'POST /api/admin/acts/preview': takes(actPreviewRequestSchema),
  'POST /api/admin/acts': takes(actRequestSchema),
  'POST /api/admin/proposals/:id': takes(decisionSchema),
};
