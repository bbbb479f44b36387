import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { colourToken } from './colour-token.ts';

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const GROUNDS = ['paper', 'raised', 'sunken', 'selected'];
/** Written on every ground. */
const TEXTS = ['ink', 'soft', 'accent', 'success', 'warning', 'danger'];
const BUTTONS = ['accent', 'accent-strong'];
/** Edges of controls; the composer's, which has the focus most of the time, is soft then. */
const EDGES = ['edge', 'soft', 'ink', 'danger'];

/** WCAG 2.2, relative luminance of `#rrggbb`. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Pairs of tokens that are below `least` in a theme. */
function weak(theme: Theme, fronts: string[], grounds: string[], least: number): string[] {
  return fronts.flatMap((front) =>
    grounds.flatMap((ground) => {
      const found = contrast(colourToken(front, theme), colourToken(ground, theme));
      return found < least ? [`${front} on ${ground}, ${theme}: ${found.toFixed(2)}`] : [];
    }),
  );
}

it.each(THEMES)('texts have 4.5:1 on every ground they stand on (%s)', (theme) => {
  expect(weak(theme, TEXTS, GROUNDS, 4.5)).toEqual([]);
  expect(weak(theme, ['on-accent'], BUTTONS, 4.5)).toEqual([]);
  expect(weak(theme, ['paper'], ['ink'], 4.5)).toEqual([]);
});

it.each(THEMES)('edges of controls have 3:1, and the one in focus 3:1 to the one at rest (%s)', (theme) => {
  expect(weak(theme, EDGES, ['paper', 'raised'], 3)).toEqual([]);
  expect(weak(theme, ['edge'], ['sunken'], 3)).toEqual([]);
  expect(weak(theme, ['ink'], ['edge'], 3)).toEqual([]);
});

it('what is selected is seen to be: away from the page in the light, towards the reader in the dark', () => {
  for (const ground of ['paper', 'raised', 'sunken']) {
    const [light, dark] = THEMES.map(
      (theme) => luminance(colourToken('selected', theme)) - luminance(colourToken(ground, theme)),
    );
    expect(light).toBeLessThan(0);
    expect(dark).toBeGreaterThan(0);
  }
  for (const theme of THEMES)
    expect(contrast(colourToken('selected', theme), colourToken('paper', theme))).toBeGreaterThan(1.15);
});

it.each(THEMES)('colours of code have 4.5:1 on its ground (%s)', (theme) => {
  const css = readFileSync('web/features/chat/answer/code/code-colours.css', 'utf8');
  const colours = [...css.matchAll(/--code-(\w+): light-dark\((#\w{6}), (#\w{6})\)/g)];
  expect(colours.length).toBeGreaterThan(5);
  const ground = colourToken('sunken', theme);
  const found = colours.map(([, name, light = '', dark = '']) => ({
    name,
    contrast: contrast(theme === 'light' ? light : dark, ground),
  }));
  expect(found.filter((one) => one.contrast < 4.5)).toEqual([]);
});
