import { gzipSync } from 'node:zlib';
import { type HostileFile, hostile } from './hostile-file.ts';

const MB = 1_048_576;

export function hostileTexts(): HostileFile[] {
  const noise = Buffer.from(Array.from({ length: 4_000 }, (_, n) => (n * 2_654_435_761) >>> 24));
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><image href="file:///etc/passwd"/></svg>';
  return [
    hostile('empty', () => '', 'file_empty'),
    hostile('too large', () => Buffer.alloc(20 * MB + 1, 'a'), 'file_too_large'),
    hostile('an SVG with a script', () => svg, 'read'),
    hostile(
      'an HTML page with a script',
      () => '<!doctype html><script>fetch("http://127.0.0.1")</script>',
      'read',
    ),
    hostile('a line of 20 MB', () => Buffer.alloc(20 * MB - 100_000, 'a'), 'file_too_complex', 'read'),
    hostile('characters that turn the direction', () => 'a\u202eb\u2066c\ufeff', 'read'),
    hostile('noise', () => noise, 'file_type_unsupported'),
    hostile('a byte of zero in a text', () => 'a\0b', 'file_type_unsupported'),
    hostile(
      'a Linux program',
      () => Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), noise]),
      'file_type_unsupported',
    ),
    hostile(
      'a Windows program',
      () => Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), noise]),
      'file_type_unsupported',
    ),
    hostile('a gzip bomb', () => gzipSync(Buffer.alloc(64 * MB)), 'file_type_unsupported'),
    hostile('half a character of UTF-16', () => Buffer.from('\xff\xfea', 'latin1'), 'file_unreadable'),
    hostile(
      'half a pair of UTF-16',
      () => Buffer.from('\xff\xfe\x00\xd8', 'latin1'),
      'file_type_unsupported',
    ),
    hostile('UTF-32', () => Buffer.from('\xff\xfe\0\0a\0\0\0', 'latin1'), 'file_type_unsupported'),
    hostile('RTF', () => '{\\rtf1 {\\object\\objemb}}', 'file_type_unsupported'),
    hostile('PostScript', () => '%!PS-Adobe-3.0\n(/etc/passwd) (r) file', 'file_type_unsupported'),
    hostile('a control character alone', () => '\x01', 'file_type_unsupported'),
    hostile('one byte that is no UTF-8', () => Buffer.from([0x81]), 'file_type_unsupported'),
  ];
}
