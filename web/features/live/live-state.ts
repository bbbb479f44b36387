import type { QueryClient } from '@tanstack/react-query';

let open = false;

/** The live channel says whether it stands. */
export function setLive(value: boolean): void {
  open = value;
}

/** Reads again what the live channel would have told, while it does not stand. */
export function refreshUnlessLive(client: QueryClient): void {
  if (open) return;
  void client.invalidateQueries({ queryKey: ['me'] });
  void client.invalidateQueries({ queryKey: ['conversations'] });
}
