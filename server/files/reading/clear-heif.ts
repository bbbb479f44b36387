/** A box of ISO/IEC 14496-12: its type, where it begins, and where its content begins and ends. */
interface Box {
  type: string;
  at: number;
  from: number;
  to: number;
}

/** Items of these types are EXIF and XMP (ISO/IEC 23008-12, A.2 and A.3), and whatever a URI names. */
const METADATA = new Set(['Exif', 'mime', 'uri ']);
/** What a file is drawn with; what else stands there (C2PA, a film, another file) tells more. */
const DRAWN = new Set(['ftyp', 'meta', 'mdat', 'moov', 'mini']);
/** Boxes within others that draw nothing. */
const TELLING = new Set(['uuid', 'udta', 'meta', 'free', 'skip']);
/** Boxes within which there may be such. */
const HOLDING = new Set(['moov', 'trak']);
const EXIF = new Set(['Exif']);

/**
 * An AVIF or HEIC picture with zeros where its EXIF, XMP and boxes of others were; null where it has none. Which way is up is a property,
 * and stays.
 */
export function clearHeif(bytes: Buffer): Buffer | null {
  const cleared = Buffer.from(bytes);
  for (const box of boxesIn(bytes, 0, bytes.length)) {
    if (!DRAWN.has(box.type)) clearBox(cleared, box);
    if (HOLDING.has(box.type)) clearWithin(cleared, box);
    if (box.type === 'meta') clearWithin(cleared, { ...box, from: box.from + 4 });
  }
  for (const { from, to } of extentsOf(bytes, METADATA)) cleared.fill(0, from, to);
  return cleared.equals(bytes) ? null : cleared;
}

/** The EXIF of a HEIC picture from its TIFF header on, before which stands how far that is away; null where it has none. */
export function exifOfHeif(bytes: Buffer): Buffer | null {
  const pieces = [...extentsOf(bytes, EXIF)].map(({ from, to }) => bytes.subarray(from, to));
  if (pieces.length === 0) return null;
  const exif = Buffer.concat(pieces);
  return exif.subarray(4 + exif.readUInt32BE(0));
}

/** Where the items of some types lie in a file. */
function* extentsOf(bytes: Buffer, types: ReadonlySet<string>): Generator<{ from: number; to: number }> {
  const meta = boxesIn(bytes, 0, bytes.length).find(({ type }) => type === 'meta');
  if (!meta) return;
  const boxes = boxesIn(bytes, meta.from + 4, meta.to);
  const find = (type: string) => boxes.find((box) => box.type === type);
  const iinf = find('iinf');
  const iloc = find('iloc');
  if (!iinf || !iloc) return;
  const ids = listItems(bytes, iinf, types);
  for (const { id, from, to } of listExtents(bytes, iloc, find('idat')?.from ?? 0))
    if (ids.has(id)) yield { from, to };
}

function clearWithin(bytes: Buffer, { from, to }: Box): void {
  for (const box of boxesIn(bytes, from, to)) {
    if (TELLING.has(box.type)) clearBox(bytes, box);
    else if (HOLDING.has(box.type)) clearWithin(bytes, box);
  }
}

/** Makes a box free space where it is, so that nothing else moves. */
function clearBox(bytes: Buffer, { at, from, to }: Box): void {
  bytes.write('free', at + 4, 'latin1');
  bytes.fill(0, from, to);
}

function boxesIn(bytes: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end; ) {
    const short = bytes.readUInt32BE(at);
    const head = short === 1 ? 16 : 8;
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short || end - at;
    if (size < head) throw new RangeError('a box shorter than its head');
    boxes.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      at,
      from: at + head,
      to: Math.min(at + size, end),
    });
    at += size;
  }
  return boxes;
}

/** The numbers of the items of some types: from entries `infe` of versions 2 and 3. */
function listItems(bytes: Buffer, iinf: Box, types: ReadonlySet<string>): Set<number> {
  const ids = new Set<number>();
  const first = iinf.from + (bytes.readUInt8(iinf.from) === 0 ? 6 : 8);
  for (const { type, from } of boxesIn(bytes, first, iinf.to)) {
    const version = bytes.readUInt8(from);
    if (type !== 'infe' || version < 2) continue;
    const isShort = version === 2;
    const at = from + (isShort ? 8 : 10);
    if (types.has(bytes.toString('latin1', at, at + 4)))
      ids.add(isShort ? bytes.readUInt16BE(from + 4) : bytes.readUInt32BE(from + 4));
  }
  return ids;
}

/** Where the items lie in the file: box `iloc` of versions 0 to 2. */
function* listExtents(
  bytes: Buffer,
  iloc: Box,
  idat: number,
): Generator<{ id: number; from: number; to: number }> {
  const version = bytes.readUInt8(iloc.from);
  let at = iloc.from + 4;
  const read = (size: number): number => {
    at += size;
    if (size === 8) return Number(bytes.readBigUInt64BE(at - 8));
    return size === 0 ? 0 : bytes.readUIntBE(at - size, size);
  };
  const sizes = read(2);
  const offset = (sizes >> 12) & 15;
  const length = (sizes >> 8) & 15;
  const base = (sizes >> 4) & 15;
  const index = sizes & 15;
  const items = read(version < 2 ? 2 : 4);
  for (let item = 0; item < items; item += 1) {
    const id = read(version < 2 ? 2 : 4);
    const isInIdat = version > 0 && (read(2) & 15) === 1;
    read(2);
    const start = read(base) + (isInIdat ? idat : 0);
    const extents = read(2);
    for (let extent = 0; extent < extents; extent += 1) {
      if (version > 0) read(index);
      const from = start + read(offset);
      yield { id, from, to: from + read(length) };
    }
  }
}
