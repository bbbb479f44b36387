import type { UserRecord } from '#contract/accounts.ts';
import { ApiError, errorFrom } from '#web/lib/api.ts';

const TIMEOUT_MS = 120_000;

/**
 * Sends a picture and returns the user with it; `onProgress` receives the part, 0 to 1, that was sent. `fetch` cannot report that.
 * Rejects with `ApiError`.
 */
export function uploadPicture(file: File, onProgress: (part: number) => void): Promise<UserRecord> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', '/api/me/picture');
    request.timeout = TIMEOUT_MS;
    request.setRequestHeader('content-type', file.type);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status !== 200) return reject(errorFrom(request.status, request.responseText));
      try {
        resolve(JSON.parse(request.responseText) as UserRecord);
      } catch {
        reject(new ApiError('network'));
      }
    };
    request.onerror = () => reject(new ApiError('network'));
    request.ontimeout = () => reject(new ApiError('network'));
    request.send(file);
  });
}
