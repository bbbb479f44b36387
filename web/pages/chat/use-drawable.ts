import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { catalogueQuery } from '#web/features/catalogue/catalogue-query.ts';

/** How long the chat waits for the models once its code is here. */
const LATE_MS = 400;

/** Whether the models are here, which were asked for with the reader, or are late: what is drawn before them moves when they come. */
export function useDrawable(isCodeHere: boolean): boolean {
  const { isPending } = useQuery({ ...catalogueQuery, enabled: isCodeHere });
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isCodeHere) return;
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, [isCodeHere]);
  return isLate || !isPending;
}
