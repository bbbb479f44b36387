import type { Log } from '#server/platform/log.ts';
import type { UpstreamAlert } from './alert-operator.ts';
import type { AnswerMetadata } from './transport/upstream.ts';

/**
 * Alerts the operator, once for each pair, that a provider answers with another model than the one asked for: Google routes
 * models that have stopped to newer ones, at the newer one's price. A longer name of the same model (`…-002`) is the same.
 */
export function watchVersion(
  log: Log,
  onAlert?: (alert: UpstreamAlert) => void,
): (metadata: AnswerMetadata) => void {
  const noted = new Set<string>();
  return ({ upstreamModel, modelVersion }) => {
    if (modelVersion === null || modelVersion.startsWith(upstreamModel)) return;
    const pair = `${upstreamModel} ${modelVersion}`;
    if (noted.has(pair) || noted.size > 1_000) return;
    noted.add(pair);
    log.warn(
      { alert: 'upstream_routed', upstreamModel, modelVersion },
      'another model answers than the one asked for',
    );
    onAlert?.({ alert: 'upstream_routed', upstreamModel, status: null });
  };
}
