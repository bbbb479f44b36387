import { Monitor, Moon, Sun } from 'lucide-react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { THEMES } from '#web/lib/theme.ts';
import { useTheme } from '#web/lib/use-theme.ts';

const ICON = { system: Monitor, light: Sun, dark: Moon };

/** Three radio buttons: as the system, light, dark. */
export function ThemeChoice({ name }: { name: string }) {
  const { t } = useTranslation('common');
  const [theme, chooseTheme] = useTheme();
  return (
    <fieldset className="flex w-fit gap-0.5 rounded-control border border-line p-0.5">
      <legend className="sr-only">{t('theme.label')}</legend>
      {THEMES.map((choice) => {
        const Icon = ICON[choice];
        return (
          <label
            key={choice}
            title={t(`theme.${choice}`)}
            className="relative flex size-9 items-center justify-center rounded-md text-soft hover:text-ink has-checked:bg-sunken has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-ink"
          >
            <input
              type="radio"
              name={name}
              value={choice}
              checked={theme === choice}
              onChange={() => chooseTheme(choice)}
              className="absolute inset-0 m-0 appearance-none outline-none"
            />
            <Icon aria-hidden size={18} strokeWidth={1.5} />
            <span className="sr-only">{t(`theme.${choice}`)}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
