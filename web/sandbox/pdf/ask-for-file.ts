const asked = new Map<number, (bytes: ArrayBuffer | null) => void>();
const FOLDERS = { cMapUrl: 'cmaps', standardFontDataUrl: 'standard_fonts', wasmUrl: 'wasm' };
let lastId = 0;

/** Where pdfjs gets its CMaps and fonts (`BinaryDataFactory`): the chat is asked for each by its name, once. */
export function askForFile(port: MessagePort) {
  return class {
    async fetch({ kind, filename }: { kind: keyof typeof FOLDERS; filename: string }): Promise<Uint8Array> {
      lastId += 1;
      const id = lastId;
      const bytes = await new Promise<ArrayBuffer | null>((resolve) => {
        asked.set(id, resolve);
        port.postMessage({ id, file: `${FOLDERS[kind]}/${filename}` });
      });
      if (!bytes) throw new Error(`no ${filename}`);
      return new Uint8Array(bytes);
    }
  };
}

/** The chat's answer; null where there is no such file. */
export function takeFile(id: number, bytes: ArrayBuffer | null): void {
  asked.get(id)?.(bytes);
  asked.delete(id);
}
