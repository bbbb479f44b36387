import { Monitor, Moon, Sun } from 'lucide-react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { THEMES } from '#web/lib/theme.ts';
import { useTheme } from '#web/lib/use-theme.ts';
import { Segmented } from './segmented.tsx';

const ICON = { system: Monitor, light: Sun, dark: Moon };

/** As the system, light, or dark. `name` tells it from another on the same page. */
export function ThemeChoice({ name }: { name: string }) {
  const { t } = useTranslation('common');
  const [theme, chooseTheme] = useTheme();
  const options = THEMES.map((value) => {
    const Icon = ICON[value];
    const title = t(`theme.${value}`);
    const label = (
      <>
        <Icon aria-hidden size={18} strokeWidth={1.5} />
        <span className="sr-only">{title}</span>
      </>
    );
    return { value, title, label };
  });
  return (
    <Segmented label={t('theme.label')} name={name} value={theme} onChange={chooseTheme} options={options} />
  );
}
