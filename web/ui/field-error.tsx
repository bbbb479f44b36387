import { CircleAlert } from 'lucide-react';

/** What is wrong with a field, or with a form: announced when it appears. */
export function FieldError({ id, children }: { id?: string; children: string | null | undefined }) {
  if (!children) return null;
  return (
    <p id={id} role="alert" className="flex gap-1.5 text-danger text-sm">
      <CircleAlert aria-hidden size={16} strokeWidth={1.5} className="mt-0.5 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
