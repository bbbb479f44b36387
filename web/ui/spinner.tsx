import { LoaderCircle } from 'lucide-react';

/** Turns while something is under way. Decoration only: say in words what is going on. */
export function Spinner({ size = 16 }: { size?: number }) {
  return <LoaderCircle aria-hidden size={size} strokeWidth={1.5} className="animate-spin" />;
}
