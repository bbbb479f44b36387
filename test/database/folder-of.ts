/** The folder of the Unix socket that a PostgreSQL URL leads to; empty where it leads elsewhere. */
export function folderOf(url: string): string {
  return new URL(url).searchParams.get('host') ?? '';
}
