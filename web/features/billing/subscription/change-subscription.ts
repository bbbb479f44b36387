import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BillingStatus, Downgrade, PortalAnswer, SubscriptionChoice } from '#contract/billing.ts';
import { errorKey } from '#i18n/error-key.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { readAgain, readAgainIfReading } from '#web/lib/read-again.ts';
import type { Translate } from '#web/lib/translate.ts';
import { showAlert, showNotice } from '#web/ui/toast-store.ts';
import { billingQuery } from '../checkout/use-billing.ts';

/** Asks for a subscription's end, or takes that back; the answer is what holds now. Throws `ApiError`. */
export async function changeSubscription(
  client: QueryClient,
  act: 'cancel' | 'resume',
  orderId: string,
): Promise<void> {
  const body: SubscriptionChoice = { orderId };
  await change(client, act, body);
}

/** Has a lower plan follow what runs; nothing is charged. Throws `ApiError`. */
export async function requestDowngrade(client: QueryClient, body: Downgrade): Promise<void> {
  await change(client, 'downgrade', body);
}

/** Changes what the reader has. What failed may be done in part, so that it is read again. */
async function change(
  client: QueryClient,
  act: 'cancel' | 'resume' | 'downgrade',
  body: object,
): Promise<void> {
  const { queryKey } = billingQuery;
  try {
    const status = await callApi<BillingStatus>(`/api/subscription/${act}`, { method: 'POST', body });
    client.setQueryData(queryKey, status);
    readAgainIfReading(client, queryKey);
  } catch (error) {
    void readAgain(client, queryKey);
    throw error;
  } finally {
    void client.invalidateQueries({ queryKey: ['me'] });
  }
}

/** What went wrong with a change, in words. */
export function changeProblem(t: Translate, error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  return error.code === 'network'
    ? t('subscription.unreachable')
    : t(errorKey(error.code, error.params), error.params);
}

interface Act {
  busy: boolean;
  run(): Promise<void>;
}

/** Lets a subscription renew again; says how it went, and calls `onDone` when it does. */
export function useResume(orderId: string, onDone: () => void): Act {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  return useAct('subscription.resumeFailed', async () => {
    await changeSubscription(client, 'resume', orderId);
    showNotice(t('subscription.resumed'));
    onDone();
  });
}

/** Leads to the provider's own page for cards and invoices. */
export function useOpenPortal(): Act {
  return useAct('subscription.manageFailed', async () => {
    const { redirectUrl } = await callApi<PortalAnswer>('/api/subscription/portal', {
      method: 'POST',
      body: {},
    });
    if (redirectUrl) window.location.assign(redirectUrl);
  });
}

function useAct(failed: 'subscription.resumeFailed' | 'subscription.manageFailed', act: () => Promise<void>) {
  const { t } = useTranslation('common');
  const [busy, setBusy] = useState(false);
  const run = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await act();
    } catch (error) {
      showAlert(t(failed, { message: changeProblem(t, error) }));
    } finally {
      setBusy(false);
    }
  };
  return { busy, run };
}
