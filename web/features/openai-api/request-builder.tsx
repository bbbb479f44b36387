import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { catalogueQuery } from '#web/features/catalogue/catalogue-query.ts';
import { ApiError } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import { siteOrigin } from '#web/lib/origin.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { CodeSample } from './code-sample.tsx';
import { faultText } from './fault-text.ts';
import { usageQuery } from './keys-query.ts';
import { ModelSelect } from './model-select.tsx';
import { bodyOf, type RequestFacts, runRequest, type TriedRequest } from './run-request.ts';

type Outcome = { facts: RequestFacts } | { fault: unknown } | null;

/** Puts a request together, says what it costs, and runs it in the reader's own name, without a key. */
export function RequestBuilder({ credits }: { credits: number }) {
  const { t } = useTranslation('common');
  const client = useQueryClient();
  const { data: catalogue } = useQuery(catalogueQuery);
  const [request, setRequest] = useState<TriedRequest>({
    model: 'parley-flash',
    system: '',
    prompt: t('api.samplePrompt'),
  });
  const [answer, setAnswer] = useState('');
  const [outcome, setOutcome] = useState<Outcome>(null);
  const running = useRef<AbortController | null>(null);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => () => running.current?.abort(), []);

  const cost = catalogue?.models.find(({ id }) => id === request.model)?.cost ?? null;
  const put = (change: Partial<TriedRequest>) => setRequest({ ...request, ...change });

  async function run(event: FormEvent) {
    event.preventDefault();
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setAnswer('');
    setOutcome(null);
    try {
      const facts = await runRequest(request, (text) => setAnswer((said) => said + text), controller.signal);
      setOutcome({ facts });
    } catch (fault) {
      setOutcome(controller.signal.aborted ? null : { fault });
    }
    running.current = null;
    setRunning(false);
    void client.invalidateQueries({ queryKey: usageQuery.queryKey });
  }

  return (
    <section aria-labelledby="try" className="mb-16">
      <h2 id="try" className="headline mb-3 text-3xl">
        {t('api.tryTitle')}
      </h2>
      <p className="mb-6 max-w-prose text-soft">{t('api.tryText')}</p>
      <div className="grid gap-8 lg:grid-cols-2">
        <form onSubmit={(event) => void run(event)} className="flex min-w-0 flex-col gap-4">
          <ModelSelect
            models={catalogue?.models ?? []}
            value={request.model}
            onChange={(model) => put({ model })}
          />
          <TextArea
            label={t('api.system')}
            rows={2}
            value={request.system}
            onChange={(event) => put({ system: event.target.value })}
          />
          <TextArea
            label={t('api.prompt')}
            rows={4}
            value={request.prompt}
            onChange={(event) => put({ prompt: event.target.value })}
          />
          <div className="flex flex-wrap items-center gap-4">
            {isRunning ? (
              <Button variant="secondary" onClick={() => running.current?.abort()}>
                {t('api.stop')}
              </Button>
            ) : (
              <Button
                type="submit"
                variant="secondary"
                disabled={request.prompt.trim() === '' || cost === null}
              >
                {t('api.run')}
              </Button>
            )}
            <p className="text-soft text-sm tabular-nums">
              {cost === null ? null : t('api.runCost', { cost, credits })}
            </p>
          </div>
        </form>
        <div className="flex min-w-0 flex-col gap-4">
          <Answer text={answer} outcome={outcome} isRunning={isRunning} />
          <CodeSample code={curlOf(request)}>
            <span className="text-soft text-sm">{t('api.asCurl')}</span>
          </CodeSample>
        </div>
      </div>
    </section>
  );
}

interface AnswerProps {
  text: string;
  outcome: Outcome;
  isRunning: boolean;
}

function Answer({ text, outcome, isRunning }: AnswerProps) {
  const { t } = useTranslation('common');
  const fault = outcome && 'fault' in outcome ? outcome.fault : null;
  const facts = outcome && 'facts' in outcome ? outcome.facts : null;
  if (text === '' && !outcome && !isRunning) return null;
  return (
    <section aria-label={t('api.answer')} aria-busy={isRunning} className="rounded-card border border-line">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long answer is scrolled by keyboard too. */}
      <p tabIndex={0} className="max-h-80 overflow-y-auto whitespace-pre-wrap break-words p-4">
        {text === '' && isRunning ? <span className="text-soft">{t('api.waiting')}</span> : text}
      </p>
      {fault ? (
        <div className="px-4 pb-4">
          <FieldError>
            {fault instanceof ApiError || !(fault instanceof Error) ? faultText(t, fault) : fault.message}
          </FieldError>
        </div>
      ) : null}
      {facts ? (
        <p role="status" className="border-line border-t px-4 py-2 text-soft text-sm tabular-nums">
          {t('api.ranFor', { credits: facts.charged, tokens: facts.tokens })}
          <span className="block break-words">{t('api.requestId', { id: facts.requestId })}</span>
        </p>
      ) : null}
    </section>
  );
}

/** The same request for a shell; single quotes are closed, escaped and opened again. */
function curlOf(request: TriedRequest): string {
  const body = JSON.stringify(bodyOf(request), null, 2).replaceAll("'", String.raw`'\''`);
  return `curl -N ${siteOrigin}/v1/chat/completions \\
  -H "Authorization: Bearer $PARLEY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`;
}
