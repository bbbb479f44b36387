import { LANGUAGE_TAG, type Language } from '#contract/choices.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { fillText } from './fill-text.ts';
import type { NewsItem } from './read-news.ts';
import type { Site } from './site.ts';

const TEXTS = { zh, en };

/** A thing in the words of schema.org. */
export type Thing = Record<string, unknown>;

/** Who runs the product. */
export function organization({ brand }: Site, origin: string): Thing {
  return {
    '@type': 'Organization',
    '@id': `${origin}/#organization`,
    name: brand.name,
    alternateName: brand.nameZh,
    url: `${origin}/`,
    logo: `${origin}/icons/icon-512.png`,
    email: brand.supportEmail,
    sameAs: [brand.social.profile, brand.social.code],
  };
}

/** The plans with what they cost, by the catalogue. */
export function products(site: Site, language: Language, origin: string): Thing[] {
  return site.catalogue.plans.map(({ title, description, prices }) => ({
    '@type': 'Product',
    name: `${fillText('{{brand}}', language, site)} ${title[language]}`,
    description: description[language],
    image: `${origin}/cards/${language}.png`,
    brand: { '@type': 'Brand', name: fillText('{{brand}}', language, site) },
    offers: prices.map(({ cycle, totalUSD }) => ({
      '@type': 'Offer',
      url: `${origin}/${language}/pricing`,
      price: totalUSD.toFixed(2),
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price: totalUSD.toFixed(2),
        priceCurrency: 'USD',
        billingDuration: cycle === 'annual' ? 'P1Y' : 'P1M',
      },
    })),
  }));
}

/** `<models>…</models>` in a text: a link on its page. */
const LINK_TAGS = /<\/?\w+>/g;

/** The questions of the FAQ page with their answers. */
export function questions(site: Site, language: Language): Thing {
  const text = (one: string) => fillText(one, language, site);
  const items = Object.values(TEXTS[language].faq.items);
  return {
    '@type': 'FAQPage',
    inLanguage: LANGUAGE_TAG[language],
    mainEntity: items.map(({ question, answer }) => ({
      '@type': 'Question',
      name: text(question),
      acceptedAnswer: { '@type': 'Answer', text: text(answer).replace(LINK_TAGS, '') },
    })),
  };
}

/** One item of the news, at `url`. */
export function newsArticle(item: NewsItem, language: Language, url: string, origin: string): Thing {
  return {
    '@type': 'NewsArticle',
    headline: item.title,
    description: item.summary,
    datePublished: item.date,
    dateModified: item.date,
    inLanguage: LANGUAGE_TAG[language],
    image: `${origin}/cards/${language}.png`,
    mainEntityOfPage: url,
    author: { '@id': `${origin}/#organization` },
    publisher: { '@id': `${origin}/#organization` },
  };
}
