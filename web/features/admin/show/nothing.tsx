/** Stands where there is no value; a card on a phone leaves it out. */
export function Nothing() {
  return <span className="is-nothing text-soft">–</span>;
}
