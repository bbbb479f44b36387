import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from '#web/lib/i18n.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useIsResting } from './one-at-a-time.tsx';

/** A password with a button that shows what was typed. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'end'>) {
  const { t } = useTranslation('common');
  const [shown, setShown] = useState(false);
  const isResting = useIsResting(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      end={
        <IconButton
          label={t(shown ? 'account.hidePassword' : 'account.showPassword')}
          disabled={isResting}
          onClick={() => setShown(!shown)}
        >
          <Icon aria-hidden size={18} strokeWidth={1.5} />
        </IconButton>
      }
    />
  );
}
