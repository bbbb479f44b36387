import { FileFault, type Found, type ReadingLimits } from './reading-rules.ts';

/** The commonest characters of running text, of one writing and not of the others. */
const COMMON = {
  simplified:
    '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运。，：；！？（）《》、“”　０１２３',
  traditional:
    '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作里用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運。，：；！？（）《》、「」　０１２３',
};
const CANDIDATES: [encoding: string, isCommon: (text: string) => number][] = [
  ['gb18030', shareOf(new Set(COMMON.simplified))],
  ['big5', shareOf(new Set(COMMON.traditional))],
  ['shift_jis', (text) => shareMatching(text, /[\u3041-\u30ff\u3001\u3002]/g)],
  // A letter with a mark stands between plain ones; two halves of an ideograph stand together.
  ['windows-1252', (text) => shareMatching(text, /(?<![\x80-\u{10ffff}])[À-ÿ€‘-”–—](?![\x80-\u{10ffff}])/gu)],
];
/** Enough to tell an encoding by. */
const SAMPLE = 65_536;
/** Least share of the bytes outside ASCII that a guess must explain; below it there is no guess. */
const MIN_SHARE = 0.1;

/**
 * Text, code, CSV: UTF-8; UTF-16 with its mark; else, of the encodings in which the bytes are valid, the one that gives the most
 * common characters (GB18030, Big5, Shift_JIS, Windows-1252). Throws `file_type_unsupported` for anything that is no text.
 */
export function readText(bytes: Buffer, limits: ReadingLimits): Found {
  const text = decode(bytes).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  if (text.length > limits.text) throw new FileFault('file_too_complex', 'the text is too long');
  return { type: 'text/plain', text };
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeMarked('utf-16le', bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeMarked('utf-16be', bytes);
  if (isBinary(bytes)) throw new FileFault('file_type_unsupported', 'binary');
  const text = decodeAs('utf-8', bytes);
  if (text !== null) return text;
  const ranked = CANDIDATES.map(([encoding, rate]) => ({ encoding, share: rate(sampleOf(encoding, bytes)) }))
    .filter(({ share }) => share >= MIN_SHARE)
    .sort((a, b) => b.share - a.share);
  for (const { encoding } of ranked) {
    const decoded = decodeAs(encoding, bytes);
    if (decoded !== null) return decoded;
  }
  throw new FileFault('file_type_unsupported', 'text in no known encoding');
}

function decodeMarked(encoding: string, bytes: Buffer): string {
  if (bytes.length % 2) throw new FileFault('file_unreadable', 'half a character at the end');
  const text = decodeAs(encoding, bytes);
  if (text === null || text.includes('\0')) throw new FileFault('file_type_unsupported', 'no UTF-16 text');
  return text;
}

/** Null where the bytes are not valid. */
function decodeAs(encoding: string, bytes: Buffer): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function sampleOf(encoding: string, bytes: Buffer): string {
  return new TextDecoder(encoding).decode(bytes.subarray(0, SAMPLE));
}

/** Text has no NUL and nearly no other control characters. */
function isBinary(bytes: Buffer): boolean {
  if (bytes.includes(0)) return true;
  let controls = 0;
  for (const byte of bytes.subarray(0, SAMPLE))
    if (byte < 32 && (byte < 8 || byte > 13) && byte !== 27) controls += 1;
  return controls > Math.min(bytes.length, SAMPLE) / 100;
}

function shareOf(common: ReadonlySet<string>): (text: string) => number {
  return (text) => {
    let [hits, all] = [0, 0];
    for (const char of text) {
      if (char < '\x80') continue;
      all += 1;
      if (common.has(char)) hits += 1;
    }
    return all ? hits / all : 0;
  };
}

function shareMatching(text: string, pattern: RegExp): number {
  const all = text.match(/\P{ASCII}/gu)?.length ?? 0;
  return all ? (text.match(pattern)?.length ?? 0) / all : 0;
}
