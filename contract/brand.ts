import type { Language } from './choices.ts';
/** The product's name and addresses; an operator overrides them by environment (`BRAND_*`, `SUPPORT_EMAIL`). */
export interface Brand {
  name: string;
  nameZh: string;
  slug: string;
  supportEmail: string;
  social: { profile: string; code: string; chatAppId: string };
}

/** What the product is called in a language. */
export function brandName({ name, nameZh }: Pick<Brand, 'name' | 'nameZh'>, language: Language): string {
  return language === 'zh' ? nameZh : name;
}

export const DEFAULT_BRAND: Brand = {
  name: 'Parley',
  nameZh: '对谈',
  slug: 'parley',
  supportEmail: 'support@parley.example',
  social: {
    profile: 'https://social.example/parley',
    code: 'https://code.example/parley',
    chatAppId: 'parley-support',
  },
};
