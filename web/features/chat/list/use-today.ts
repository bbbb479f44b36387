import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** A time of today; it changes when the day does, so that what is grouped by day is grouped anew. */
export function useToday(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow((before) => (new Date(before).getDate() === new Date().getDate() ? before : Date.now()));
    }, MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
