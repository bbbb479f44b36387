import { useTranslation } from '#web/lib/i18n.tsx';

const STARS = 5;

/** One entry of `web/content/testimonials.json`, in one language. An operator replaces the samples by what users said. */
interface Testimonial {
  name: string;
  role: string;
  content: string;
  /** Stars, 1 to 5. */
  rating: number;
  /** It is invented: the card says so. */
  isSample?: boolean;
}

/** What users say, or samples of it that are marked as such. */
export function Testimonials({ testimonials }: { testimonials: readonly Testimonial[] }) {
  const { t } = useTranslation('common');
  const hasSamples = testimonials.some(({ isSample }) => isSample);
  return (
    <section aria-labelledby="testimonials" className="page section">
      <h2 id="testimonials" className="headline text-4xl">
        {t(hasSamples ? 'home.testimonialsTitle' : 'home.testimonialsReal')}
      </h2>
      {hasSamples ? <p className="mt-2 text-soft">{t('home.testimonialsNote')}</p> : null}
      <ul className="mt-6 grid gap-3 sm:mt-10 sm:gap-4 md:grid-cols-3">
        {testimonials.map((testimonial) => (
          <TestimonialCard key={testimonial.name} {...testimonial} />
        ))}
      </ul>
    </section>
  );
}

function TestimonialCard({ name, role, content, rating, isSample }: Testimonial) {
  const { t } = useTranslation('common');
  return (
    <li className="rounded-card border border-line bg-raised p-4 sm:p-6">
      <figure className="flex h-full flex-col gap-2 sm:gap-4">
        <div className="flex items-baseline justify-between gap-4">
          <p role="img" aria-label={t('home.rating', { rating })} className="text-soft tracking-widest">
            {'★'.repeat(rating) + '☆'.repeat(STARS - rating)}
          </p>
          {isSample ? (
            <span className="rounded-sm border border-edge px-1.5 text-soft text-xs leading-5">
              {t('home.sample.label')}
            </span>
          ) : null}
        </div>
        <blockquote className="sm:text-lg">{content}</blockquote>
        <figcaption className="mt-auto text-sm">
          <span className="font-medium">{name}</span>
          <span className="block text-soft">{role}</span>
        </figcaption>
      </figure>
    </li>
  );
}
