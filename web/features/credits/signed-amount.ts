/** A change of the balance with its sign: `+40`, `−15` (a true minus), `0`. */
export function signedAmount(amount: number, languageTag: string): string {
  return new Intl.NumberFormat(languageTag, { signDisplay: 'exceptZero' }).format(amount).replace('-', '−');
}
