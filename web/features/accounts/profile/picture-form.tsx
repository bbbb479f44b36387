import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useRef, useState } from 'react';
import type { UserRecord } from '#contract/accounts.ts';
import { MAX_PICTURE_BYTES } from '#contract/limits.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { useTranslation } from '#web/lib/i18n.tsx';
import type { TextKey } from '#web/lib/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field-error.tsx';
import { sessionQuery } from '../session/use-session.ts';
import { reachProblem } from '../sign-in/sign-in.ts';
import { Avatar } from './avatar.tsx';
import { PicturePreview } from './picture-preview.tsx';
import { uploadPicture } from './upload-picture.ts';

const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** The user's picture: chosen, looked at, uploaded; or taken away, for the first letter of the name. */
export function PictureForm({ user }: { user: UserRecord }) {
  const { t } = useTranslation('common');
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [problem, setProblem] = useState<TextKey | null>(null);

  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0] ?? null;
    event.target.value = '';
    const fault = chosen && faultOf(chosen);
    setProblem(fault);
    setFile(fault ? null : chosen);
  };
  const change = async (act: () => Promise<UserRecord>) => {
    if (sent !== null) return;
    setProblem(null);
    setSent(0);
    try {
      queryClient.setQueryData(sessionQuery.queryKey, await act());
      setFile(null);
    } catch (error) {
      setProblem(pictureProblem(error));
    } finally {
      setSent(null);
    }
  };
  const refuse = () => {
    setFile(null);
    setProblem('errors.picture_unreadable');
  };

  return (
    <div className="flex max-w-prose flex-col gap-4">
      <div className="flex flex-wrap items-center gap-5">
        {file ? (
          <PicturePreview file={file} onUnreadable={refuse} />
        ) : (
          <Avatar photoURL={user.photoURL} name={user.displayName || user.email} size={96} />
        )}
        <div className="flex flex-wrap gap-3">
          <input
            ref={input}
            type="file"
            accept={TYPES.join()}
            aria-label={t('picture.file')}
            tabIndex={-1}
            className="sr-only"
            onChange={choose}
          />
          {file ? (
            <>
              <Button busy={sent !== null} onClick={() => void change(() => uploadPicture(file, setSent))}>
                {sent === null ? t('picture.use') : t('picture.sending', { percent: Math.round(sent * 100) })}
              </Button>
              <Button variant="quiet" disabled={sent !== null} onClick={() => setFile(null)}>
                {t('picture.cancel')}
              </Button>
            </>
          ) : (
            <>
              <Button variant="secondary" onClick={() => input.current?.click()}>
                {t(user.photoURL ? 'picture.change' : 'picture.choose')}
              </Button>
              {user.photoURL ? (
                <Button
                  variant="quiet"
                  busy={sent !== null}
                  onClick={() =>
                    void change(() => callApi<UserRecord>('/api/me/picture', { method: 'DELETE' }))
                  }
                >
                  {t('picture.remove')}
                </Button>
              ) : null}
            </>
          )}
        </div>
      </div>
      <p className="text-soft text-sm">{t('picture.hint')}</p>
      <FieldError>{problem ? t(problem) : null}</FieldError>
    </div>
  );
}

function faultOf(file: File): TextKey | null {
  if (!TYPES.includes(file.type)) return 'errors.picture_unreadable';
  return file.size > MAX_PICTURE_BYTES ? 'picture.tooLarge' : null;
}

function pictureProblem(error: unknown): TextKey {
  const code = error instanceof ApiError ? error.code : null;
  if (code === 'picture_unreadable' || code === 'picture_too_large') return `errors.${code}`;
  if (code === 'payload_too_large') return 'picture.tooLarge';
  return reachProblem(error) ?? 'profile.notSaved';
}
