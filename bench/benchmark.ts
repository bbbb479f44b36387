export interface BenchmarkResult {
  /** Tables and remarks in Markdown. */
  body: string;
  /** Version of the database it ran on. */
  postgres: string;
}

/** Measures something with all the machine to itself. `parts` are what follows its name on the command line. */
export type Benchmark = (parts: string[]) => Promise<BenchmarkResult>;
