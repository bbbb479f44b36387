import type { LucideIcon } from 'lucide-react';
import { Keys } from '../shortcuts/keys.tsx';

interface CommandRowProps {
  icon: LucideIcon;
  label: string;
  /** What one should know of it, such as a price. */
  hint: string | undefined;
  /** The keys that do the same. */
  keys: readonly string[];
}

/** One command of the palette. */
export function CommandRow({ icon: Icon, label, hint, keys }: CommandRowProps) {
  return (
    <div className="flex items-center gap-3 text-sm leading-6">
      <Icon aria-hidden size={18} strokeWidth={1.5} className="shrink-0 text-soft" />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {hint ? <span className="shrink-0 text-soft tabular-nums">{hint}</span> : null}
      {keys.length > 0 ? (
        <span className="pointer-coarse:hidden">
          <Keys keys={keys} />
        </span>
      ) : null}
    </div>
  );
}
