import testimonials from '#web/content/testimonials.json';
import { useTranslation } from '#web/lib/i18n.tsx';

const STARS = 5;

/** What people might say: illustrative, and marked so. An operator replaces `web/content/testimonials.json`. */
export function Testimonials() {
  const { t, i18n } = useTranslation('common');
  return (
    <section aria-labelledby="testimonials" className="page py-20">
      <h2 id="testimonials" className="headline text-4xl">
        {t('home.testimonialsTitle')}
      </h2>
      <p className="mt-2 mb-10 text-soft">{t('home.testimonialsNote')}</p>
      <ul className="grid gap-x-12 gap-y-10 md:grid-cols-3">
        {testimonials.map(({ role, content, rating }) => (
          <li key={role.en}>
            <figure className="flex h-full flex-col gap-3 border-line border-t pt-5">
              <p role="img" aria-label={t('home.rating', { rating })} className="text-soft tracking-widest">
                {'★'.repeat(rating) + '☆'.repeat(STARS - rating)}
              </p>
              <blockquote className="text-lg">{content[i18n.language]}</blockquote>
              <figcaption className="mt-auto text-soft text-sm">{role[i18n.language]}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  );
}
