import { readFileSync } from 'node:fs';

/** A colour of `web/look.css` in one theme, as `#rrggbb`. Throws when there is none of that name. */
export function colourToken(name: string, theme: 'light' | 'dark' = 'light'): string {
  const css = readFileSync('web/look.css', 'utf8');
  const [, light, dark] =
    new RegExp(`--color-${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css) ?? [];
  const value = theme === 'light' ? light : dark;
  if (!value) throw new Error(`web/look.css has no colour ${name}`);
  return value;
}
