import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from './app.ts';

const RULES = resolve('deploy/prometheus/alerts.yml');
const rules = readFileSync(RULES, 'utf8');
const dashboard = JSON.parse(readFileSync('deploy/grafana/parley.json', 'utf8')) as {
  panels: { title: string; type: string; targets?: { expr: string }[] }[];
};

const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)\n {8}expr: (.+)$/gm)].map(
  ([, name = '', expr = '']) => ({ name, expr }),
);
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ name: title, expr })),
);

/** Labels that Prometheus gives, and those of a histogram's buckets. */
const GIVEN_LABELS = ['instance', 'le'];
/** Words of PromQL that stand without brackets. */
const WORDS = new Set(['and', 'or', 'unless']);

/** What an expression names: series with the labels that are asked of them, and labels of its groups. */
function namesOf(expr: string) {
  const groups = [...expr.matchAll(/\b(?:by|ignoring|group_left)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').flatMap((label) => label.trim() || []),
  );
  const bare = expr
    .replaceAll(/\b(?:by|ignoring|group_left)\s*\([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]|\boffset \w+/g, ' ');
  const named = [...bare.matchAll(/([a-zA-Z_]\w*)(\{[^}]*\})?(?!\w*\s*\()/g)].filter(
    ([, name = '']) => !WORDS.has(name),
  );
  const selectors = named.map(([, name = '', labels = '']) => ({
    name,
    labels: [...labels.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label),
  }));
  return { selectors, groups };
}

let app: TestApp;
/** The labels of every series that `/metrics` has. */
const series = new Map<string, string[]>();
beforeAll(async () => {
  app = await createTestApp();
  const text = await (await app.visit().get('/metrics')).text();
  const present = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  for (const [, name = '', type] of present) {
    const metric = app.deps.metrics.registry.getSingleMetric(name);
    const labels = metric && 'labelNames' in metric ? (metric.labelNames as string[]) : [];
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const suffix of suffixes) series.set(name + suffix, labels);
  }
});
afterAll(() => app.close());

describe.each([
  ['alerts.yml', alerts, 15],
  ['parley.json', queries, 40],
] as const)('%s', (_, expressions, least) => {
  it('names series and labels that the server has, and no others', () => {
    expect(expressions.length).toBeGreaterThan(least);
    for (const { name, expr } of expressions) {
      const { selectors, groups } = namesOf(expr);
      expect([name, selectors.length > 0]).toEqual([name, true]);
      for (const selector of selectors) {
        expect([name, selector.name, series.has(selector.name)]).toEqual([name, selector.name, true]);
        const known = [...(series.get(selector.name) ?? []), ...GIVEN_LABELS];
        expect([name, selector.labels.filter((label) => !known.includes(label))]).toEqual([name, []]);
      }
      const known = [...selectors.flatMap((one) => series.get(one.name) ?? []), ...GIVEN_LABELS];
      expect([name, groups.filter((label) => !known.includes(label))]).toEqual([name, []]);
    }
  });
});

it('every alert has an expression on its line, and every panel of the dashboard a query', () => {
  expect(alerts).toHaveLength(rules.match(/alert:/g)?.length ?? 0);
  const empty = dashboard.panels.filter(({ type, targets = [] }) => type !== 'row' && targets.length === 0);
  expect(empty).toEqual([]);
});

const isInstalled = spawnSync('promtool', ['--version']).status === 0;

/** Series that let an alert fire, a sample a minute; `A+BxN` is N steps of B. Each alert has a case. */
const CASES: Record<string, Record<string, string>> = {
  ParleyLedgerDrift: { parley_credit_drift: '1x60' },
  ParleyInboxOld: { parley_webhooks_oldest_seconds: '0+60x60' },
  ParleyWebhooksGivenUp: { parley_webhooks_failed: '1x60' },
  ParleyChargeUncredited: { parley_charges_uncredited: '2x60' },
  ParleyPaymentsLate: { parley_payment_polls_late: '0x10 1x50', parley_payment_reviews_late: '0x60' },
  ParleyCancellationsLate: { parley_cancellations_late: '1x60' },
  ParleyPaymentKeyRefused: { 'parley_payment_keys_refused_total{provider="creem"}': '_x50 1x10' },
  ParleySoldBelowCost: { parley_sold_below_cost: '1x60' },
  ParleyCostUnknown: { parley_costs_unknown: '1x60' },
  ParleyHoldOld: { parley_holds_oldest_seconds: '5000+60x60' },
  ParleyUpstreamNeedsOperator: {
    'parley_upstream_alerts_total{alert="upstream_auth",model="m"}': '_x50 1x10',
  },
  ParleyUpstreamFailing: {
    'parley_upstream_calls_total{model="m",outcome="ok"}': '0+20x60',
    'parley_upstream_calls_total{model="m",outcome="timeout"}': '0+5x60',
  },
  ParleyAnswersFailing: {
    'parley_answers_total{model="m",outcome="completed"}': '0+20x60',
    'parley_answers_total{model="m",outcome="upstream_timeout"}': '0+5x60',
  },
  ParleyFirstTextSlow: {
    'parley_first_text_seconds_bucket{model="m",le="13"}': '0+9x60',
    'parley_first_text_seconds_bucket{model="m",le="20"}': '0+10x60',
    'parley_first_text_seconds_bucket{model="m",le="+Inf"}': '0+10x60',
    'parley_first_text_seconds_count{model="m"}': '0+10x60',
  },
  ParleyRequestsFailing: {
    'parley_http_request_duration_seconds_count{status="200"}': '0+90x60',
    'parley_http_request_duration_seconds_count{status="500"}': '0+10x60',
  },
  ParleyEventLoopLag: { 'parley_nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.4x60' },
  ParleyPoolWaiting: {
    'parley_database_wait_seconds_bucket{instance="a",le="0.5"}': '0+40x60',
    'parley_database_wait_seconds_bucket{instance="a",le="1"}': '0+60x60',
    'parley_database_wait_seconds_bucket{instance="a",le="+Inf"}': '0+60x60',
  },
  ParleyClockOff: { 'parley_clock_ahead_seconds{instance="a"}': '-600x60' },
  ParleyGaugesUnread: { 'parley_gauge_failures_total{gauge="parley_holds"}': '_x50 1+1x10' },
  ParleyTasksWaiting: { 'parley_tasks_due{queue="projections"}': '500x60' },
  ParleyMailFailing: { 'parley_mails_total{outcome="postponed"}': '0+1x60' },
  ParleyAbsent: {},
};

/** What does not fire: failures here and there, an inbox that is read, a caller that leaves. */
const QUIET = {
  'parley_upstream_calls_total{model="m",outcome="ok"}': '0+50x60',
  'parley_upstream_calls_total{model="m",outcome="rate"}': '0+2x60',
  'parley_upstream_calls_total{model="m",outcome="aborted"}': '0+40x60',
  'parley_answers_total{model="m",outcome="completed"}': '0+50x60',
  'parley_answers_total{model="m",outcome="upstream_blocked"}': '0+20x60',
  parley_webhooks_oldest_seconds: '0 200 0 400 0x56',
  parley_credit_drift: '0x60',
  'parley_clock_ahead_seconds{instance="a"}': '2x60',
  parley_charges_uncredited: '0x60',
  'parley_tasks_due{queue="projections"}': '500 0x59',
  'parley_mails_total{outcome="sent"}': '0+3x60',
  'parley_upstream_alerts_total{alert="upstream_auth",model="m"}': '3x60',
  'parley_payment_keys_refused_total{provider="creem"}': '3x60',
};

describe.skipIf(!isInstalled)('promtool (in the package prometheus)', () => {
  it('accepts the alert rules', () => {
    expect(execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })).toContain(
      `SUCCESS: ${alerts.length} rules found`,
    );
  });

  it('lets each alert fire for what it is about, alone, and none when all is well', () => {
    expect(Object.keys(CASES).sort()).toEqual(alerts.map(({ name }) => name).sort());
    const testOf = (input: Record<string, string>, fired: string[]) => ({
      interval: '1m',
      input_series: Object.entries(input).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: '59m',
          exp_samples: fired.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
        },
      ],
    });
    const isHere = { parley_running_answers: '0x60' };
    const tests = Object.entries(CASES).map(([name, input]) =>
      testOf(name === 'ParleyAbsent' ? input : { ...isHere, ...input }, [name]),
    );
    const folder = mkdtempSync(join(tmpdir(), 'parley-alerts-'));
    const file = join(folder, 'tests.yml');
    // JSON is YAML.
    writeFileSync(
      file,
      JSON.stringify({ rule_files: [RULES], tests: [...tests, testOf({ ...isHere, ...QUIET }, [])] }),
    );
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});
