import { SiteFrame } from './layout/site-frame.tsx';

/** Pages whose path names no language. */
export default function PlainLayout() {
  return <SiteFrame />;
}
