import type { Benchmark } from '../benchmark.ts';
import { startRig } from '../rig.ts';
import { startProgram, waitForLine } from '../start-program.ts';
import { seedHistory } from '../streams/seed-history.ts';
import { compareVariants } from './compare-variants.ts';
import { measureSends } from './measure-sends.ts';

const ROUNDS = 5;
const STREAMS = 200;

/**
 * What traces of OpenTelemetry cost a server: the same load on a server that sends every one of them to a collector of this machine,
 * and on one that makes none, in turn, each on a new database. `parts`: rounds, and how many answers at once.
 */
export const runTraces: Benchmark = async ([rounds = ROUNDS, streams = STREAMS]) => {
  const collector = startProgram('bench/variants/collector.ts', [], { readOutput: true });
  const { url } = JSON.parse(await waitForLine(collector, (line) => line.startsWith('{'))) as { url: string };
  let postgres = '';
  const measure = (env: Record<string, string>) => async () => {
    const rig = await startRig({ env });
    try {
      postgres = rig.postgres.version;
      await seedHistory(rig);
      return await measureSends(rig, Number(streams));
    } finally {
      await rig.close();
    }
  };
  try {
    const variants = [
      { name: 'without', measure: measure({}) },
      { name: 'with traces', measure: measure({ OTEL_EXPORTER_OTLP_ENDPOINT: url }) },
    ];
    const body = await compareVariants(variants, Number(rounds));
    const taken = (await (await fetch(url)).json()) as { batches: number; bytes: number };
    const sum = `The collector took ${taken.batches} batches, ${(taken.bytes / 1e6).toFixed(1)} MB.`;
    if (taken.batches === 0) throw new Error('no trace was sent');
    return { body: `${body}\n\n${sum}`, postgres };
  } finally {
    await collector.stop();
  }
};
