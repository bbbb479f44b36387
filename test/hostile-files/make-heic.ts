interface Grid {
  columns: number;
  rows: number;
  /** Of the whole picture, in pixels. */
  width: number;
  height: number;
  /** Quarters of a turn against the clock that it is to be shown with; 0 where none are said. */
  turns?: number;
}

const u16 = (...numbers: number[]) => {
  const bytes = Buffer.alloc(2 * numbers.length);
  for (const [at, number] of numbers.entries()) bytes.writeUInt16BE(number, 2 * at);
  return bytes;
};
const u32 = (...numbers: number[]) =>
  Buffer.concat(numbers.map((number) => u16(number >>> 16, number & 0xffff)));

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/** The first box of a type in a file, as it stands there. */
function findBox(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, 'latin1') - 4;
  return file.subarray(at, at + file.readUInt32BE(at));
}

/**
 * A HEIC as phones write large ones (ISO/IEC 23008-12, 6.6.2.3): a grid of tiles, each of which is the one picture of the HEIC `tile`,
 * whose side is 512 pixels. All of them name the same bytes, so that the file stays small.
 */
export function makeGridHeic(tile: Buffer, { columns, rows, width, height, turns = 0 }: Grid): Buffer {
  const tiles = Array.from({ length: columns * rows }, (_, n) => n + 2);
  const item = (id: number, type: string) =>
    box('infe', u32(0x02000000), u16(id, 0), Buffer.from(`${type}\0`, 'latin1'));
  const properties = [
    findBox(tile, 'hvcC'),
    box('ispe', u32(0, 512, 512)),
    box('ispe', u32(0, width, height)),
    box('irot', Buffer.from([turns])),
  ];
  const uses = (id: number, ...numbers: number[]) =>
    Buffer.concat([u16(id), Buffer.from([numbers.length, ...numbers])]);
  const descriptor = Buffer.concat([Buffer.from([0, 1, rows - 1, columns - 1]), u32(width, height)]);
  const packed = findBox(tile, 'mdat').subarray(8);
  const head = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'));
  const meta = (at: number) =>
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), Buffer.from('pict', 'latin1'), u32(0, 0, 0), Buffer.from([0])),
      box('pitm', u32(0), u16(1)),
      box('iinf', u32(0), u16(tiles.length + 1), item(1, 'grid'), ...tiles.map((id) => item(id, 'hvc1'))),
      box('iref', u32(0), box('dimg', u16(1, tiles.length, ...tiles))),
      box(
        'iprp',
        box('ipco', ...properties),
        box('ipma', u32(0, tiles.length + 1), uses(1, 3, 0x84), ...tiles.map((id) => uses(id, 0x81, 2))),
      ),
      box(
        'iloc',
        u32(0),
        u16(0x4400, tiles.length + 1, 1, 0, 1),
        u32(at, descriptor.length),
        ...tiles.flatMap((id) => [u16(id, 0, 1), u32(at + descriptor.length, packed.length)]),
      ),
    );
  const at = head.length + meta(0).length + 8;
  return Buffer.concat([head, meta(at), box('mdat', descriptor, packed)]);
}
