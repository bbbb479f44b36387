/** The value below which a `share` (0 to 1) of `values` lies, by nearest rank; NaN of nothing. Sorts `values`. */
export function percentile(values: Float64Array, share: number): number {
  values.sort();
  return values[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;
}
