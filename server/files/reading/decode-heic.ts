import { createRequire } from 'node:module';
import { FileFault } from './reading-rules.ts';

interface HeifImage {
  is_primary(): boolean;
  get_width(): number;
  get_height(): number;
  display(into: Pixels, done: (pixels: Pixels | null) => void): void;
}

interface Libheif {
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
}

interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** The main picture of a HEIC file as RGBA, upright. Throws `file_unreadable`, or `file_too_complex` beyond `limit` pixels. */
export async function decodeHeic(bytes: Buffer, limit: number): Promise<Pixels> {
  // Loaded for HEIC alone: it is 1.4 MB of WebAssembly. It comes without types.
  const libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle') as Libheif;
  try {
    const images = new libheif.HeifDecoder().decode(bytes);
    const image = images.find((one) => one.is_primary()) ?? images[0];
    if (!image) throw new FileFault('file_unreadable', 'no picture in HEIF');
    const [width, height] = [image.get_width(), image.get_height()];
    if (width * height > limit) throw new FileFault('file_too_complex', 'too many pixels');
    const into = { data: new Uint8ClampedArray(width * height * 4), width, height };
    return await new Promise((resolve, reject) => {
      image.display(into, (pixels) =>
        pixels ? resolve(pixels) : reject(new FileFault('file_unreadable', 'HEIF was not decoded')),
      );
    });
  } catch (fault) {
    if (fault instanceof FileFault) throw fault;
    throw new FileFault('file_unreadable', String(fault), { cause: fault });
  }
}
