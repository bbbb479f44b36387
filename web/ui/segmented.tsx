import type { ReactNode } from 'react';

interface SegmentedProps<T extends string> {
  /** What is chosen: read aloud, and seen above it where `isLabelShown`. */
  label: string;
  isLabelShown?: boolean;
  /** The name of this group, unique on the page. */
  name: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly { value: T; label: ReactNode }[];
  className?: string;
}

/** A few choices side by side, of which one holds. */
export function Segmented<T extends string>(props: SegmentedProps<T>) {
  return (
    <fieldset className={props.className}>
      <legend className={props.isLabelShown ? 'mb-1.5 text-soft text-sm' : 'sr-only'}>{props.label}</legend>
      <div className="flex w-fit gap-0.5 rounded-control border border-line bg-raised p-0.5">
        {props.options.map(({ value, label }) => (
          <label
            key={value}
            className="relative flex min-h-9 min-w-9 items-center justify-center rounded-md px-2 text-soft text-sm transition-colors hover:text-ink has-checked:bg-selected has-checked:text-ink has-checked:inset-ring has-checked:inset-ring-edge has-checked:marked-in-forced-colors has-focus-visible:outline-2 has-focus-visible:outline-ink"
          >
            <input
              type="radio"
              name={props.name}
              value={value}
              checked={props.value === value}
              onChange={() => props.onChange(value)}
              className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-md outline-none"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
