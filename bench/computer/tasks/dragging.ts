import { fill, js, parts, reach, reveal, type Solve } from '../solve.ts';
import type { Twin } from '../twin.ts';

const SUBMIT = "$1('#subbtn') || $1('#submit') || $t('button', 'Submit')";
const SHAPES: Record<string, string> = { rectangles: 'rect', circles: 'circle', triangles: 'polygon' };
const BY: Record<string, readonly [number, number]> = {
  left: [-14, 0],
  right: [14, 0],
  up: [0, -14],
  down: [0, 14],
};
const CELLS =
  'top left|top center|top right|center left|center|center right|bottom left|bottom center|bottom right'.split(
    '|',
  );

/** Tasks that are solved by dragging, scrolling, selecting, and with the mail program. */
export const DRAGGING: Record<string, Solve> = {
  'drag-circle': dragOne,
  'drag-single-shape': dragOne,
  'drag-items-grid': async function* (twin) {
    const [name = '', where = ''] = parts(await twin.query(), /Drag (\S+) (.*)\./);
    const items = await twin.read<string[]>("all('#sortable li').map(words)");
    const from = items.indexOf(name);
    const step = { up: -3, down: 3, left: -1, right: 1 }[where.replace(' by one', '')];
    const to = step === undefined ? CELLS.indexOf(where.replace('to the ', '')) : from + step;
    const start = await twin.at(`all('#sortable li')[${from}]`);
    // Past the middle of the cell, from the side that it comes from.
    const across = (to % 3) - (from % 3);
    const end = await twin.at(`all('#sortable li')[${to}]`, (across || to - from) > 0 ? 0.7 : 0.3, 0.5);
    if (across * (to - from) >= 0) {
      yield twin.drag(start, end);
      return;
    }
    // Slanting back to front, a cell on the way would take it: up or down first.
    yield { name: 'mouse_down', ...start };
    yield { name: 'move', x: start.x, y: end.y };
    yield { name: 'move', ...end };
    yield { name: 'mouse_up', ...end };
  },
  'drag-shapes-2': async function* (twin) {
    const [what = ''] = parts(await twin.query(), /Drag all (.*) into the left box/);
    const tag = SHAPES[what];
    const colour = what.replace(/ shapes$/, '');
    const all = "[...document.querySelectorAll('svg rect:not(#shape-container), svg circle, svg polygon')]";
    const count = await twin.read<number>(`${all}.length`);
    for (let at = 0; at < count; at += 1) {
      const test = tag ? `e.tagName === '${tag}'` : `e.getAttribute('fill') === ${js(colour)}`;
      const isLeft = await twin.read<boolean>(`((e) => ${test})(${all}[${at}])`);
      const box = await twin.read<[number, number]>(
        `(() => { const r = document.querySelectorAll('#shape-container')[${isLeft ? 0 : 1}].getBoundingClientRect(); return [r.left + 16 + ${at} * 8, r.top + 22]; })()`,
      );
      yield twin.drag(await twin.at(`${all}[${at}]`), twin.grid(box[0], box[1]));
    }
    yield await twin.click(SUBMIT);
  },
  'draw-circle': async function* (twin) {
    const [x, y] = await twin.read<[number, number]>(
      "(() => { const r = document.querySelector('#circ').getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()",
    );
    const at = (turn: number) =>
      twin.grid(x + 22 * Math.cos(turn * 2 * Math.PI), y + 22 * Math.sin(turn * 2 * Math.PI));
    const turns = Array.from({ length: 8 }, (_, index) => (index + 1) / 8);
    yield [
      { name: 'mouse_down', ...at(0) },
      ...turns.map((turn) => ({ name: 'move' as const, ...at(turn) })),
      { name: 'mouse_up', ...at(1) },
    ];
    yield await twin.click("$t('#controls button', 'Submit')");
  },
  'resize-textarea': async function* (twin) {
    const [side = 'width', which = 'larger'] = await twin.bold();
    const by = which === 'larger' ? 18 : -18;
    const [x, y] = await twin.read<[number, number]>(
      "(() => { const r = (document.querySelector('.ui-resizable-se') || document.querySelector('#tt')).getBoundingClientRect(); return [r.right - 5, r.bottom - 5]; })()",
    );
    const end = side === 'width' ? twin.grid(x + by, y) : twin.grid(x, y + by);
    yield twin.drag(twin.grid(x, y), end);
    yield await twin.click(SUBMIT);
  },
  'scroll-text-2': async function* (twin) {
    const [to = 'bottom'] = parts(await twin.query(), /to the (\w+) of/);
    const at = await twin.at("$1('#text-area')");
    yield { name: 'scroll', ...at, direction: to === 'bottom' ? 'down' : 'up', magnitude: 3_000 };
    yield await twin.click(SUBMIT);
  },
  'highlight-text': async function* (twin) {
    yield await twin.click("$1('#randomText')", 'triple_click');
    yield await twin.click(SUBMIT);
  },
  'use-slider-2': async function* (twin) {
    const wanted = JSON.parse(parts(await twin.query(), /(\[.*\])/)[0] ?? '[]') as number[];
    for (const [at, value] of wanted.entries()) {
      const handle = `document.querySelector('#slider-${at + 1} .ui-slider-handle')`;
      yield* reveal(twin, handle);
      // Of twenty values: a key for each of them would take more steps than a run has.
      const end = await twin.at(`document.querySelector('#slider-${at + 1}')`, value / 20);
      yield twin.drag(await twin.at(handle), end);
      const now = Number(await twin.read<string>(`words(document.querySelector('#val-${at + 1}'))`));
      const key = value > now ? 'ArrowRight' : 'ArrowLeft';
      const times = Math.abs(value - now);
      if (times > 0) yield Array.from({ length: times }, () => ({ name: 'press_key' as const, key }));
    }
    yield* reach(twin, SUBMIT);
  },
  'use-colorwheel-2': async function* (twin) {
    const colour = await twin.read<number[]>(
      "getComputedStyle(document.querySelector('#query .cc')).backgroundColor.match(/\\d+/g).map(Number)",
    );
    const hex = colour
      .slice(0, 3)
      .map((part) => part.toString(16).padStart(2, '0'))
      .join('');
    yield [
      await twin.click("$1('#col')", 'triple_click'),
      { name: 'hotkey', keys: ['Control', 'a'] },
      { name: 'type', text: hex },
    ];
    // The picker covers the button until there is a click elsewhere.
    yield await twin.click("$1('#query')");
    yield await twin.click(SUBMIT);
  },
  'text-editor': async function* (twin) {
    const text = await twin.query();
    const [what = '', style = ''] = await twin.bold();
    yield await twin.click("$1('.ql-editor p')");
    if (what === 'everything') yield { name: 'hotkey', keys: ['Control', 'a'] };
    else yield* selectWord(twin, what);
    if (/color/.test(text)) {
      yield await twin.click("$1('.ql-color .ql-picker-label')");
      yield await twin.click(
        `all('.ql-color .ql-picker-item').find((e) => COLOR_MAP[${js(style.trim())}].includes(e.dataset.value))`,
      );
    } else {
      yield await twin.click(
        `$1('button.ql-${{ bold: 'bold', italics: 'italic', underlined: 'underline' }[style.trim()]}')`,
      );
    }
    yield* reach(twin, SUBMIT);
  },
  'daily-calendar': async function* (twin) {
    const [length = '', name = '', from = ''] = parts(
      await twin.query(),
      /Create a (.*) event named "(.*)", between (\S+) and/,
    );
    const halves =
      { '0.5 hours': 1, '30 mins': 1, '1 hour': 2, '60 mins': 2, '1.5 hours': 3, '90 mins': 3 }[length] ?? 1;
    const start = { '8AM': 16, '12PM': 24, '4PM': 32 }[from] ?? 16;
    const first = await twin.read<number>(
      `(() => { const covered = (i) => all('.event').some((e) => { const a = e.getBoundingClientRect(), b = document.querySelector('#hh-' + i).getBoundingClientRect(); return a.top < b.bottom - 1 && a.bottom > b.top + 1; }); for (let i = ${start}; i + ${halves} <= ${start + 8}; i += 1) { let free = true; for (let k = i - 1; k <= i + ${halves}; k += 1) if (covered(k)) free = false; if (free) return i; } return ${start}; })()`,
    );
    const slot = (at: number) => `document.querySelector('#hh-${at}')`;
    yield* reveal(twin, slot(first + halves));
    yield* reveal(twin, slot(first));
    const to = await twin.at(slot(first + halves - 1), 0.5, 0.7);
    yield twin.drag(await twin.at(slot(first), 0.5, 0.3), to);
    yield* reach(twin, "document.querySelector('#event-name')");
    yield { name: 'type', text: name };
    yield* reach(twin, "document.querySelector('#controls .create')");
  },
  'email-inbox-delete': mail,
  'email-inbox-important': mail,
  'email-inbox-noscroll': mail,
  'email-inbox-star-reply': mail,
  'email-inbox-forward-nl': async function* (twin) {
    yield* openMail(twin);
    yield* forward(twin, await twin.read<string>(`${MAIL}.expectedDetails.forward`));
  },
};

async function* dragOne(twin: Twin): ReturnType<Solve> {
  const [way = 'left'] = parts(await twin.query(), /Drag the \w+ (\w+) then/);
  const shape = "$1('svg circle, svg rect, svg polygon')";
  const from = await twin.at(shape);
  const [dx, dy] = BY[way] ?? [0, 0];
  yield twin.drag(from, { x: from.x + dx, y: from.y + Math.round((dy * 1440) / 900) });
  yield await twin.click(SUBMIT);
}

async function* selectWord(twin: Twin, word: string): ReturnType<Solve> {
  const place = await twin.read<[number, number] | null>(
    `(() => { const node = document.createTreeWalker(document.querySelector('.ql-editor'), NodeFilter.SHOW_TEXT).nextNode(); const found = new RegExp('(^|\\\\s)' + ${js(word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))} + '(?=\\\\s|$)').exec(node.data); if (!found) return null; const at = found.index + found[1].length; const range = document.createRange(); range.setStart(node, at); range.setEnd(node, at + 1); const r = range.getClientRects()[0]; return [r.left + r.width / 2, r.top + r.height / 2]; })()`,
  );
  if (!place) throw new Error(`no word ${word}`);
  yield { name: 'double_click', ...twin.grid(...place) };
  const chosen = await twin.read<string>('String(getSelection())');
  for (let more = word.length - chosen.trimEnd().length; more > 0; more -= 1)
    yield { name: 'hotkey', keys: ['Shift', 'ArrowRight'] };
}

/** What the list of mails knows of the task: there can be two mails of one sender. */
const MAIL =
  "jQuery._data(document.querySelector('#main .email-thread'), 'events').click.find(({ data }) => data).data";
const THREAD = `document.querySelectorAll('#main .email-thread')[((mail) => mail.emails.indexOf(mail.expectedDetails.email))(${MAIL})]`;

async function* openMail(twin: Twin): ReturnType<Solve> {
  yield* reach(twin, `${THREAD}.querySelector('.email-sender')`, '#main');
}

async function* forward(twin: Twin, to: string): ReturnType<Solve> {
  yield* reach(twin, "document.querySelector('#email .email-forward')");
  yield* fill(twin, "$1('.forward-sender')", to);
  yield await twin.click("$1('#send-forward')");
}

async function* mail(twin: Twin): ReturnType<Solve> {
  const text = await twin.query();
  const [, more = ''] = await twin.bold();
  const icon = /trash/.test(text) ? 'trash' : /star icon/.test(text) ? 'star' : null;
  if (icon) {
    yield* reach(twin, `${THREAD}.querySelector('.${icon}')`, '#main');
    return;
  }
  yield* openMail(twin);
  if (/forward/.test(text)) return yield* forward(twin, more);
  yield* reach(twin, "document.querySelector('#email .email-reply')");
  yield* fill(twin, "$1('#reply-text')", more);
  yield await twin.click("$1('#send-reply')");
}
