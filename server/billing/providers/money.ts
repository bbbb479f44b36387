const DECIMAL = /^(\d{1,12})(?:\.(\d{1,12}))?$/;

/** A currency as three capital letters; null when it is none. */
export function readCurrency(text: string | null): string | null {
  const code = text?.toUpperCase() ?? '';
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** Whether an amount is told in another currency than the charge that it belongs to; false where either is unknown. */
export function isOtherCurrency(told: string | null, charged: string | null): boolean {
  return told !== null && charged !== null && told !== charged;
}

/** How many decimals the currency has: 2 for USD, 0 for JPY. */
export function decimalsOf(currency: string): number {
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  );
}

/**
 * Decimal major units, a number or text such as 6.9 or "397.1632", as whole minor units; half a unit rounds up. Computed on the
 * digits, so 1.005 is not lost in binary. Null for negatives and for what is no such number.
 */
export function readMajorUnits(value: unknown, currency: string): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const [, whole, fraction = ''] = DECIMAL.exec(String(value).trim()) ?? [];
  if (whole === undefined) return null;
  const decimals = decimalsOf(currency);
  const digits = `${whole}${fraction.padEnd(decimals, '0').slice(0, decimals)}`;
  const half = Number(fraction[decimals] ?? 0) >= 5 ? 1 : 0;
  return Number(digits) + half;
}
