import { useId } from 'react';
import { useSearchParams } from 'react-router';

interface ChoiceProps {
  /** Its parameter in the address. */
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
}

/** Narrows a list down to one value, which stands in the address. */
export function Choice({ name, label, options }: ChoiceProps) {
  const id = useId();
  const [parameters, setParameters] = useSearchParams();
  const choose = (value: string) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <div className="flex flex-col gap-1.5 sm:self-start">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <select
        id={id}
        value={parameters.get(name) ?? ''}
        onChange={(event) => choose(event.target.value)}
        className="h-11 min-w-40 rounded-control border border-edge bg-raised text-ink"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
