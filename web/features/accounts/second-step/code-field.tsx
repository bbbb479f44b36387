import type { ComponentProps } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { TextField } from '#web/ui/text-field.tsx';

/** For a code of the app, or for a recovery code. */
export function CodeField({
  recovery,
  ...field
}: { recovery: boolean } & Omit<ComponentProps<typeof TextField>, 'label'>) {
  const { t } = useTranslation('common');
  return (
    <TextField
      {...field}
      key={recovery ? 'recovery' : 'code'}
      label={t(recovery ? 'secondStep.recoveryCode' : 'secondStep.code')}
      name="code"
      autoComplete={recovery ? 'off' : 'one-time-code'}
      inputMode={recovery ? 'text' : 'numeric'}
      autoCapitalize={recovery ? 'characters' : 'none'}
      autoCorrect="off"
      spellCheck={false}
      maxLength={20}
      required
    />
  );
}
