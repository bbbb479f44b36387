import { useId } from 'react';
import { classNames } from '#web/ui/class-names.ts';
import type { Group, Option } from './option.ts';

interface OptionGroupProps {
  group: Group;
  /** The place of its first option among all. */
  first: number;
  /** The place of the option that Enter would take. */
  active: number;
  idOf: (place: number) => string;
  onRun: (option: Option) => void;
  onPoint: (place: number) => void;
}

/** Options of one kind in the list of the palette. */
export function OptionGroup({ group, first, active, idOf, onRun, onPoint }: OptionGroupProps) {
  const labelId = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
    <div role="group" aria-labelledby={labelId} className="mb-1">
      <p id={labelId} className="px-3 pt-2 pb-1 font-medium text-soft text-xs">
        {group.label}
      </p>
      {group.options.map((option, index) => {
        const place = first + index;
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field that the list belongs to.
          <div
            key={option.key}
            id={idOf(place)}
            role="option"
            tabIndex={-1}
            aria-selected={place === active}
            onClick={() => onRun(option)}
            onPointerMove={() => onPoint(place)}
            className={classNames(
              'cursor-pointer scroll-my-8 rounded-control px-3 py-2.5 outline-none aria-selected:bg-selected',
              'aria-selected:marked-in-forced-colors',
            )}
          >
            {option.content}
          </div>
        );
      })}
    </div>
  );
}
