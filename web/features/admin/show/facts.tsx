import type { ReactNode } from 'react';

/** Names and values, side by side. What is null is left out. */
export function Facts({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-4 sm:grid sm:grid-cols-[repeat(auto-fill,minmax(15rem,1fr))]">
      {items
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name} className="min-w-fit max-w-full grow basis-2/5 sm:min-w-0">
            <dt className="text-soft text-sm">{name}</dt>
            <dd className="break-words tabular-nums">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
