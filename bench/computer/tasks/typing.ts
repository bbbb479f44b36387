import { fill, js, parts, reach, type Solve } from '../solve.ts';

const SUBMIT = "$1('#subbtn') || $t('button', 'Submit')";
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Tasks that are solved by typing, choosing dates, and reading. */
export const TYPING: Record<string, Solve> = {
  'enter-text': async function* (twin) {
    const [text = ''] = parts(await twin.query(), /Enter "(.*)" into/);
    yield* fill(twin, "$1('#tt')", text);
    yield await twin.click(SUBMIT);
  },
  'enter-text-2': async function* (twin) {
    const [text = '', letters = ''] = parts(await twin.query(), /Type "(.*)" in (.*) in the/);
    yield* fill(twin, "$1('#tt')", /upper/.test(letters) ? text.toUpperCase() : text.toLowerCase());
    yield await twin.click(SUBMIT);
  },
  'enter-date': async function* (twin) {
    const [month = '', day = '', year = ''] = parts(await twin.query(), /(\d+)\/(\d+)\/(\d+)/);
    const at = await twin.at("$1('#tt')", 0.08);
    const order = await twin.read<string>(
      `new Intl.DateTimeFormat().formatToParts(new Date()).filter((p) => p.type !== 'literal').map((p) => p.type[0]).join('')`,
    );
    const values: Record<string, string> = { m: month.padStart(2, '0'), d: day.padStart(2, '0'), y: year };
    const typed = [...order].map((part) => values[part] ?? '');
    yield [
      { name: 'click', ...at },
      { name: 'type', text: typed.join('') },
    ];
    yield await twin.click(SUBMIT);
  },
  'copy-paste-2': async function* (twin) {
    const [which = '1st'] = await twin.bold();
    const text = await twin.read<string>(`document.querySelector('#text-${which[0]}').value`);
    yield* fill(twin, "$1('#answer-input')", text);
    yield* reach(twin, SUBMIT);
  },
  'find-word': async function* (twin) {
    const [which = ''] = await twin.bold();
    const text = await twin.read<string>("words($1('#area p'))");
    const word = text.split(/\s+/)[Number.parseInt(which, 10) - 1] ?? '';
    yield* fill(twin, "$1('#answer-input')", word.replace(/[^a-zA-Z0-9]/g, ''));
    yield await twin.click(SUBMIT);
  },
  'login-user-popup': async function* (twin) {
    const [user = '', password = ''] = parts(await twin.query(), /"(.*)" and the password "(.*)" into/);
    for (const [field, text] of [
      ['#username', user],
      ['#password', password],
    ] as const) {
      yield await twin.click(`$1('${field}')`);
      if (await twin.read<boolean>("!!$1('#popup')")) {
        yield await twin.click("$1('#popup-cancel')");
        yield await twin.click(`$1('${field}')`);
      }
      yield { name: 'type', text };
    }
    yield await twin.click(SUBMIT);
  },
  'multi-orderings': async function* (twin) {
    const [genre = '', name = '', year = ''] = await twin.bold();
    for (const [label, text] of [
      ['Genre', genre],
      ['Director', name],
      ['Year', year],
    ] as const) {
      yield* fill(twin, `$t('th', '${label}').parentElement.querySelector('input')`, text);
    }
    yield await twin.click("$1('.final')");
  },
  'guess-number': async function* (twin) {
    let [low, high] = [0, 9];
    while ((await twin.reward()) === null && low <= high) {
      const guess = Math.floor((low + high) / 2);
      // Its right half has the arrows of a number field.
      const field = await twin.at("$1('#tt')", 0.2);
      const all = { name: 'hotkey' as const, keys: ['Control', 'a'] };
      yield [{ name: 'click', ...field }, all, { name: 'type', text: String(guess) }];
      yield await twin.click(SUBMIT);
      if (await twin.read<boolean>("!!$1('#higher')")) low = guess + 1;
      else high = guess - 1;
    }
  },
  'read-table-2': async function* (twin) {
    for (const at of [1, 2]) {
      const value = await twin.read<string>(
        `(() => { const key = words(document.querySelector('#ll${at}')).replace(':', ''); return [...document.querySelectorAll('#tab td')].find((e) => words(e) === key).nextElementSibling.textContent; })()`,
      );
      yield* reach(twin, `document.querySelector('#tt${at}')`);
      yield { name: 'type', text: value };
    }
    yield* reach(twin, SUBMIT);
  },
  'simple-arithmetic': async function* (twin) {
    const [left = '0', sign = '+', right = '0'] = parts(
      await twin.read<string>("words($1('#math-problem'))"),
      /(-?\d+)\s*([-+x*×/÷])\s*(-?\d+)/,
    );
    const [a, b] = [Number(left), Number(right)];
    const value = sign === '+' ? a + b : sign === '-' ? a - b : /[x*×]/.test(sign) ? a * b : a / b;
    yield* fill(twin, "$1('#math-answer')", String(value));
    yield await twin.click(SUBMIT);
  },
  'search-engine': async function* (twin) {
    const [text = '', place = '1st'] = await twin.bold();
    const index = Number.parseInt(place, 10) - 1;
    yield* fill(twin, "$1('#search-text')", text);
    yield await twin.click("$1('#search')");
    if (index >= 3) yield await twin.click(`$t('#pagination a', '${Math.floor(index / 3) + 1}')`);
    yield* reach(twin, `$1('a[data-result="${index}"]')`);
  },
  'use-autocomplete-nodelay': async function* (twin) {
    const [start = '', end = ''] = await twin.bold();
    yield* fill(twin, "$1('#tags')", start);
    const item = `[...document.querySelectorAll('.ui-autocomplete li')].find((e) => words(e).toLowerCase().startsWith(${js(start.toLowerCase())}) && words(e).toLowerCase().endsWith(${js(end.toLowerCase())}))`;
    yield* reach(twin, item, '.ui-autocomplete');
    yield await twin.click(SUBMIT);
  },
  'use-spinner': async function* (twin) {
    const [value = '0'] = parts(await twin.query(), /Select (-?\d+) with/);
    const arrow = await twin.click(`$1('.ui-spinner-${Number(value) < 0 ? 'down' : 'up'}')`);
    if (Number(value) !== 0) yield Array.from({ length: Math.abs(Number(value)) }, () => arrow);
    yield await twin.click(SUBMIT);
  },
  'choose-date': chooseDate,
  'choose-date-medium': chooseDate,
  'book-flight-nodelay': async function* (twin) {
    const [kind = '', from = '', to = '', date = ''] = await twin.bold();
    for (const [field, city] of [
      ['#flight-from', from],
      ['#flight-to', to],
    ] as const) {
      yield* reach(twin, `document.querySelector('${field}')`);
      yield { name: 'type', text: city };
      yield* reach(
        twin,
        `$1('.ui-autocomplete li') && all('.ui-autocomplete li').find((e) => words(e).includes(${js(city)}))`,
      );
    }
    yield* pickDate(twin, date);
    yield* reach(twin, "document.querySelector('#search')");
    const flights = await twin.read<{ price: number; minutes: number }[]>(
      `[...document.querySelectorAll('.flight')].map((e) => ({ price: Number(e.querySelector('.flight-price').dataset.price || words(e.querySelector('.flight-price')).replace(/[^0-9.]/g, '')), minutes: Number(e.querySelector('.time-duration').dataset.duration) || (([h, m]) => Number(h) * 60 + Number(m || 0))(words(e.querySelector('.time-duration')).match(/\\d+/g) || [0]) }))`,
    );
    const key = kind === 'cheapest' ? 'price' : 'minutes';
    const best = flights.reduce(
      (found, flight, at) => (flight[key] < (flights[found]?.[key] ?? 0) ? at : found),
      0,
    );
    yield* reach(twin, `document.querySelectorAll('.flight .flight-price')[${best}]`);
  },
};

async function* chooseDate(twin: Parameters<Solve>[0]): ReturnType<Solve> {
  const [date = ''] = parts(await twin.query(), /(\d+\/\d+\/\d+)/);
  yield* pickDate(twin, date);
  // The calendar fades before it is gone.
  yield { name: 'wait', seconds: 1 };
  yield await twin.click(SUBMIT);
}

/** Goes through the months of a date picker, and picks the day of `mm/dd/yyyy`. */
async function* pickDate(twin: Parameters<Solve>[0], date: string): ReturnType<Solve> {
  const [month = '1', day = '1', year = '2016'] = parts(date, /(\d+)\/(\d+)\/(\d+)/);
  yield* reach(twin, "document.querySelector('#datepicker')");
  for (let left = 30; left > 0; left -= 1) {
    const [shown = '', shownYear = ''] = await twin.read<string[]>(
      "[words($1('.ui-datepicker-month')), words($1('.ui-datepicker-year'))]",
    );
    const by = (Number(year) - Number(shownYear)) * 12 + (Number(month) - 1 - MONTHS.indexOf(shown));
    if (by === 0) break;
    yield await twin.click(`$1('.ui-datepicker-${by > 0 ? 'next' : 'prev'}')`);
  }
  yield await twin.click(`$t('.ui-datepicker-calendar td a', '${Number(day)}')`);
}
