import { useTranslation } from '#web/lib/i18n.tsx';
import { THEMES, useTheme } from '#web/lib/theme.ts';
import { Segmented } from './segmented.tsx';

/** As the system, light, or dark. `name` is unique on the page. */
export function ThemeChoice({ name }: { name: string }) {
  const { t } = useTranslation('common');
  const [theme, chooseTheme] = useTheme();
  const options = THEMES.map((value) => ({ value, label: t(`theme.${value}`) }));
  return (
    <Segmented label={t('theme.label')} name={name} value={theme} onChange={chooseTheme} options={options} />
  );
}
