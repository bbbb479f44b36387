import { CircleCheck, CircleX, LockKeyhole, ShieldX } from 'lucide-react';
import type { ReadPage } from '#contract/message/parts.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey, Translate } from '#web/lib/translate.ts';
import { Fold } from '#web/ui/text/fold.tsx';
import { SourceLink } from './source-link.tsx';

const STATUS: Record<ReadPage['status'], { icon: typeof CircleCheck; text: TextKey }> = {
  read: { icon: CircleCheck, text: 'pagesRead.read' },
  paywalled: { icon: LockKeyhole, text: 'pagesRead.paywalled' },
  refused: { icon: ShieldX, text: 'pagesRead.refused' },
  failed: { icon: CircleX, text: 'pagesRead.failed' },
};

/** The addresses of the question that were opened for the answer, under one line; each says whether it could be read. */
export function PagesRead({ pages }: { pages: readonly ReadPage[] }) {
  const { t } = useTranslation('common');
  return (
    <Fold label={labelOf(t, pages)} className="my-2 text-sm">
      <ul className="mb-3 ml-6">
        {pages.map((page, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a page never changes its place.
          <Page key={place} {...page} />
        ))}
      </ul>
    </Fold>
  );
}

/** One address, and whether it could be read. */
export function Page({ url, status }: ReadPage) {
  const { t } = useTranslation('common');
  const { icon: Icon, text } = STATUS[status];
  return (
    <li className="flex min-w-0 gap-2 py-1">
      <Icon aria-hidden size={16} strokeWidth={1.5} className="mt-1 shrink-0 text-soft" />
      <span className="min-w-0">
        <SourceLink source={{ url, title: readable(url) }} />
        <span className="block text-soft">{t(text)}</span>
      </span>
    </li>
  );
}

function labelOf(t: Translate, pages: readonly ReadPage[]): string {
  const count = pages.filter(({ status }) => status === 'read').length;
  const missed = pages.length - count;
  if (count === 0) return missed === 1 ? t('pagesRead.missedOne') : t('pagesRead.missed', { count: missed });
  const done = t('pagesRead.done', { count });
  return missed === 0 ? done : t('pagesRead.doneBut', { done, missed });
}

/** An address without what says nothing to a reader; its host stands beneath in its own letters. */
function readable(url: string): string {
  const { hostname = '', pathname = '', search = '' } = URL.parse(url) ?? {};
  return pathname === '/' && search === '' ? hostname : url.replace(/^https?:\/\/(www\.)?/i, '');
}
