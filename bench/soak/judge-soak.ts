/** What the server had at one moment of a soak. Memory in MB of 1,000,000 bytes. */
export interface Sample {
  /** Seconds since the load began. */
  second: number;
  /** What is left on the heap, and in buffers outside of it, after a full collection. */
  heapMb: number;
  residentMb: number;
  descriptors: number;
}

type Measure = Exclude<keyof Sample, 'second'>;

export interface Growth {
  measure: Measure;
  /** The median of the samples. */
  level: number;
  /** What the slope adds up to over the time that is judged; below zero when it shrinks. */
  growth: number;
  limit: number;
}

/** A server fills its caches and compiles its code first; growth is judged after this share of the time. */
const WARM_UP_SHARE = 1 / 3;

/**
 * What may be gained while the same load goes on, as a share of the level. The resident memory keeps what the heap once needed, so it wavers more.
 * Connections to the database and to providers come and go.
 */
const LIMITS: Record<Measure, (level: number) => number> = {
  heapMb: (level) => Math.max(2, level * 0.05),
  residentMb: (level) => Math.max(10, level * 0.1),
  descriptors: () => 20,
};

/** The growth of each measure after the warm-up. Throws with fewer than eight samples to judge by. */
export function judgeGrowth(samples: Sample[]): Growth[] {
  const judged = judgedOf(samples);
  if (judged.length < 8)
    throw new Error(`${judged.length} samples after the warm-up are too few to judge by`);
  const span = judgedSecondsOf(samples);
  return (Object.keys(LIMITS) as Measure[]).map((measure) => {
    const points = judged.map((sample) => [sample.second, sample[measure]] as const);
    const level = median(points.map(([, value]) => value));
    return { measure, level, growth: slopeOf(points) * span, limit: LIMITS[measure](level) };
  });
}

function judgedOf(samples: Sample[]): Sample[] {
  const last = samples.at(-1)?.second ?? 0;
  return samples.filter(({ second }) => second >= last * WARM_UP_SHARE);
}

/** How long the time is that is judged. */
export function judgedSecondsOf(samples: Sample[]): number {
  const judged = judgedOf(samples);
  return (judged.at(-1)?.second ?? 0) - (judged[0]?.second ?? 0);
}

/** The median slope between any two points (Theil and Sen): single peaks do not move it. */
function slopeOf(points: (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x1, y1], index) =>
    points.slice(index + 1).map(([x2, y2]) => (y2 - y1) / (x2 - x1)),
  );
  return median(slopes);
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
