/** More files of dropped folders than any message takes. */
const MAX_FILES = 100;

/** The files among what was dropped, and those in its folders. Hidden ones of the system, and what cannot be read, are left out. */
export async function readDropped(entries: readonly (FileSystemEntry | null)[]): Promise<File[]> {
  const files: File[] = [];
  const waiting = entries.filter((entry) => entry !== null);
  for (let entry = waiting.shift(); entry && files.length < MAX_FILES; entry = waiting.shift()) {
    if (entry.name.startsWith('.')) continue;
    if (entry.isFile) files.push(...(await fileOf(entry as FileSystemFileEntry).catch(() => [])));
    else if (entry.isDirectory)
      waiting.push(...(await entriesOf(entry as FileSystemDirectoryEntry).catch(() => [])));
  }
  return files;
}

function fileOf(entry: FileSystemFileEntry): Promise<File[]> {
  return new Promise((resolve, reject) => entry.file((file) => resolve([file]), reject));
}

/** A folder gives its entries a hundred at a time, until it gives none. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0 || entries.length > MAX_FILES) return entries;
    entries.push(...some);
  }
}
