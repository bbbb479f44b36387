/** Runs in each page of the demonstration site: tells the site what the window shows, after loading and after each change. */
export const SEEN_SCRIPT = `(() => {
  const visit = new URLSearchParams(location.search).get('visit') || '';
  const clean = (text) => (text || '').replace(/\\s+/g, ' ').trim();
  const inWindow = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const x = (left + width / 2) / innerWidth, y = (top + height / 2) / innerHeight;
    return width > 0 && height > 0 && x >= 0 && x < 1 && y >= 0 && y < 1 ? { x, y } : null;
  };
  const nameOf = (element) =>
    clean(element.getAttribute('aria-label') || (element.labels && element.labels[0] && element.labels[0].innerText) ||
      element.innerText || element.value || element.placeholder);
  const roleOf = (element) => {
    if (element.tagName === 'A') return 'link';
    if (element.tagName === 'BUTTON' || element.type === 'submit') return 'button';
    return element.type === 'radio' || element.type === 'checkbox' ? 'choice' : 'field';
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  const cells = (row) => [...row.children].map((cell) => clean(cell.innerText));
  const everything = () => clean(document.documentElement.textContent + ' ' +
    all('[alt],[title],[placeholder],[aria-label]').map((element) =>
      ['alt', 'title', 'placeholder', 'aria-label'].map((name) => element.getAttribute(name) || '').join(' ')).join(' '));
  function tell() {
    const elements = all('a[href],button,input:not([type=hidden]),textarea').flatMap((element) => {
      const at = inWindow(element);
      if (!at) return [];
      return [{ role: roleOf(element), name: nameOf(element), value: element.value || '', checked: !!element.checked, ...at }];
    });
    const sight = {
      visit, url: location.href, title: document.title,
      atEnd: Math.ceil(scrollY + innerHeight) >= document.documentElement.scrollHeight - 2,
      elements,
      head: cells(document.querySelector('thead tr') || document.createElement('tr')),
      rows: all('tbody tr').filter(inWindow).map(cells),
      lines: all('h1,h2,p,dt,dd,li').filter(inWindow).map((element) => clean(element.innerText)).filter(Boolean),
      everything: everything(),
    };
    fetch('/__seen', { method: 'POST', body: JSON.stringify(sight), keepalive: true }).catch(() => {});
  }
  let timer = 0;
  const soon = () => { clearTimeout(timer); timer = setTimeout(tell, 20); };
  for (const name of ['input', 'change', 'scroll', 'resize', 'focusin', 'click']) addEventListener(name, soon, true);
  addEventListener('pageshow', tell);
  tell();
})();`;
