import { useLoaderData, useParams } from 'react-router';
import * as en from '#web/content/legal/en/terms.md';
import * as zh from '#web/content/legal/zh/terms.md';
import { PageHead, PlainPageHead } from '#web/lib/page-head.tsx';
import { LegalText } from './layout/legal-text.tsx';

/** Runs when the page is built: the text in both languages. */
export function loader() {
  const read = ({ title, html, sections }: typeof zh) => ({ title, html, sections });
  return { zh: read(zh), en: read(en) };
}

export default function TermsPage() {
  const { lang } = useParams();
  return (
    <>
      {lang ? <PageHead page="terms" /> : <PlainPageHead page="terms" />}
      <LegalText {...useLoaderData<typeof loader>()} />
    </>
  );
}
