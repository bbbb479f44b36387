import { useQuery } from '@tanstack/react-query';
import type { FileInfo } from '#contract/message/files.ts';
import { ApiError, callApi } from '#web/lib/api.ts';

/** What is known of a file; where it was deleted, an error that `isGone` knows. */
export function useFileInfo(fileId: string) {
  return useQuery({
    queryKey: ['file', fileId],
    queryFn: ({ signal }) => callApi<FileInfo>(`/api/files/${fileId}`, { signal }),
    retry: (failures, error) => failures < 2 && !isGone(error),
  });
}

/** Whether an answer says that there is no such file any more. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'not_found' || error.code === 'file_deleted');
}
