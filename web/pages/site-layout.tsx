import { SiteFrame } from './layout/site-frame.tsx';

/** The pages under `/:lang` that are not the chat, which has a frame of its own. */
export default function SiteLayout() {
  return <SiteFrame />;
}
