import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import type { Log } from '#server/platform/log.ts';
import type { UpstreamError } from './transport/upstream-error.ts';

/**
 * Faults that only an operator can mend. `balance`: the prepaid money at the provider is used up. `gone`: a whole chain answers 404.
 * `routed`: another model answers than the one requested.
 */
export interface UpstreamAlert {
  alert:
    | 'upstream_auth'
    | 'upstream_balance'
    | 'upstream_not_configured'
    | 'upstream_gone'
    | 'upstream_routed';
  upstreamModel: string;
  status: number | null;
}

const ALERTS: Partial<Record<UpstreamError['kind'], UpstreamAlert['alert']>> = {
  auth: 'upstream_auth',
  balance: 'upstream_balance',
  not_configured: 'upstream_not_configured',
  not_found: 'upstream_gone',
};

const PROVIDERS: Record<UpstreamRoute['dialect'], string> = {
  gemini: 'Gemini API',
  'openai-compatible': 'OpenAI-compatible API',
};

/** Reports an error that no retry mends, in the log and through `onAlert`. Does nothing for other errors. */
export function alertOperator(
  error: UpstreamError,
  route: UpstreamRoute,
  log: Log,
  onAlert?: (alert: UpstreamAlert) => void,
) {
  const alert = ALERTS[error.kind];
  if (!alert) return;
  const { status, vendorCode } = error;
  const fields = { alert, upstreamModel: route.model, status, vendorCode, setting: route.missingSetting };
  log.error(fields, `${PROVIDERS[route.dialect]} 调用失败：请检查 API Key 配置`);
  onAlert?.({ alert, upstreamModel: route.model, status });
}
