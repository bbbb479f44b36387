import type { Alert } from '#contract/admin/alerts.ts';
import type { AuditLine, OrderLine, UserLine } from '#contract/admin/screens.ts';
import { orderNumber } from '#contract/order-rules.ts';
import type { AlertRow } from '#server/admin/alerts/alert-store.ts';
import type { AuditRow, OrderLineRow, UserRow } from './screen-store.ts';

export function presentUser({ id, email, name, createdAt, lastSignInAt, leavingAt }: UserRow): UserLine {
  return {
    id,
    email,
    name,
    createdAt: createdAt.getTime(),
    lastSignInAt: lastSignInAt.getTime(),
    isLeaving: leavingAt !== null,
  };
}

export function presentOrderLine(row: OrderLineRow): OrderLine {
  const { id, userId, email, provider, planKey, cycle, priceMinor, currency, status } = row;
  return {
    ...{ id, userId, email, provider, plan: planKey, cycle, status },
    number: orderNumber({ id }),
    price: { currency, minor: priceMinor },
    createdAt: row.createdAt.getTime(),
    paidAt: timeOf(row.paidAt),
  };
}

export function presentAudit({ at, ...line }: AuditRow): AuditLine {
  return { ...line, at: at.getTime() };
}

export function presentAlert({ kind, subject, details, raisedAt, seenAt }: AlertRow): Alert {
  return { kind, subject, details, raisedAt: raisedAt.getTime(), seenAt: seenAt.getTime() };
}

export function timeOf(date: Date | null): number | null {
  return date?.getTime() ?? null;
}
