import { useParams } from 'react-router';
import { html } from '#web/content/legal/privacy.md';
import { PageHead, PlainPageHead } from '#web/lib/page-head.tsx';
import { LegalText } from './layout/legal-text.tsx';

export default function PrivacyPage() {
  const { lang } = useParams();
  return (
    <>
      {lang ? <PageHead page="privacy" /> : <PlainPageHead page="privacy" />}
      <LegalText html={html} />
    </>
  );
}
