import { Menu as MenuIcon } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { IconButton } from '../icon-button.tsx';

interface SheetButtonProps {
  label: string;
  /** The sheet, as it stands open or closed; a navigation closes it. */
  sheet: (open: boolean, close: () => void) => ReactNode;
}

/** The button that opens a sheet with the links of a bar where the bar has no room for them. */
export function SheetButton({ label, sheet }: SheetButtonProps) {
  const [open, setOpen] = useState(false);
  const { key } = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the sheet.
  useEffect(() => setOpen(false), [key]);

  return (
    <div className="-mr-2 nav:hidden">
      <IconButton label={label} aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
        <MenuIcon aria-hidden size={22} strokeWidth={1.5} />
      </IconButton>
      {sheet(open, () => setOpen(false))}
    </div>
  );
}
