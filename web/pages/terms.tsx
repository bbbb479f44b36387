import { useParams } from 'react-router';
import { html } from '#web/content/legal/terms.md';
import { PageHead, PlainPageHead } from '#web/lib/page-head.tsx';
import { LegalText } from './layout/legal-text.tsx';

export default function TermsPage() {
  const { lang } = useParams();
  return (
    <>
      {lang ? <PageHead page="terms" /> : <PlainPageHead page="terms" />}
      <LegalText html={html} />
    </>
  );
}
