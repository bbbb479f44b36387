import { clicks, js, names, parts, reach, type Solve } from '../solve.ts';

const SUBMIT = "$1('#subbtn') || $t('button', 'Submit')";

/** Tasks that are solved by clicking on what the utterance names. */
export const CLICKING: Record<string, Solve> = {
  'click-test': clicks("$1('#subbtn')"),
  'click-test-2': clicks("$1('#subbtn')"),
  'focus-text': clicks("$1('#tt')"),
  'click-button': async function* (twin) {
    const [text = ''] = parts(await twin.query(), /"(.*)"/);
    yield await twin.click(`$t('button', ${js(text)})`);
  },
  'click-link': async function* (twin) {
    const [text = ''] = parts(await twin.query(), /"(.*)"/);
    yield await twin.click(`$t('.alink', ${js(text)})`);
  },
  'click-dialog-2': async function* (twin) {
    const [text = ''] = parts(await twin.query(), /"(.*)"/);
    const found = text === 'x' ? "$1('.ui-dialog-titlebar-close')" : `$t('.ui-dialog button', ${js(text)})`;
    yield await twin.click(found);
  },
  'click-checkboxes': async function* (twin) {
    const [list = ''] = parts(await twin.query(), /Select (.*) and click/);
    for (const name of names(list)) {
      if (name !== 'nothing') yield await twin.click(`$t('label', ${js(name)}).querySelector('input')`);
    }
    yield await twin.click(SUBMIT);
  },
  'click-checkboxes-soft': async function* (twin) {
    const [list = ''] = parts(await twin.query(), /similar to (.*) and click/);
    for (const name of names(list)) {
      const like = `SYNONYMS.find((words) => words.includes(${js(name)}))`;
      yield await twin.click(`all('label').find((e) => ${like}.includes(words(e))).querySelector('input')`);
    }
    yield await twin.click(SUBMIT);
  },
  'click-collapsible': async function* (twin) {
    yield await twin.click("$1('#area h3')");
    yield { name: 'wait', seconds: 1 };
    yield* reach(twin, SUBMIT);
  },
  'click-collapsible-2': async function* (twin) {
    const [text = ''] = parts(await twin.query(), /"(.*)"/);
    const link = `$t('.alink', ${js(text)})`;
    for (let section = 0; section < 3; section += 1) {
      const holds = await twin.read<boolean>(
        `[...[...document.querySelectorAll('#area > div')][${section}].querySelectorAll('.alink')].some((e) => words(e) === ${js(text)})`,
      );
      if (!holds) continue;
      yield await twin.click(`all('#area h3')[${section}]`);
      yield { name: 'wait', seconds: 1 };
      yield* reach(twin, link);
      return;
    }
  },
  'click-tab-2': tabs,
  'click-tab-2-hard': tabs,
  'click-menu': async function* (twin) {
    const [path = ''] = parts(await twin.query(), /Select (.*)/);
    const steps = path.split('>');
    for (const [at, step] of steps.entries()) {
      const item = `$t('.ui-menu-item > div', ${js(step)})`;
      const isLast = at === steps.length - 1;
      yield await twin.click(item, isLast ? 'click' : 'move');
      if (!isLast) yield { name: 'wait', seconds: 1 };
    }
  },
  'click-pie-nodelay': async function* (twin) {
    const [text = ''] = await twin.bold();
    yield await twin.click("all('#divWheel svg text, #divWheel svg path').at(-1)");
    yield { name: 'wait', seconds: 1 };
    yield await twin.click(`all('#divWheel svg text').find((e) => words(e) === ${js(text)})`);
  },
  'click-scroll-list': async function* (twin) {
    const [list = ''] = parts(await twin.query(), /Select (.*) from the scroll list/);
    for (const [at, name] of names(list).entries()) {
      const option = `[...document.querySelectorAll('#options option')].find((e) => words(e) === ${js(name)})`;
      for await (const act of reach(twin, option, '#options')) {
        const isClick = !Array.isArray(act) && act.name === 'click';
        yield isClick && at > 0
          ? [{ name: 'key_down', key: 'Control' }, act, { name: 'key_up', key: 'Control' }]
          : act;
      }
    }
    yield await twin.click(SUBMIT);
  },
  'ascending-numbers': async function* (twin) {
    yield await twin.click("$t('svg text', '1')");
    for (let index = 2; index <= 5; index += 1)
      yield await twin.click(`$1('svg rect[data-index="${index}"]')`);
  },
  'button-delay': async function* (twin) {
    const [seconds = '1'] = parts(await twin.query(), /wait (\d+) seconds/);
    const wait = Math.max(0, Number(seconds) - 1.2);
    yield [
      await twin.click("$t('button', 'ONE')"),
      ...(wait > 0 ? [{ name: 'wait' as const, seconds: wait }] : []),
      await twin.click("$t('button', 'TWO')"),
    ];
  },
  'circle-center': clicks("$1('.black-circle')", SUBMIT),
  'find-greatest': async function* (twin) {
    const value = "Number(e.querySelector('.card-value').textContent)";
    yield await twin.click(`all('.card').toSorted((a, b) => ((e) => ${value})(b) - ((e) => ${value})(a))[0]`);
    yield await twin.click("$1('#submit')");
  },
  'form-sequence-3': async function* (twin) {
    const [choice = '', button = ''] = parts(await twin.query(), /Choose (.*) from the dropdown.*"(.*)"/);
    yield await twin.click("$1('.selectric')");
    yield { name: 'wait', seconds: 1 };
    yield* reach(
      twin,
      `all('.selectric-items li').find((e) => words(e) === ${js(choice)})`,
      '.selectric-scroll',
    );
    yield await twin.click(
      `all('button').find((e) => words(e).toLowerCase() === ${js(button.toLowerCase())})`,
    );
  },
  'number-checkboxes': async function* (twin) {
    const [digit = '0'] = parts(await twin.query(), /number "(\d)"/);
    const cells = await twin.read<number[]>(`PATTERNS[${digit}].flat()`);
    for (const [at, isOn] of cells.entries()) {
      if (isOn) yield await twin.click(`all('#checkboxes input')[${at}]`);
    }
    yield await twin.click(SUBMIT);
  },
  'order-food': async function* (twin) {
    const text = await twin.query();
    const add = (test: string) => `[...document.querySelectorAll('.food-item')].filter((e) => ${test})`;
    const one = /one of each item: (.*)/.exec(text)?.[1];
    const [count = '0', type = ''] = one ? [] : parts(text, /Order (\d+) items that are (.*)/);
    const wanted = one ? names(one) : [];
    const test = one
      ? `${js(wanted.join('|'))}.split('|').includes(e.dataset.item.trim())`
      : `[...e.querySelectorAll('img')].some((i) => i.alt === ${js(type.trim())})`;
    const times = one ? wanted.length : Number(count);
    for (let at = 0; at < times; at += 1) {
      const item = one ? `${add(test)}[${at}]` : `${add(test)}[0]`;
      yield* reach(twin, `${item}.querySelector('.add')`);
    }
    yield* reach(twin, "document.querySelector('#submit-order button')");
  },
  'social-media-some': async function* (twin) {
    const [action = '', count = '1', user = ''] = await twin.bold();
    for (let at = 0; at < Number(count); at += 1) {
      const post = `[...document.querySelectorAll('.media')].filter((e) => words(e.querySelector('.username')) === ${js(user)})[${at}]`;
      yield* reach(twin, `${post}.querySelector('.${action.toLowerCase()}')`);
    }
    yield* reach(twin, "document.querySelector('#submitRow button')");
  },
  'generate-number': async function* (twin) {
    const text = await twin.query();
    for (let left = 60; left > 0; left -= 1) {
      yield await twin.click("$1('#generate')");
      const number = Number(await twin.read<string>("words($1('#display-number'))"));
      const [, than = '0'] = /than (\d+)/.exec(text) ?? [];
      const isWanted = text.includes('less')
        ? number < Number(than)
        : text.includes('greater')
          ? number > Number(than)
          : number % 2 === (text.includes('odd') ? 1 : 0);
      if (isWanted) break;
    }
    yield await twin.click("$1('#submit')");
  },
  'tic-tac-toe': async function* (twin) {
    for (const cell of await twin.read<number[]>(WINNING_GAME))
      yield await twin.click(`document.querySelector('#ttt-${cell}')`);
  },
  'click-shape': async function* (twin) {
    const [wanted = ''] = parts(await twin.query(), /Click on an? (.*)/);
    yield await twin.click(`all('#area_svg > *').find((e) => ${matches(wanted)})`);
  },
  'count-shape': async function* (twin) {
    const [wanted = ''] = parts(await twin.query(), /How many (.*)s are there/);
    const count = await twin.read<number>(`all('#area_svg > *').filter((e) => ${matches(wanted)}).length`);
    yield await twin.click(`$t('#count-buttons button', '${count}')`);
  },
};

async function* tabs(twin: Parameters<Solve>[0]): ReturnType<Solve> {
  const [text = ''] = parts(await twin.query(), /"(.*)"/);
  const panel = await twin.read<number>(
    `[...document.querySelectorAll('#area > div')].findIndex((p) => [...p.querySelectorAll('.alink')].some((e) => words(e) === ${js(text)}))`,
  );
  yield await twin.click(`all('#area li a')[${panel}]`);
  yield* reach(twin, `$t('.alink', ${js(text)})`);
}

/** Whether a drawn thing is what a description of `shapes.js` says; its size and kind are read off the drawing. */
function matches(wanted: string): string {
  const words = wanted.split(' ');
  const kind = words.at(-1) ?? '';
  const size = words.find((word) => word === 'large' || word === 'small');
  const colour = words.slice(0, -1).find((word) => word !== 'large' && word !== 'small');
  const text =
    "(e.tagName === 'text' ? e.textContent : { rect: 'rectangle', circle: 'circle', polygon: 'triangle' }[e.tagName])";
  const type = `(e.tagName !== 'text' ? 'shape' : /[0-9]/.test(e.textContent) ? 'digit' : 'letter')`;
  return [
    colour ? `e.getAttribute('fill') === ${js(colour)}` : 'true',
    size ? `(${SIZE} ? 'large' : 'small') === '${size}'` : 'true',
    kind === 'item' ? 'true' : `(${text} === ${js(kind)} || ${type} === ${js(kind)})`,
  ].join(' && ');
}

const SIZE = `(e.tagName === 'text' ? parseFloat(e.getAttribute('font-size') || getComputedStyle(e).fontSize) > 15 : e.getBBox().width > 15)`;

/**
 * The cells of a game that is won. The other player's moves follow from the seed, so games are tried here, each begun as the page begins
 * it, and the page is left as it was.
 */
const WINNING_GAME = `(() => {
  const begin = () => { Math.seedrandom(new URLSearchParams(location.search).get('seed')); core.startEpisodeReal(); };
  const games = [[]];
  for (const game of games) {
    begin();
    for (const cell of game) document.querySelector('#ttt-' + cell).click();
    const isWon = WOB_DONE_GLOBAL && WOB_RAW_REWARD_GLOBAL === 1;
    if (!WOB_DONE_GLOBAL) games.push(...[4, 0, 2, 6, 8, 1, 3, 5, 7].filter((cell) => gameState[cell] === 0).map((cell) => [...game, cell]));
    if (!isWon) continue;
    begin();
    return game;
  }
  return [];
})()`;
