import { Link } from 'react-router';
import { RichText } from '#web/ui/text/rich-text.tsx';

const linkTo = (path: string) => (text: string) => (
  <Link to={path} target="_blank" className="whitespace-nowrap underline underline-offset-4">
    {text}
  </Link>
);
const LINKS = { terms: linkTo('/terms'), privacy: linkTo('/privacy') };

/** A text that asks for consent, with its two links, which carry no language prefix. */
export function TermsText({ text }: { text: string }) {
  return <RichText text={text} parts={LINKS} />;
}
