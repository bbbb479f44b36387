import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  name: string;
  content: Buffer | string;
  /** What the entry says of its length, where that is not true. */
  claimed?: number;
  isEncrypted?: boolean;
}

/** A ZIP written byte by byte, so that it can lie: yazl is too honest for tests. `entryCount`: what its end says. */
export function makeZip(parts: ZipPart[], entryCount = parts.length): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimed, isEncrypted } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level: 6 });
    const title = Buffer.from(name);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(isEncrypted ? 0x801 : 0x800, 2);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(bytes), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(claimed ?? bytes.length, 18);
    head.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, title, packed]);
    locals.push(local);
    central.push(centralEntry(head, title, offset));
    offset += local.length;
  }
  return Buffer.concat([...locals, ...central, endOf(central, offset, entryCount)]);
}

/** `count` entries that share the bytes of one: 1 MB of spaces each. */
export function makeOverlapping(count: number): Buffer {
  const one = makeZip([{ name: '00000.xml', content: Buffer.alloc(1_048_576, ' ') }]);
  const from = one.indexOf('PK\x01\x02');
  const entry = one.subarray(from, one.indexOf('PK\x05\x06'));
  const central = Array.from({ length: count }, (_, number) => {
    const copy = Buffer.from(entry);
    copy.write(String(number).padStart(5, '0'), 46);
    return copy;
  });
  return Buffer.concat([one.subarray(0, from), ...central, endOf(central, from, count)]);
}

function centralEntry(head: Buffer, title: Buffer, offset: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  const version = Buffer.from([20, 0]);
  return Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), version, head, rest, title]);
}

function endOf(central: Buffer[], offset: number, entryCount: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Math.min(entryCount, 65_534), 8);
  end.writeUInt16LE(Math.min(entryCount, 65_534), 10);
  end.writeUInt32LE(
    central.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return end;
}
