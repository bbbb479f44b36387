import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** Markup and scripts of a page that tries to reach `base` (an origin), each by its name. */
export const ATTACKS: Record<string, (base: string) => string> = {
  'an image': (base) => `<img src="${base}/image">`,
  'an image of a set': (base) => `<img srcset="${base}/set 1x, ${base}/set2 2x">`,
  'a picture source': (base) => `<picture><source srcset="${base}/source"><img></picture>`,
  'a script': (base) => `<script src="${base}/script"></script>`,
  'a module': (base) => `<script type="module">import('${base}/module').catch(() => 0)</script>`,
  'a style sheet': (base) => `<link rel="stylesheet" href="${base}/style">`,
  'an import of a style': (base) => `<style>@import url("${base}/import");</style>`,
  'a background': (base) => `<div style="background:url(${base}/background);width:9px;height:9px"></div>`,
  'a font': (base) =>
    `<style>@font-face{font-family:f;src:url("${base}/font")}</style><p style="font-family:f">x</p>`,
  'a frame': (base) => `<iframe src="${base}/frame"></iframe>`,
  'a frame by its text': (base) =>
    `<iframe srcdoc="<img src='${base}/srcdoc'><script>fetch('${base}/srcdoc-fetch',{mode:'no-cors'})</script>"></iframe>`,
  'a frame by a data address': (base) =>
    `<iframe src="data:text/html,<img src='${base}/data'><script>fetch('${base}/data-fetch',{mode:'no-cors'})</script>"></iframe>`,
  'a frame of a sandbox': (base) => `<iframe sandbox="allow-scripts" src="${base}/sandbox"></iframe>`,
  'an object': (base) => `<object data="${base}/object"></object>`,
  'an embedded thing': (base) => `<embed src="${base}/embed">`,
  'a video and its poster': (base) => `<video src="${base}/video" poster="${base}/poster" autoplay></video>`,
  'a sound': (base) => `<audio src="${base}/audio" autoplay></audio>`,
  'a track': (base) => `<video><track default src="${base}/track"></video>`,
  'a picture in SVG': (base) => `<svg><image href="${base}/svg"/><use href="${base}/use#a"/></svg>`,
  'an icon': (base) => `<link rel="icon" href="${base}/icon">`,
  'a manifest': (base) => `<link rel="manifest" href="${base}/manifest" crossorigin="use-credentials">`,
  'a prefetch': (base) => `<link rel="prefetch" href="${base}/prefetch">`,
  'a preload': (base) => `<link rel="preload" as="fetch" crossorigin href="${base}/preload">`,
  'a preload of a module': (base) => `<link rel="modulepreload" href="${base}/modulepreload">`,
  'a preconnection': (base) => `<link rel="preconnect" href="${base}">`,
  'a look-up of a name': (base) => `<link rel="dns-prefetch" href="${base}">`,
  'rules of speculation': (base) =>
    `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${base}/speculation"]}],"prerender":[{"source":"list","urls":["${base}/prerender"]}]}</script>`,
  'a refresh in a frame': (base) =>
    `<iframe srcdoc="<meta http-equiv=refresh content='0;url=${base}/refresh'>"></iframe>`,
  'a form in a frame': (base) =>
    `<iframe srcdoc="<form method=post action='${base}/form'></form><script>document.forms[0].submit()</script>"></iframe>`,
  'a fetch': (base) => script(`fetch('${base}/fetch', { mode: 'no-cors' })`),
  'a fetch that posts': (base) =>
    script(`fetch('${base}/post', { method: 'POST', mode: 'no-cors', body: 'secret' })`),
  'a fetch that outlives': (base) =>
    script(`fetch('${base}/keepalive', { keepalive: true, mode: 'no-cors' })`),
  'an XMLHttpRequest': (base) =>
    script(`const x = new XMLHttpRequest(); x.open('GET', '${base}/xhr'); x.send()`),
  'a beacon': (base) => script(`navigator.sendBeacon('${base}/beacon', 'secret')`),
  'a stream of events': (base) => script(`new EventSource('${base}/events')`),
  'a WebSocket': (base) => script(`new WebSocket('${base.replace('http', 'ws')}/socket')`),
  'a WebTransport': (base) =>
    script(`new WebTransport('${base.replace('http:', 'https:')}/transport').ready.catch(() => 0)`),
  WebRTC: (base) =>
    script(`const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${new URL(base).host}' },
      { urls: 'turn:${new URL(base).host}?transport=tcp', username: 'a', credential: 'b' }] });
      p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o))`),
  'a worker': (base) =>
    script(
      `new Worker(URL.createObjectURL(new Blob(["fetch('${base}/worker',{mode:'no-cors'});importScripts('${base}/worker-script')"])))`,
    ),
  'a shared worker': (base) =>
    script(`new SharedWorker(URL.createObjectURL(new Blob(["fetch('${base}/shared',{mode:'no-cors'})"])))`),
  'a worker of the site': (base) => script(`new Worker('/worker.js?to=${encodeURIComponent(base)}')`),
  'a service worker': (base) =>
    script(
      `navigator.serviceWorker.register('/service.js?to=${encodeURIComponent(base)}').then(() => report('service worker'))`,
    ),
  'another tab': (base) => script(`window.open('${base}/popup')`),
  'a link that pings': (base) =>
    `<a id="p" href="#" ping="${base}/ping">x</a>${script(`document.getElementById('p').click()`)}`,
  'a report of a policy': (base) =>
    `<iframe srcdoc="<meta http-equiv='Content-Security-Policy' content='img-src none; report-uri ${base}/report'><img src=x>"></iframe>`,
  'a redirect of an image': (base) => `<img src="/redirect?to=${encodeURIComponent(`${base}/redirected`)}">`,
  'a redirect of a fetch': (base) =>
    script(`fetch('/redirect?to=${encodeURIComponent(`${base}/redirected-fetch`)}', { mode: 'no-cors' })`),
  'a redirect of a frame': (base) =>
    `<iframe src="/redirect?to=${encodeURIComponent(`${base}/redirected-frame`)}"></iframe>`,
};

/** The host's loopback, a service of clouds, and others that no page may reach, in spellings that browsers understand. */
export function hostileHosts(own: string[]): string[] {
  return [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.', '0.0.0.0', '0'],
    ...['localhost', 'localhost.', 'LOCALHOST', 'x.localhost', '１２７.０.０.１', '127。0。0。1'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
    ...[
      '[2001:0:7f00:1::]',
      '[fe80::1]',
      '[fd00::1]',
      '168.63.129.16',
      '169.254.169.254',
      '100.100.100.200',
      '[fd00:ec2::254]',
    ],
    ...['10.0.0.1', '172.17.0.1', '192.168.0.1', '100.64.0.1', '224.0.0.1', '255.255.255.255'],
    ...own.map((each) => (each.includes(':') ? `[${each}]` : each)),
  ];
}

export interface AttackSite {
  port: number;
  /** What pages of it reported, by `report(name)`. */
  reports: string[];
  close(): void;
}

/**
 * A site under our control: `/attacks?to=` tries all ways to reach an origin, `/spellings?to=` all hosts by some of them at a port,
 * `/datagrams?to=` all IPv4 hosts by WebRTC at a port of UDP. `/shared?to=` leaves a word wherever pages of a site share something, and
 * reports who hears of it; without a word it calls for those, and reports what it finds.
 */
export async function startAttackSite(hosts: readonly string[]): Promise<AttackSite> {
  const reports: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://attack.test');
    const to = url.searchParams.get('to') ?? '';
    const send = (type: string, text: string) => {
      response.setHeader('content-type', `${type}; charset=utf-8`);
      response.end(text);
    };
    if (url.pathname === '/report') reports.push(url.searchParams.get('name') ?? '');
    if (url.pathname === '/attacks') return send('text/html', attackPage(to));
    if (url.pathname === '/spellings') return send('text/html', spellingPage(hosts, to));
    if (url.pathname === '/datagrams') return send('text/html', datagramPage(hosts, to));
    if (url.pathname === '/shared') return send('text/html', sharingPage(to));
    if (url.pathname === '/redirect') return response.writeHead(302, { location: to }).end();
    if (url.pathname === '/worker.js')
      return send(
        'text/javascript',
        `fetch('${to}/own-worker',{mode:'no-cors'}).catch(()=>0);new WebSocket('${to.replace('http', 'ws')}/own-socket')`,
      );
    if (url.pathname === '/service.js')
      return send(
        'text/javascript',
        `fetch('${to}/service',{mode:'no-cors'});addEventListener('fetch',()=>0)`,
      );
    if (url.pathname === '/download') {
      response.setHeader('content-disposition', 'attachment; filename="loot.bin"');
      return send('application/octet-stream', 'loot');
    }
    if (url.pathname === '/page') return send('text/html', `<title>Page</title>${to}`);
    return response.writeHead(204).end();
  });
  const port = await listen(server, '127.0.0.1');
  return { port, reports, close: () => server.close() };
}

/** A secret: counts whoever connects and what they ask for, and datagrams to the same port. */
export async function startSecret(host: string, port = 0) {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(`${request.headers.host}${request.url}`);
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('secret');
  });
  server.on('upgrade', (request, socket) => {
    hits.push(`${request.headers.host}${request.url}`);
    socket.destroy();
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const listened = await listen(server, host, port);
  let datagrams = 0;
  const udp = createSocket('udp4', () => {
    datagrams += 1;
  }).bind(listened, host);
  await once(udp, 'listening');
  const close = () => {
    server.close();
    udp.close();
  };
  return { port: listened, hits, connections: () => connections, datagrams: () => datagrams, close };
}

function listen(server: Server, host: string, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as { port: number }).port));
  });
}

function script(text: string): string {
  return `<script>try { ${text} } catch (error) { console.log(String(error)) }</script>`;
}

const REPORT = `<script>const report = (name) => fetch('/report?name=' + encodeURIComponent(name))</script>`;

/** Each attack in its own place; after it the page says that it was tried. */
function attackPage(base: string): string {
  const tried = Object.entries(ATTACKS).map(
    ([name, attack]) => `${attack(base)}${script(`report('${name}')`)}`,
  );
  return `<!doctype html><title>Attacks</title>${REPORT}${tried.join('\n')}`;
}

function spellingPage(hosts: readonly string[], port: string): string {
  const tries = hosts.flatMap((host) =>
    [`http://${host}:${port}`, `http://${host}`].map(
      (base) =>
        `<img src="${base}/i">${script(`fetch('${base}/', { mode: 'no-cors' }).catch(() => 0)`)}${script(`new WebSocket('${base.replace('http', 'ws')}/')`)}`,
    ),
  );
  return `<!doctype html><meta charset="utf-8"><title>Spellings</title>${REPORT}${tries.join('\n')}${script(`report('spellings')`)}`;
}

/** With a word it has a page in it that looks for that, so that each way is shown to be one within a browser. */
function sharingPage(word: string): string {
  const leave = `document.cookie = 'word=${word}'; localStorage.word = '${word}';
    channel.onmessage = () => report('heard');`;
  const find = `channel.postMessage('call');
    report(['found', document.cookie, localStorage.word].filter(Boolean).join(' '));`;
  return `<!doctype html><title>Shared</title>${REPORT}<script>const channel = new BroadcastChannel('shared');
    ${word === '' ? find : leave}</script>${word === '' ? '' : '<iframe src="/shared"></iframe>'}`;
}

/** Reports `datagrams` once the browser has found all that it can of its own addresses, by servers at the hosts. */
function datagramPage(hosts: readonly string[], port: string): string {
  const urls = hosts
    .filter((host) => /^\d+\.\d+\.\d+\.\d+$/.test(host))
    .flatMap((host) => [`stun:${host}:${port}`, `turn:${host}:${port}?transport=udp`]);
  const servers = urls.map((each) => ({ urls: each, username: 'a', credential: 'b' }));
  return `<!doctype html><title>Datagrams</title>${REPORT}<script>
    let isOver = false;
    const end = () => isOver || (isOver = true, report('datagrams'));
    try {
      for (const server of ${JSON.stringify(servers)}) {
        const peer = new RTCPeerConnection({ iceServers: [server] });
        peer.createDataChannel('x');
        peer.createOffer().then((offer) => peer.setLocalDescription(offer)).catch(() => 0);
      }
      setTimeout(end, 2000);
    } catch (error) { end() }</script>`;
}
