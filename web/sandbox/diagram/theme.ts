const LIGHT = {
  background: '#ffffff',
  primaryColor: '#f3f0ea',
  primaryBorderColor: '#8b8377',
  primaryTextColor: '#1b1a17',
  secondaryColor: '#fbfaf7',
  tertiaryColor: '#ffffff',
  lineColor: '#5f5a52',
  textColor: '#1b1a17',
  noteBkgColor: '#fbfaf7',
  noteTextColor: '#1b1a17',
  noteBorderColor: '#e6e1d8',
};
const DARK = {
  background: '#1f1d1a',
  primaryColor: '#34302b',
  primaryBorderColor: '#7c756a',
  primaryTextColor: '#ece8e1',
  secondaryColor: '#1f1d1a',
  tertiaryColor: '#161513',
  lineColor: '#a39c91',
  textColor: '#ece8e1',
  noteBkgColor: '#161513',
  noteTextColor: '#ece8e1',
  noteBorderColor: '#34302b',
};

/** Mermaid's settings in our colours. */
export function themeOf(dark: boolean) {
  return {
    theme: 'base' as const,
    darkMode: dark,
    themeVariables: { darkMode: dark, ...(dark ? DARK : LIGHT) },
  };
}
