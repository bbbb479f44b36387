import { SiteFrame } from './layout/site-frame.tsx';
import { useSessionLive } from './layout/use-session-live.ts';

/** Pages whose path names no language. */
export default function PlainLayout() {
  useSessionLive();
  return <SiteFrame />;
}
